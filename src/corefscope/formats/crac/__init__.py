"""The formats of the CRAC shared tasks' track for language models: text, JSON, and the way back.

A model is given a text with words and empty nodes, and marks the mentions in it. The organisers'
tools clean the answer and put it back into the CoNLL-U file, the *skeleton*.
"""
