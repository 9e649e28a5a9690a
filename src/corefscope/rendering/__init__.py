"""Results as text: plain tables, CSV, Markdown, LaTeX, and the reference scorer's format."""
