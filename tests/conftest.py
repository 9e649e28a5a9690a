"""What holds for the whole suite."""

from __future__ import annotations

import signal

from hypothesis import settings

# A test that takes long on a busy machine has not failed, so there are no deadlines. The suite
# tries the same examples every time; `pytest --hypothesis-profile=explore` tries new ones.
settings.register_profile("explore", deadline=None)
settings.register_profile("suite", deadline=None, derandomize=True)
settings.load_profile("suite")

# A shell starts what is in the background with Ctrl-C switched off, and all that this starts
# inherits it: tests that interrupt a command would wait in vain.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
