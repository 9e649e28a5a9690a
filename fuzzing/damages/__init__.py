"""The catalogue of damages; importing the modules fills it."""

from fuzzing.damages import any_lines, cells, json_values, lines, structures, tables, xml_elements
from fuzzing.damages.catalogue import DAMAGES, Damage

__all__ = [
    "DAMAGES",
    "Damage",
    "any_lines",
    "cells",
    "json_values",
    "lines",
    "structures",
    "tables",
    "xml_elements",
]
