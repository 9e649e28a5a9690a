"""The catalogue of damages; importing the modules fills it."""

from fuzzing.damages import cells, lines, structures, tables
from fuzzing.damages.catalogue import DAMAGES, Damage

__all__ = ["DAMAGES", "Damage", "cells", "lines", "structures", "tables"]
