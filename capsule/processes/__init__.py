"""The processes of a capsule that serves: one that does everything, or several that share it out.

With several, a supervisor starts the others and replaces those that die: workers, which answer
requests, a housekeeper, which does what is done once however many workers there are, and a mailer,
if the capsule sends e-mail.
"""
