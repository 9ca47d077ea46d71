"""The client: a program that plays at a capsule, for anybody's bot.

It knows the capsule by the JSON that `/help/programs/json` documents, as any other program does.
"""
