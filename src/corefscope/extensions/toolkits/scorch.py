"""JSON of scorch: clusters of mention ids, or mentions and links between them.

A file is one document, which is named after the file. `{"type": "clusters", "clusters": {…}}` has
the mentions of each entity; `{"type": "graph", "mentions": […], "links": [[…, …], …]}` has links,
and mentions that are linked, directly or not, are one entity.

- A mention is any JSON value that is no object. Both sides must use the same ids.
- If the other side has token spans, ids such as `3-7` are spans, from the first to the last token.
  scorch's own converter writes `0.3-7`, with the number of a block before the span.
"""

from __future__ import annotations

import reprlib
from collections.abc import Hashable
from typing import Any

from corefscope.formats.clusters import ClustersOnly, hashable, read_document
from corefscope.formats.reading.drafting import Unfit, numbered
from corefscope.formats.reading.file import File
from corefscope.formats.reading.links import linked
from corefscope.formats.reading.records import records
from corefscope.formats.reading.shapes import list_of, object_of


def read(file: File) -> None:
    """Read all documents of a file into the corpus."""
    for name, record in numbered(records(file), file.source.stem):
        try:
            labels, entities = _entities(record.value, file.source.limits.nesting)
        except Unfit as error:
            file.report.add(error.finding, record.line)
        else:
            document = ClustersOnly(name, entities, labels, is_named=False)
            read_document(document, file.builder, file.source)


def _entities(record: Any, levels: int) -> tuple[list[str] | None, list[list[Any]]]:
    """Return the labels of entities, if they have some, and their mentions."""
    fields = object_of(record)
    match fields.get("type"):
        case "clusters":
            clusters = fields.get("clusters")
            if isinstance(clusters, list):
                clusters = {str(number): entity for number, entity in enumerate(clusters)}
            named = object_of(clusters)
            entities = [list_of(named, label, "a list of mentions") for label in named]
            return list(named), entities
        case "graph":
            return None, _linked(fields, levels)
        case other:
            raise Unfit(f"'type' is {other!r}", expected="'clusters' or 'graph'")


def _linked(record: dict[str, Any], levels: int) -> list[list[Any]]:
    mentions = [
        _id(mention, levels) for mention in list_of(record, "mentions", "a list of mentions")
    ]
    known = set(mentions)
    links = []
    for link in list_of(record, "links", "a list of pairs of mentions"):
        if not isinstance(link, list) or len(link) != 2:
            raise Unfit(f"link {reprlib.repr(link)}", expected="two mentions")
        one, other = (_id(mention, levels) for mention in link)
        if one not in known or other not in known:
            raise Unfit(f"link {reprlib.repr(link)}", expected="two of the mentions in 'mentions'")
        links.append((one, other))
    return [list(map(_value, entity)) for entity in linked(mentions, links)]


def _id(mention: Any, levels: int) -> Hashable:
    try:
        return hashable(mention, levels)
    except TypeError:
        shown = reprlib.repr(mention)
        raise Unfit(f"mention {shown}", expected="a string, a number or a list") from None
    except RecursionError:
        raise Unfit("a mention is nested too deeply", expected="a string or a number") from None


def _value(id: Hashable) -> Any:
    """Return an id as JSON has it."""
    return list(map(_value, id)) if isinstance(id, tuple) else id
