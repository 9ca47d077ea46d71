"""E-mail, for players who ask for it, where the operator has a relay.

A trigger notes, in the transaction that changes something, which subscribers it may concern. The
mailer looks at these, and at those for whom time has passed; `occasions.py` derives from the stored
games what there is to tell, as the private feed does. A letter and each thing that it tells are
unique rows, so nobody is told anything twice.
"""
