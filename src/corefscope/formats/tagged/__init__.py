"""Text with tags around mentions, as language models write it."""
