"""Programs from outside, which know the capsule by what `/help/programs` tells them."""
