"""Score the checkpoints of a training run as they appear, and keep a history of them."""

from corefscope.watching.history import History, read_history

__all__ = ["History", "read_history"]
