"""The bot of the variants played on nine boards in one."""
