"""The answers to programs, and the page on which a player says to be one."""
