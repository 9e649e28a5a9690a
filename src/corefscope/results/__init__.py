"""How a result becomes a record (JSON and its schema), rows, and a table."""
