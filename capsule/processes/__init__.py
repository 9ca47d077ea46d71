"""The processes of a serving capsule: one that does everything, or several that share the work.

With several, a supervisor starts the others and replaces those that die: workers, which answer
requests, one housekeeper for all of them, and a mailer if the capsule sends e-mail.
"""
