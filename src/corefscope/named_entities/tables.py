"""Named entity coreference as tables and lists."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import TypeAlias

from corefscope.error_analysis.tables.context import Context
from corefscope.formatting import COUNT, PERCENT, POINTS, TEXT, TextFormat, Value, counted
from corefscope.language import MentionType
from corefscope.metrics import CONLL
from corefscope.named_entities import ALL, ChainRow, TypeScore
from corefscope.named_entities.record import HasNames
from corefscope.named_entities.rows import DocumentRows
from corefscope.results.paper import BEST, FIGURES, caption_of, paper_table
from corefscope.results.table import Caption, RowCells, Table, TableColumn, columns
from corefscope.scoring.systems import Evaluated
from corefscope.version import __version__

MENTION_TYPES = (MentionType.NAME, MentionType.PRONOUN, MentionType.NOMINAL, MentionType.ZERO)
"""The mention types in the order of the paper; zeros are shown only if there are any."""


def overview(evaluation: Evaluated[HasNames]) -> Table:
    """Return the main table, with one row per system and entity type."""
    rows: list[RowCells] = []
    first = next(iter(evaluation)).named_entities
    changed = first.options.changed()
    for system in evaluation:
        for type, score in system.named_entities.types.items():
            name = system.name if type == next(iter(system.named_entities.types)) else None
            rows.append([name, *_overview_row(type, score)])
    return Table(
        columns=[
            *(TableColumn("system"), TableColumn("type"), TableColumn("chains", COUNT)),
            *columns(PERCENT, "not found", "F1 0", "NEC F1", "recall", "prec.", CONLL.heading),
        ],
        rows=rows,
        notes=[
            "not found: share of key chains whose name no response chain has.",
            "F1 0: share of key chains whose F1 is 0.",
            *_precision_of_nothing(evaluation),
            "CoNLL: MUC, B³ and CEAFe of the chains with a name of the type.",
            *(_macro(s) for s in evaluation if s.named_entities.macro_f1 is not None),
            *dict.fromkeys(system.named_entities.signature for system in evaluation),
        ],
        heading=[
            f"key       {evaluation.key_path}",
            *(f"response  {system.path}" for system in evaluation if len(evaluation) == 1),
            f"documents {len(first.documents)}",
            *_heads(evaluation),
            *([f"choices   {', '.join(changed)}"] if changed else []),
        ],
        title="Named entity coreference",
    )


def _precision_of_nothing(evaluation: Evaluated[HasNames]) -> list[str]:
    """Explain why precision is 1 although F1 is 0, if that occurs in the table."""
    for system in evaluation:
        found = {row.chain.type for row in system.named_entities.rows if row.is_found}
        for type, score in system.named_entities.types.items():
            is_found = bool(found) if type == ALL else type in found
            if score.chains and score.precision == 1 and not is_found:
                return ["prec.: where no chain was found, precision (0/0) is defined as 100 %."]
    return []


def _heads(evaluation: Evaluated[HasNames]) -> list[str]:
    """Return where heads come from, by system if systems differ."""
    by = {system.name: system.named_entities.heads for system in evaluation}
    if len(set(by.values())) == 1:
        return [f"heads     from {next(iter(by.values()))}"]
    return [
        *(f"heads     from {heads} ({name})" for name, heads in by.items()),
        "The heads come from different layers: these figures are not comparable.",
    ]


def _macro(system: HasNames) -> str:
    return (
        f"Mean NEC F1 over types, {system.name}: {PERCENT.shown(system.named_entities.macro_f1)}."
    )


def _overview_row(type: str, score: TypeScore) -> list[Value]:
    figures = (score.not_found, score.zero_f1, score.f1, score.recall, score.precision, score.conll)
    return [type, score.chains, *figures]


def table_3(evaluation: Evaluated[HasNames]) -> Table:
    """Return Table 3 of the paper: chains not found, NEC F1 and CoNLL score by entity type."""
    types = [type for type in next(iter(evaluation)).named_entities.types if type != ALL]
    rows: list[RowCells] = []
    for system in evaluation:
        scores = [system.named_entities[type] for type in types]
        rows.append([system.name, *(x for s in scores for x in (s.not_found, s.f1, s.conll))])
    names = (f"{type} {what}" for type in types for what in ("not found", "NEC F1", "Coref F1"))
    heads = [TableColumn("system"), *columns(PERCENT, *names)]
    return Table(columns=heads, rows=rows, title="Table 3: NEC by entity type")


def _mention_types(evaluation: Evaluated[HasNames]) -> list[MentionType]:
    """Return the types of mentions that some system has figures for."""
    known = {type for s in evaluation for type in s.named_entities[ALL].by_mention_type}
    return [type for type in MENTION_TYPES if type in known]


def table_4(evaluation: Evaluated[HasNames]) -> Table:
    """Return Table 4 of the paper: NEC F1 by entity type and mention type."""
    types = [type for type in next(iter(evaluation)).named_entities.types if type != ALL]
    mentions = _mention_types(evaluation)
    rows: list[RowCells] = []
    for system in evaluation:
        by_type = [system.named_entities[type].by_mention_type for type in types]
        by = [each.get(mention) for each in by_type for mention in mentions]
        rows.append([system.name, *(found.f1 if found else None for found in by)])
    names = (f"{type} {mention}" for type in types for mention in mentions)
    heads = [TableColumn("system"), *columns(PERCENT, *names)]
    return Table(columns=heads, rows=rows, title="Table 4: NEC F1 by entity type and mention type")


def drop(evaluation: Evaluated[HasNames]) -> Table:
    """Return a table that compares the CoNLL score with NEC F1, as the paper argues."""
    rows: list[RowCells] = []
    for system in evaluation:
        score, standard = system.named_entities[ALL], system.named_entities.standard
        change = None if standard is None or score.f1 is None else score.f1 - standard
        rows.append([system.name, standard, score.conll, score.f1, change, score.not_found])
    return Table(
        columns=[
            TableColumn("system"),
            *columns(PERCENT, "CoNLL, all chains", "CoNLL, named", "NEC F1"),
            *(TableColumn("change", POINTS), TableColumn("not found", PERCENT)),
        ],
        rows=rows,
        notes=["change: from the CoNLL score of all chains to NEC F1, in points."],
        title="From the standard score to named entities",
    )


LONGEST = 28
"""How many characters of names are shown."""
TABLES: Mapping[str, Callable[[Evaluated[HasNames]], Table]] = {
    "3": table_3,
    "4": table_4,
    "drop": drop,
}
"""The tables of Agarwal et al. (2019) by number, and the comparison that they argue with."""


def detail(evaluation: Evaluated[HasNames]) -> Table:
    """Return a table with one row per named key chain, to check scores by hand."""
    mentions = _mention_types(evaluation)
    rows = [
        [system.name, *_detail_row(document, row, mentions)]
        for system in evaluation
        for document in system.named_entities.documents
        for row in document.rows
    ]
    return Table(
        columns=[
            *columns(TEXT, "system", "document", "entity", "type"),
            TableColumn("mentions", COUNT),
            TableColumn("names", TextFormat(most=LONGEST)),
            *columns(TEXT, "candidates", "best"),
            *columns(COUNT, "size", "common"),
            *columns(PERCENT, "f1", "recall", "precision", *mentions),
            *columns(TEXT, "split", "shared"),
        ],
        rows=rows,
        title="Key chains with a name",
    )


def _detail_row(
    document: DocumentRows, row: ChainRow, mentions: Sequence[MentionType]
) -> list[Value]:
    def chains(numbers: Sequence[int]) -> str:
        return " ".join(document.response_name(number) for number in numbers)

    return [
        row.document,
        document.key_name(row),
        row.chain.type,
        row.size,
        " | ".join(" ".join(variant) for variant in row.chain.variants),
        chains(row.candidates),
        chains([] if row.best is None else [row.best]),
        row.best_size,
        row.overlap,
        *(row.f1, row.recall, row.precision),
        *(row.by_type.get(type) for type in mentions),
        chains(row.split),
        "yes" if row.shares_best else "no",
    ]


def paper_types(evaluation: Evaluated[HasNames], *, caption: Caption = None) -> Table:
    """Return precision, recall and F1 of each entity type: one row per system."""
    rows = {
        system.name: [
            (TableColumn(name, PERCENT, type), value)
            for type, found in system.named_entities.types.items()
            for name, value in (("P", found.precision), ("R", found.recall), ("F1", found.f1))
        ]
        for system in evaluation
    }
    first = next(iter(evaluation)).named_entities
    choices = first.options.changed()
    about = caption_of(
        caption,
        f"{FIGURES[:-1]} of named entity coreference by type (Agarwal et al., 2019), measured by "
        f"corefscope {__version__} on {counted(len(first.documents), 'document')}"
        + (f" ({', '.join(choices)})." if choices else "."),
        best=BEST if len(rows) > 1 else "",
    )
    signatures = dict.fromkeys(system.named_entities.signature for system in evaluation)
    return paper_table("system", rows, list(signatures), caption=about)


def title(row: ChainRow) -> str:
    """Return the longest name of a chain."""
    names = [" ".join(variant) for variant in row.chain.variants]
    return max(names, key=len, default="?")


Story: TypeAlias = Callable[[], list[str]]
"""Tells of an entity in lines, of which only the first few are asked for."""


def stories(system: HasNames, context: Context, most: int) -> list[str]:
    """Return lists of the entities that were not found, split or combined."""
    return [
        *_listed("Not found", list(_not_found(system, context)), most),
        *_listed("Split over several chains", list(_split(system)), most),
        *_listed("Combined in one chain", list(_combined(system)), most),
    ]


def _listed(heading: str, told: Sequence[Story], most: int) -> list[str]:
    if not told:
        return []
    lines = ["", f"{heading}: {len(told)}"]
    for tell in told[:most]:
        first, *more = tell()
        lines += [f"  {first}", *(f"    {line}" for line in more)]
    return [*lines, f"  … and {len(told) - most} more"] if len(told) > most else lines


def _not_found(system: HasNames, context: Context) -> Iterator[Story]:
    for document in system.named_entities.documents:
        for row in document.rows:
            if not row.candidates:
                yield partial(_tell_not_found, document, row, context)


def _tell_not_found(document: DocumentRows, row: ChainRow, context: Context) -> list[str]:
    first = (row.chain.headed_numbers or row.chain.numbers)[0]
    size = "1 mention" if row.size == 1 else f"{row.size} mentions"
    return [
        f"“{title(row)}”, {row.chain.type}, {size}: {document.key_name(row)}, {row.document}",
        context.line(row.document, document.table.where(first)),
        *_whereabouts(document, row),
    ]


def _whereabouts(document: DocumentRows, row: ChainRow) -> Iterator[str]:
    """Describe which response chain has most mentions of an entity that was not found."""
    wanted = set(row.chain.numbers)
    common = [len(wanted.intersection(chain)) for chain in document.response.mentions]
    most = max(common, default=0)
    if most:
        place = document.response.places[common.index(most)]
        are = "1 of its mentions is" if most == 1 else f"{most} of its mentions are"
        yield f"{are} in R{place}, which does not have its name"


def _split(system: HasNames) -> Iterator[Story]:
    for document in system.named_entities.documents:
        for row in document.rows:
            if len(row.split) > 1:
                yield partial(_tell_split, document, row)


def _tell_split(document: DocumentRows, row: ChainRow) -> list[str]:
    where = ", ".join(document.response_name(n) for n in row.split)
    return [
        f"“{title(row)}”, {row.chain.type}: in {where} ({document.key_name(row)} of {row.document})"
    ]


def _combined(system: HasNames) -> Iterator[Story]:
    for document, number, rows in system.named_entities.combining():
        yield partial(_tell_combined, document, number, rows)


def _tell_combined(document: DocumentRows, number: int, rows: Sequence[ChainRow]) -> list[str]:
    names = ", ".join(f"“{title(row)}” ({document.key_name(row)})" for row in rows)
    return [f"{document.response_name(number)} of {document.name}: {names}"]
