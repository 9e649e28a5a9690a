"""Key and response side by side: documents paired, mentions paired, their overlap counted."""
