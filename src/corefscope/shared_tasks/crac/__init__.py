"""The track for language models of the CRAC shared tasks: their formats, and the official route.

A model is given a text with words and empty nodes, and marks the mentions in it. The organisers'
tools clean the answer, put it back into the CoNLL-U file (the *skeleton*), and score that file.
"""
