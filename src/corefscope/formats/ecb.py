"""ECB+ XML: one file per document, one folder per topic.

ECB+ annotates events and entities across news texts about the same topic. Each `token` has a
number, and each element in `Markables` that has `token_anchor` elements is a mention; its name is
its type. A `CROSS_DOC_COREF` or `INTRA_DOC_COREF` element in `Relations` links mentions (`source`)
to what they refer to (`target`).

- The name of a document is its `doc_name`, and its topic is the folder of the file. Entities with
  mentions in several documents have the same label in all of them: the `instance_id` of the target.
  An entity of one document is named after the document and the number of the relation, so that
  labels never clash.
- Each document is scored on its own; entities that span several documents are reported (`W163`).
- A mention that no relation names is an entity of one mention.
- Mentions may have gaps.
- Events and entities are read. `ecb:level=events` or `ecb:level=entities` reads one of them. Events
  are the mentions whose type begins with `ACTION` or `NEG_ACTION`.
- The first sentence of many files is a web address. It is kept.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from itertools import groupby

from corefscope.corpus.offsets import DEFAULT
from corefscope.exceptions import UnknownName
from corefscope.findings import Code
from corefscope.formats.builder import Builder
from corefscope.formats.draft import Draft, DraftEntity, DraftMention, places_of
from corefscope.formats.options import ReadingOptions
from corefscope.formats.source import Progress, Source
from corefscope.formats.whole_files import Report, read_whole
from corefscope.formats.xml_elements import Elements, Places, parsed_xml

EVENT = ("ACTION", "NEG_ACTION")
LEVELS = ("events", "entities")


def read(
    source: Source, builder: Builder, options: ReadingOptions, progress: Progress | None = None
) -> None:
    """Read the document of a file into the builder."""
    if options.level not in (None, *LEVELS):
        raise UnknownName("level of ECB+", str(options.level), LEVELS)
    topic = "" if source.path is None else source.path.absolute().parent.name
    read_whole(source, builder, progress, partial(_drafts, options, topic))


def _drafts(options: ReadingOptions, topic: str, data: bytes, report: Report) -> Iterator[Draft]:
    elements = _parsed(data, report)
    if elements is None:
        return
    tokens = elements.named("token")
    sentences = groupby(elements.values("sentence", tokens))
    name = elements.value("doc_name", 0) or None
    yield Draft(
        name=name,
        words=elements.stripped(tokens),
        sentences=[len(list(group)) for _, group in sentences],
        entities=_entities(elements, name or report.file, options.level, report),
        convention=DEFAULT,
        topic=topic,
        line=elements.lines[0],
    )


def _parsed(data: bytes, report: Report) -> Elements | None:
    """Return the elements of a file, with the lines of those that may be reported."""
    elements = parsed_xml(data, report, _has_line)
    if elements is None:
        return None
    markables, relations = elements.parts("Markables", "Relations")
    astray = [("token", markables), ("token", relations), ("token_anchor", relations)]
    if 0 in elements.lines and not any(len(elements.named(*each)) for each in astray):
        return elements
    return parsed_xml(data, report, lambda _: True)


def _has_line(name: str) -> bool:
    """Return whether the lines of some elements are needed: all but those that are many."""
    return name not in ("token", "token_anchor")


def _entities(
    elements: Elements, document: str, level: str | None, report: Report
) -> list[DraftEntity]:
    part, relations = elements.parts("Markables", "Relations")
    markables = elements.others(part, "token_anchor")
    mentions = _mentions(elements, part, markables, level, report)
    places = dict(zip(elements.values("m_id", markables), markables.tolist(), strict=True))
    chains: dict[str, list[str]] = {}
    for label, sources in _relations(elements, relations, places, document):
        for source in sources:
            id = elements.value("m_id", source)
            if id not in places:
                message = f"the source {id!r} of a relation is no markable; expected one"
                report(Code.UNKNOWN_REFERENCE, message, elements.lines[source])
            elif id in mentions:
                chains.setdefault(label, []).append(id)
    used = {id for ids in chains.values() for id in ids}
    chains |= {f"{document}#m{id}": [id] for id in mentions if id not in used}
    return [
        DraftEntity(label=label, mentions=[mentions[id] for id in ids])
        for label, ids in chains.items()
    ]


def _relations(
    elements: Elements, part: range, markables: Mapping[str, int], document: str
) -> Iterator[tuple[str, list[int]]]:
    """Yield the label of each relation, and its sources.

    The label of an entity is the same in all documents if it spans several.
    """
    relations = elements.others(part, "source", "target")
    sources, targets = (elements.following(name, relations, part) for name in ("source", "target"))
    for relation, own, named in zip(relations.tolist(), sources, targets, strict=True):
        instance = markables.get(elements.value("m_id", named[0])) if named else None
        across = elements.value("instance_id", instance) if instance is not None else ""
        across = across or elements.value("note", relation)
        if elements.tag(relation).startswith("CROSS_DOC") and across:
            yield across, own
        else:
            id = elements.value("r_id", relation) or elements.lines[relation]
            yield f"{document}#r{id}", own


def _mentions(
    elements: Elements, part: range, markables: Places, level: str | None, report: Report
) -> dict[str, DraftMention]:
    """Return the mentions by id; markables without anchors are what mentions refer to."""
    ids = elements.values("t_id", elements.named("token"))
    tokens = {id: number for number, id in enumerate(ids)}
    mentions: dict[str, DraftMention] = {}
    all_anchors = elements.following("token_anchor", markables, part)
    for markable, anchors in zip(markables.tolist(), all_anchors, strict=True):
        type, id = elements.tag(markable), elements.value("m_id", markable)
        is_reference = id and not anchors
        if is_reference or level not in (None, LEVELS[not type.startswith(EVENT)]):
            continue
        line = elements.lines[markable]
        named = [elements.value("t_id", anchor) for anchor in anchors]
        unknown = [token for token in named if token not in tokens]
        if unknown:
            message = (
                f"markable {id!r} is anchored at token {unknown[0]!r}; expected the t_id of a token"
            )
            report(Code.UNKNOWN_REFERENCE, message, line)
        elif not anchors or id in mentions:
            message = (
                f"markable {id!r} has no anchor, or was there before; expected one of each m_id"
            )
            report(Code.BAD_LINE, message, line)
        else:
            places = places_of(tokens[token] for token in named)
            mentions[id] = DraftMention(places=places, type=type, line=line)
    return mentions
