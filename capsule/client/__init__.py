"""The client: a program that plays any bot at a capsule.

It knows the capsule by the JSON that `/help/programs/json` documents, as any other program does.
"""
