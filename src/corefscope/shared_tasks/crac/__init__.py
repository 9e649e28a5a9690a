"""The track for language models of the CRAC shared tasks: the official route, and submissions."""
