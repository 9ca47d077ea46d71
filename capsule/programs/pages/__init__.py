"""The answers to programs, and the page on which a player declares itself one."""
