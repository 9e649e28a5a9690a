"""What is shown of scores of windows, topics, corpora and major entities."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from corefscope.formatting import COUNT, PERCENT, counted, cut_right
from corefscope.metrics import Score
from corefscope.results.table import RowCells, Table, TableColumn
from corefscope.scoring.scores import Scores
from corefscope.scoring.systems import Evaluated, HasScores

if TYPE_CHECKING:
    from corefscope.corpus import Corpus
    from corefscope.metrics.major import MajorEntity, MajorScores

LINKS = {"within": "links within documents", "across": "links across documents"}
WHOLE = "whole"
"""The row of whole documents below those of windows."""


def score_rows(evaluation: Evaluated[HasScores]) -> tuple[str, dict[str, Scores]]:
    """Return what the rows of a table are, and their scores: systems, or windows of systems."""
    rows: dict[str, Scores] = {}
    for system in evaluation:
        if not system.scores.windows:
            rows[system.name] = system.scores
        for scores in system.scores.windows:
            name = window_name(scores)
            rows[f"{system.name}, {name}" if len(evaluation) > 1 else name] = scores
    is_cut = any(system.scores.windows for system in evaluation)
    return "window" if is_cut else "system", rows


def window_name(scores: Scores) -> str:
    """Return how a table calls windows of one size, or whole documents."""
    window = scores.profile.window
    if window is None:
        return WHOLE
    return f"{window.size:,} tokens"


def units_line(scores: Scores) -> list[str]:
    """Return a line about what was scored as one, if that is not documents."""
    if scores.units is None:
        return []
    number, window = len(scores.document_names), scores.profile.window
    if window is None:
        return [f"{'topics' if scores.profile.level == 'topic' else 'level':<9} {_level(scores)}"]
    return [f"windows   {number:,} of {window.size:,} tokens"]


def _level(scores: Scores) -> str:
    return f"{len(scores.document_names):,}" if scores.profile.level == "topic" else "corpus"


def link_scores(scores: Scores) -> Mapping[str, Score]:
    """Return the scores of links within and across documents by name; none below topics."""
    links = scores.across.links if scores.across is not None else {}
    return {LINKS[where]: score for where, score in links.items()}


def singleton_notes(systems: Sequence[HasScores]) -> list[str]:
    """Return how many entities are singletons, which dominate some metrics across documents."""
    notes = []
    for system in systems:
        across = system.scores.across
        if across is not None and system.scores.profile.singletons == "keep":
            whose = f"{system.name}: " if len(systems) > 1 else ""
            shown = ", ".join(
                f"{single:,} of {counted(every, f'{side} entity', f'{side} entities')}"
                for side, (single, every) in across.singletons.items()
            )
            notes.append(f"{whose}singletons: {shown}; they count in B³ and CEAFe")
    return notes


def major_tables(evaluation: Evaluated[HasScores]) -> Iterator[Table]:
    """Yield a table of the major entities of each system, if they were asked for."""
    for system in evaluation:
        if system.scores.major is not None:
            name = f"Major entities, {system.name}" if len(evaluation) > 1 else "Major entities"
            yield _major_table(system.scores.major, evaluation.key, name)


def _named(key: Corpus, entity: MajorEntity) -> str:
    """Return the label of an entity of the key, with the words of its first mention."""
    document = key[entity.document]
    words = document.words
    if words is None:
        return entity.entity
    first = next(each for each in document.entities if each.label == entity.entity).mentions[0]
    return f"{entity.entity} “{cut_right(' '.join(words[first.start : first.end + 1]), LONGEST)}”"


LONGEST = 14
"""How many characters of a mention are shown."""


def _major_table(major: MajorScores, key: Corpus, title: str) -> Table:
    rows: list[RowCells] = [
        [each.document, _named(key, each), *each[2:], each.f1] for each in major.entities
    ]
    return Table(
        columns=[
            *(TableColumn("document"), TableColumn("entity"), TableColumn("key", COUNT)),
            *(TableColumn("response", COUNT), TableColumn("both", COUNT)),
            TableColumn("F1", PERCENT),
        ],
        rows=[
            *rows,
            ["", "macro mean", None, None, None, major.macro],
            ["", "weighted mean", None, None, None, major.weighted],
        ],
        heading=[title],
        title=title,
        totals=2,
        notes=["An entity has its label in the file of the key, and its first mention."],
    )
