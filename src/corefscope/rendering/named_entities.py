"""Named entity coreference as tables, lists and JSON."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from corefscope.corpus import Corpus
from corefscope.findings import Finding
from corefscope.formatting import COUNT, PERCENT, POINTS, TEXT, Value
from corefscope.language import MentionType
from corefscope.metrics import CONLL
from corefscope.named_entities import ALL, Nec, Row, TypeScore
from corefscope.named_entities.rows import DocumentRows
from corefscope.named_entities.summary import Spread
from corefscope.rendering.errors.context import Context
from corefscope.rendering.table import Cells, Column, Table, as_csv, columns, table_dict
from corefscope.version import __version__


@dataclass(frozen=True, slots=True, eq=False)
class NecSystem:
    """A response that was measured."""

    name: str
    response: str
    nec: Nec


@dataclass(frozen=True, slots=True, eq=False)
class NecResult:
    """Several responses measured against one key."""

    key: str
    systems: Sequence[NecSystem]


MENTION_TYPES = (MentionType.NAME, MentionType.PRONOUN, MentionType.NOMINAL)
"""In the order of the paper."""
NOT_FOUND = {
    "candidates": "whose name no response chain has",
    "zero": "with F1 0",
}


def overview(result: NecResult) -> Table:
    """One row per system and entity type: what was found, and how well."""
    rows: list[Cells] = []
    first = result.systems[0].nec
    for system in result.systems:
        for type, score in system.nec.types.items():
            name = system.name if type == next(iter(system.nec.types)) else None
            rows.append([name, *_overview_row(type, score, system.nec.options.aggregate)])
    return Table(
        columns=[
            *(Column("system"), Column("type"), Column("chains", COUNT)),
            *columns(PERCENT, "not found", "F1 0", "NEC F1", "recall", "prec.", CONLL.heading),
        ],
        rows=rows,
        notes=[
            f"not found: share of key chains {NOT_FOUND[first.options.not_found]}.",
            "F1 0: share of key chains whose F1 is 0.",
            *_precision_of_nothing(result),
            "CoNLL: MUC, B³ and CEAFe of the chains with a name of the type.",
            *(_macro(s) for s in result.systems if s.nec.macro_f1 is not None),
            *dict.fromkeys(system.nec.signature for system in result.systems),
        ],
        heading=[
            f"key       {result.key}",
            *([f"response  {result.systems[0].response}"] if len(result.systems) == 1 else []),
            f"documents {len(first.documents)}",
            *_heads(result),
            f"choices   {', '.join(first.options.changed()) or 'all as by default'}",
        ],
        title="Named entity coreference",
    )


def _precision_of_nothing(result: NecResult) -> list[str]:
    """Explain a precision of 1 beside an F1 of 0, if the table has one."""
    for system in result.systems:
        found = {row.chain.type for row in system.nec.rows if row.is_found}
        for type, score in system.nec.types.items():
            is_found = bool(found) if type == ALL else type in found
            if score.chains and score.precision == 1 and not is_found:
                return ["prec.: where no chain was found, precision (0/0) is defined as 100 %."]
    return []


def _heads(result: NecResult) -> list[str]:
    """Say what told heads; system by system, where systems differ."""
    by = {system.name: system.nec.heads for system in result.systems}
    if len(set(by.values())) == 1:
        return [f"heads by  {next(iter(by.values()))}"]
    return [
        *(f"heads by  {heads} ({name})" for name, heads in by.items()),
        "Heads were not told by the same layer: these figures do not compare.",
    ]


def _macro(system: NecSystem) -> str:
    return f"Mean NEC F1 over types, {system.name}: {PERCENT.shown(system.nec.macro_f1)}."


def _overview_row(type: str, score: TypeScore, aggregate: str) -> list[Value]:
    recall, precision = score.recall, score.precision
    if aggregate == "micro":
        recall, precision = score.micro["recall"], score.micro["precision"]
    figures = (score.not_found, score.zero_f1, score.f1, recall, precision, score.conll)
    return [type, score.chains, *figures]


def table_3(result: NecResult) -> Table:
    """Table 3 of the paper: chains not found, NEC F1 and CoNLL score by entity type."""
    types = [type for type in result.systems[0].nec.types if type != ALL]
    rows: list[Cells] = []
    for system in result.systems:
        scores = [system.nec[type] for type in types]
        rows.append([system.name, *(x for s in scores for x in (s.not_found, s.f1, s.conll))])
    names = (f"{type} {what}" for type in types for what in ("not found", "NEC F1", "Coref F1"))
    heads = [Column("system"), *columns(PERCENT, *names)]
    return Table(columns=heads, rows=rows, title="Table 3: NEC by entity type")


def table_4(result: NecResult) -> Table:
    """Table 4 of the paper: NEC F1 by entity type and mention type."""
    types = [type for type in result.systems[0].nec.types if type != ALL]
    rows: list[Cells] = []
    for system in result.systems:
        by = [
            system.nec[type].by_mention_type[mention] for type in types for mention in MENTION_TYPES
        ]
        rows.append([system.name, *(f1 for f1, _ in by)])
    names = (f"{type} {mention}" for type in types for mention in MENTION_TYPES)
    heads = [Column("system"), *columns(PERCENT, *names)]
    return Table(columns=heads, rows=rows, title="Table 4: NEC F1 by type of mention")


def drop(result: NecResult) -> Table:
    """The paper's argument on these data: from the standard score to named entities."""
    rows: list[Cells] = []
    for system in result.systems:
        score, standard = system.nec[ALL], system.nec.standard
        change = None if standard is None or score.f1 is None else score.f1 - standard
        rows.append([system.name, standard, score.conll, score.f1, change, score.not_found])
    return Table(
        columns=[
            Column("system"),
            *columns(PERCENT, "CoNLL, all chains", "CoNLL, named", "NEC F1"),
            *(Column("change", POINTS), Column("not found", PERCENT)),
        ],
        rows=rows,
        notes=["change: from the CoNLL score of all chains to NEC F1, in points."],
        title="From the standard score to named entities",
    )


TABLES: Mapping[str, Callable[[NecResult], Table]] = {"3": table_3, "4": table_4, "drop": drop}
"""The tables of Agarwal et al. (2019) by number, and what they argue."""

DETAIL = (
    *columns(TEXT, "system", "document", "entity", "type"),
    Column("mentions", COUNT),
    *columns(TEXT, "names", "candidates", "best"),
    *columns(COUNT, "size", "common"),
    *columns(PERCENT, "f1", "recall", "precision", "name", "pronoun", "nominal"),
    *columns(TEXT, "split", "shared"),
)


def detail(result: NecResult) -> Table:
    """One row per key chain with a name, so that every figure can be followed by hand."""
    rows = [
        [system.name, *_detail_row(document, row)]
        for system in result.systems
        for document in system.nec.documents
        for row in document.rows
    ]
    return Table(columns=DETAIL, rows=rows, title="Key chains with a name")


def _detail_row(document: DocumentRows, row: Row) -> list[Value]:
    def chains(numbers: Sequence[int]) -> str:
        return " ".join(f"R{document.response.places[number]}" for number in numbers)

    return [
        row.document,
        key_name(document, row),
        row.chain.type,
        row.size,
        " | ".join(" ".join(variant) for variant in row.chain.variants),
        chains(row.candidates),
        chains([] if row.best is None else [row.best]),
        row.best_size,
        row.overlap,
        *(row.f1, row.recall, row.precision),
        *(row.by_type[t] for t in MENTION_TYPES),
        chains(row.split),
        "yes" if row.shares_best else "no",
    ]


def key_name(document: DocumentRows, row: Row) -> str:
    """Return K1, K2, … as the chain stands in its file."""
    return f"K{document.key.places[row.chain.number]}"


def title(row: Row) -> str:
    """Return the longest name of a chain."""
    names = [" ".join(variant) for variant in row.chain.variants]
    return max(names, key=len, default="?")


def stories(system: NecSystem, key: Corpus, response: Corpus, most: int) -> list[str]:
    """Say which entities were not found, split, and combined, each with its name."""
    context = Context(key, response)
    return [
        *_listed("Not found", list(_not_found(system, context)), most),
        *_listed("Split over several chains", list(_split(system)), most),
        *_listed("Combined in one chain", list(_combined(system)), most),
    ]


def _listed(heading: str, items: Sequence[list[str]], most: int) -> list[str]:
    if not items:
        return []
    lines = ["", f"{heading}: {len(items)}"]
    for item in items[:most]:
        lines += [f"  {item[0]}", *(f"    {line}" for line in item[1:])]
    return [*lines, f"  … and {len(items) - most} more"] if len(items) > most else lines


def _not_found(system: NecSystem, context: Context) -> Iterator[list[str]]:
    for document in system.nec.documents:
        for row in document.rows:
            if _is_lost(row, system.nec):
                first = (row.chain.headed or row.chain.mentions)[0]
                size = "1 mention" if row.size == 1 else f"{row.size} mentions"
                yield [
                    f"“{title(row)}”, {row.chain.type}, {size} "
                    f"({key_name(document, row)} of {row.document})",
                    context.line(row.document, first),
                    *_whereabouts(document, row),
                ]


def _is_lost(row: Row, nec: Nec) -> bool:
    """Tell whether a key chain counts as not found."""
    return row.overlap == 0 if nec.options.not_found == "zero" else not row.candidates


def _whereabouts(document: DocumentRows, row: Row) -> Iterator[str]:
    """Say where most mentions of an entity that was not found are."""
    wanted = set(row.chain.mentions)
    common = [len(wanted.intersection(chain)) for chain in document.response.mentions]
    most = max(common, default=0)
    if most:
        place = document.response.places[common.index(most)]
        are = "1 of its mentions is" if most == 1 else f"{most} of its mentions are"
        yield f"{are} in R{place}, which does not have its name"


def _split(system: NecSystem) -> Iterator[list[str]]:
    for document in system.nec.documents:
        for row in document.rows:
            if len(row.split) > 1:
                where = ", ".join(f"R{document.response.places[n]}" for n in row.split)
                yield [
                    f"“{title(row)}”, {row.chain.type}: in {where} "
                    f"({key_name(document, row)} of {row.document})"
                ]


def _combined(system: NecSystem) -> Iterator[list[str]]:
    for document, number, rows in _combining(system.nec):
        names = ", ".join(f"“{title(row)}” ({key_name(document, row)})" for row in rows)
        yield [f"R{document.response.places[number]} of {document.name}: {names}"]


def _combining(nec: Nec) -> Iterator[tuple[DocumentRows, int, list[Row]]]:
    """Go through the response chains that have the names of several key chains, with these."""
    for document in nec.documents:
        by_number = {row.chain.number: row for row in document.rows}
        for number in range(len(document.response.places)):
            held = document.held(number)
            if len(held) > 1:
                yield document, number, [by_number[chain] for chain in sorted(held)]


def to_dict(
    result: NecResult,
    findings: Sequence[Finding] = (),
    *,
    with_detail: bool = False,
    tables: Sequence[str] = (),
) -> dict[str, Any]:
    """Return the result as the JSON contract has it."""
    record: dict[str, Any] = {
        "corefscope": __version__,
        "key": result.key,
        "systems": [_system_dict(system, with_detail) for system in result.systems],
        "findings": [finding.to_dict() for finding in findings],
    }
    if tables:
        record["tables"] = [table_dict(name, TABLES[name](result)) for name in tables]
    return record


def _system_dict(system: NecSystem, with_detail: bool) -> dict[str, Any]:
    nec = system.nec
    record: dict[str, Any] = {
        "name": system.name,
        "response": system.response,
        "signature": nec.signature,
        "heads": nec.heads,
        "types": {type: _type_dict(score) for type, score in nec.types.items()},
        "unmeasured": [{"tag": tag, "chains": n} for tag, n in nec.unmeasured.items()],
        "macro_f1": nec.macro_f1,
        "conll": nec.standard,
        "options": nec.options.to_dict(),
    }
    if with_detail:
        rows = ((document, row) for document in nec.documents for row in document.rows)
        record["detail"] = [_detail_dict(document, row, nec) for document, row in rows]
        record["combined"] = [
            {
                "document": document.name,
                "entity": f"R{document.response.places[number]}",
                "types": sorted(document.response_types[number]),
                "holds": [key_name(document, row) for row in rows],
            }
            for document, number, rows in _combining(nec)
        ]
    return record


def _detail_dict(document: DocumentRows, row: Row, nec: Nec) -> dict[str, Any]:
    """Return a key chain for JSON: the columns of the table, lists as lists."""

    def chains(numbers: Sequence[int]) -> list[str]:
        return [f"R{document.response.places[number]}" for number in numbers]

    names = (column.name for column in DETAIL[1:])
    return {
        **dict(zip(names, _detail_row(document, row), strict=True)),
        "names": [" ".join(variant) for variant in row.chain.variants],
        "candidates": chains(row.candidates),
        "best": None if row.best is None else chains([row.best])[0],
        "split": chains(row.split),
        "shared": row.shares_best,
        "found": not _is_lost(row, nec),
    }


def _type_dict(score: TypeScore) -> dict[str, Any]:
    return {
        "chains": score.chains,
        "f1": score.f1,
        "not_found": score.not_found,
        "zero_f1": score.zero_f1,
        "recall": score.recall,
        "precision": score.precision,
        "micro": dict(score.micro),
        "by_mention_type": {
            type.value: {"f1": f1, "chains": chains}
            for type, (f1, chains) in score.by_mention_type.items()
        },
        "over_split": _spread(score.over_split),
        "over_combined": _spread(score.over_combined),
        "conll": score.conll,
    }


def _spread(spread: Spread) -> dict[str, Any]:
    return {"chains": spread.chains, "rate": spread.rate, "excess": spread.excess}


CSV_COLUMNS = (
    *("system", "type", "chains", "f1", "not_found", "zero_f1", "recall", "precision"),
    *("micro_recall", "micro_precision", "micro_f1"),
    *("name_f1", "name_chains", "pronoun_f1", "pronoun_chains", "nominal_f1", "nominal_chains"),
    *("split_chains", "split_rate", "split_excess"),
    *("combined_chains", "combined_rate", "combined_excess", "conll"),
)


def as_nec_csv(result: NecResult) -> str:
    """Return one row per system and entity type, with all figures."""
    rows: list[list[Value]] = [
        [
            system.name,
            type,
            score.chains,
            *(score.f1, score.not_found, score.zero_f1, score.recall, score.precision),
            *(score.micro[name] for name in ("recall", "precision", "f1")),
            *(value for mention in MENTION_TYPES for value in score.by_mention_type[mention]),
            *(score.over_split.chains, score.over_split.rate, score.over_split.excess),
            *(score.over_combined.chains, score.over_combined.rate, score.over_combined.excess),
            score.conll,
        ]
        for system in result.systems
        for type, score in system.nec.types.items()
    ]
    return as_csv(CSV_COLUMNS, rows)
