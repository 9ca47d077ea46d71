"""The inner loops of the bot for ultimate and extreme, on plain integers in flat arrays.

They run as plain Python on lists or, compiled by `engine.bots.local_boards.compiled`, on arrays,
with the same results. Two searches share them: `best_first.grow`, on a tree, and
`alpha_beta.search`, to a fixed depth. The functions are long, since in plain Python a call costs
more than anything else that they do.
"""
