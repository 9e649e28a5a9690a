"""Files that are costly to make and only read: made once per run, for all of its processes."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Callable
from pathlib import Path

import pytest


def shared_folder(factory: pytest.TempPathFactory, name: str) -> Path:
    """Return a folder that all worker processes of this run of the suite share."""
    own = factory.getbasetemp()
    is_worker = "PYTEST_XDIST_WORKER" in os.environ
    folder = (own.parent if is_worker else own) / f"shared-{name}"
    folder.mkdir(exist_ok=True)
    return folder


def made_once(output: Path, make: Callable[[Path], object]) -> Path:
    """Make a file unless another process has; wait while another process makes it."""
    with output.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        done = output.with_suffix(".done")
        if not done.exists():
            make(output)
            done.touch()
    return output
