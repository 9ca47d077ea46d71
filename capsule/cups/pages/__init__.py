"""The pages of the monthly cups."""
