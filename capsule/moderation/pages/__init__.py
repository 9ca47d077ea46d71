"""The pages of reports and of the operator's notices."""
