"""Programs from outside, which know the capsule only from `/help/programs`."""
