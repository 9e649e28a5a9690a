"""Write single files, and folders of files that belong together."""
