"""Sets of texts, each with its own key and responses, as ``--set`` gives them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TypeAlias

import click

from corefscope.cli.parameters import split_name, split_set
from corefscope.cli.reading import runs_of
from corefscope.records import dataclass
from corefscope.rendering.comparison.sets import AVERAGE
from corefscope.statistics.ranking import letters

Paths: TypeAlias = Mapping[str, Sequence[str]]
"""The files of each system, one per run: responses or files of scores."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TextSet:
    """A set of texts: its key, and the files of each system."""

    name: str
    key: str
    runs: Paths
    is_named: bool
    """Whether the user named any of the systems."""


def parsed_sets(given: Sequence[str], form: str, least: int) -> dict[str, TextSet]:
    """Parse the values of ``--set``, which need at least ``least`` responses each.

    ``form`` shows what a value looks like. If no system has a given name, and file names differ
    between sets, systems are called A, B, … by their position.
    """
    sets = [_parsed(text, form, least) for text in given]
    names = [each.name for each in sets]
    for name in names:
        if names.count(name) > 1:
            raise click.UsageError(f"two sets are named {name!r}; give each its own name")
    if AVERAGE in names:
        raise click.UsageError(f"the name {AVERAGE!r} is that of the mean; rename this set")
    _check_standard_input(sets)
    # Names that the user gave are kept; sets whose systems differ are refused later.
    if not any(each.is_named for each in sets):
        sets = _renamed(sets)
    return {each.name: each for each in sets}


def _parsed(text: str, form: str, least: int) -> TextSet:
    name, equals, paths = text.partition("=")
    key, *responses = split_set(paths)
    if not equals or not name or not key or len(responses) < least or not all(responses):
        raise click.UsageError(f"--set takes {form}, not {text!r}")
    is_named = any(split_name(response)[0] is not None for response in responses)
    return TextSet(name=name, key=key, runs=runs_of(responses), is_named=is_named)


def _check_standard_input(sets: Sequence[TextSet]) -> None:
    paths = [path for each in sets for runs in ([each.key], *each.runs.values()) for path in runs]
    if paths.count("-") > 1:
        raise click.UsageError("standard input can be read only once")


def _renamed(sets: Sequence[TextSet]) -> list[TextSet]:
    """Name systems A, B, … by position if their file names differ between sets."""
    names = {tuple(each.runs) for each in sets}
    if len(names) == 1 or len({len(each) for each in names}) > 1:
        return list(sets)
    if len({frozenset(each) for each in names}) < len(names):
        # The same names in another order are different systems, which are refused later.
        return list(sets)
    places = [letter.upper() for letter in letters(next(iter(names))).values()]
    return [replace(each, runs=dict(zip(places, each.runs.values(), strict=True))) for each in sets]
