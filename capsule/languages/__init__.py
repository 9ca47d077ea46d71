"""The languages of the capsule: their catalogues and addresses, and dates and numbers in them."""
