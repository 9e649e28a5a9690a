"""Score the checkpoints of a training run as they appear, and keep a history of them."""

from corefscope.watching.history import Checkpoint, History, read_history

__all__ = ["Checkpoint", "History", "read_history"]
