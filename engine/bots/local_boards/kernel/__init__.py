"""The inner functions of the bot for ultimate and extreme: plain integers in flat arrays.

They run as plain Python on lists, or compiled on arrays (by the neighbouring `compiled`), with the
same answers. Two searches share them: `best_first.grow`, on a tree, and `alpha_beta.search`, to a
depth. The functions are long, since a call costs plain Python more than anything that they do.
"""
