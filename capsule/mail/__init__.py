"""E-mail, for players who ask for it, where the operator has a relay.

A trigger notes, in the transaction that changes something, which subscribers it may concern. The
mailer looks at these, and at those for whom time has passed; `notifications.py` derives the
notifications from the stored games, as the private feed does. A letter and each notification in
it are unique rows, so nothing is sent twice.
"""
