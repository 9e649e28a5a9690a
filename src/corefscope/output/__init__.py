"""Write single files, and folders of files that belong together."""

LIST = ".corefscope-files"
"""The file with the list of what a folder has; readers skip names that begin with a dot."""
