"""The building blocks of pages: templates, responses, boards, tables, and typed text."""
