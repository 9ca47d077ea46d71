"""The pages of reports and of notices."""
