"""Tables of mentions and entities."""

from __future__ import annotations

import re

from corefscope.corpus.foreign import NAME_FIELDS
from corefscope.findings import Code, Finding
from corefscope.formats.detection import LOOK, Head, start
from corefscope.formats.registry import Format, Tier
from corefscope.formatting import counted

PARQUET = b"PAR1"
MENTION_COLUMNS = ("mention_id", "mention", "record_id", "id")
CLUSTER_COLUMNS = ("cluster_id", "cluster", "entity_id", "entity")
TABLE_COLUMNS = {*MENTION_COLUMNS, *CLUSTER_COLUMNS}
TOPIC_COLUMN = "topic"
DOCUMENT_COLUMNS = (*NAME_FIELDS, TOPIC_COLUMN)
NONE = ("", "-1", "-1.0", "nan", "null", "none")
"""Labels of rows without an entity."""
LINK_COLUMNS = (("id_a", "id_b", "same"), ("id_a", "id_b", "label"), ("id1", "id2", "same"))
"""The names of columns in tables of mentions."""
LONGEST_HEADER = 1000
SPAN_AND_CLUSTER = rb'(\d+-\d+)[\t,;]("?[^\s,;"()_*-][^\t,;"()]*"?)\s*'
"""A row of a table without a header; a coreference cell is no cluster."""


def left_out(rows: int, total: int, file: str) -> Finding:
    """Report rows without an entity."""
    found = f"{counted(rows, 'row')} of {total:,} without an entity left out"
    return Finding(Code.LEFT_OUT, found, expected="an entity in each row", file=file)


def is_pairs(head: Head) -> str | None:
    """Recognise a table with a header for mentions and clusters, or for pairs of mentions."""
    line = head.lines[0][:LONGEST_HEADER].decode(errors="replace").lower() if head.lines else ""
    names = {name.strip().strip('"') for name in re.split("[\t,;]", line)}
    if any(names >= set(columns) for columns in LINK_COLUMNS):
        return "columns for two mentions and whether they are the same"
    # With columns of other things beside them, 'id', 'mention' and 'entity' may be anything.
    is_all = names <= {*TABLE_COLUMNS, *DOCUMENT_COLUMNS}
    certain = is_all or all("_id" in name for name in names & TABLE_COLUMNS)
    if certain and names & set(MENTION_COLUMNS) and names & set(CLUSTER_COLUMNS):
        return "columns for a mention and its cluster"
    return "rows of a span and its cluster" if _has_spans_and_clusters(head) else None


def _has_spans_and_clusters(head: Head) -> bool:
    """Return whether all rows are a span and a cluster, and some cluster has several spans."""
    # The last line may be cut off.
    lines = head.lines[:-1] if len(head.data) == LOOK else head.lines
    rows = list(map(re.compile(SPAN_AND_CLUSTER).fullmatch, lines))
    found = [(row[1], row[2]) for row in rows if row]
    spans, clusters = {span for span, _ in found}, {cluster for _, cluster in found}
    is_complete = len(found) == len(rows) == len(spans)
    return is_complete and len(clusters) < len(spans)


FORMATS = (
    Format(
        name="tables",
        in_parts=True,
        title="Giant tables of mentions and entities: Parquet, CSV, TSV",
        module="corefscope.extensions.tables.tables",
        tier=Tier.BYTES,
        test=start("it begins with PAR1", PARQUET),
        endings=(".parquet", ".csv", ".tsv"),
        options=("mention", "entity"),
    ),
    Format(
        name="pairs",
        title="A table of mentions and clusters, or of pairs of mentions",
        module="corefscope.extensions.tables.pairs",
        tier=Tier.LINES,
        test=is_pairs,
        endings=(".tsv", ".csv"),
    ),
)
