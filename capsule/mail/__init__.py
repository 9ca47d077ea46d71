"""E-mail, for players who ask for it, where the operator has a relay.

A trigger records, in the transaction that changes something, which subscribers it may concern. The
mailer checks these subscribers, and those whose schedule is due; `letters.py` derives their
notifications from the stored games, as the private feed does. A letter and each notification in
it are unique rows, so nothing is sent twice.
"""
