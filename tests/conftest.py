"""What holds for the whole suite."""

from __future__ import annotations

from hypothesis import settings

# A test that takes long on a busy machine has not failed, so there are no deadlines. The suite
# tries the same examples every time; `pytest --hypothesis-profile=explore` tries new ones.
settings.register_profile("explore", deadline=None)
settings.register_profile("suite", deadline=None, derandomize=True)
settings.load_profile("suite")
