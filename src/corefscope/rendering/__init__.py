"""Results as text: terminal, JSON, CSV, Markdown, LaTeX, and the reference scorer's own."""
