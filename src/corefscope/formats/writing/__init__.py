"""What writers of formats have in common: what formats can express, and what would be lost."""
