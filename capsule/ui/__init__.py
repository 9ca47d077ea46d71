"""What every page is made with: templates, responses, boards, tables, and text that people type."""
