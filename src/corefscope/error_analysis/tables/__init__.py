"""Errors of responses as text: the paper's tables, lists, and groups of confused entities."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from corefscope.error_analysis.record import Analysed
from corefscope.error_analysis.tables import entities, mentions, phenomena
from corefscope.error_analysis.tables.systems import with_means
from corefscope.results.table import Table

TABLES: Mapping[int, Callable[[Analysed], Table]] = {
    1: phenomena.systems,
    2: mentions.span_errors,
    3: mentions.mention_types,
    4: mentions.mention_matches,
    5: entities.compositions,
    6: entities.entity_matches,
    7: entities.pronoun_pairs,
    8: entities.parts,
    9: phenomena.cataphora,
    10: phenomena.impact,
    11: phenomena.agreement,
}
"""The tables of Kummerfeld & Klein (2013) by number."""


def numbered_table(number: int, evaluation: Analysed) -> Table:
    """Return a table of the paper; its title says if it shows means over systems."""
    table = TABLES[number](evaluation)
    return table if number == 1 else with_means(table, evaluation)


NEED_IMPACT = frozenset({10})
"""The tables that show the gains of corrections."""

__all__ = ["NEED_IMPACT", "TABLES", "numbered_table"]
