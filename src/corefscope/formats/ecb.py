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

from corefscope.corpus.offsets import DEFAULT
from corefscope.exceptions import UnknownName
from corefscope.findings import Code
from corefscope.formats.builder import Builder
from corefscope.formats.draft import Draft, DraftEntity, DraftMention, places_of
from corefscope.formats.options import ReadingOptions
from corefscope.formats.source import Progress, Source
from corefscope.formats.whole_files import Report, read_whole
from corefscope.formats.xml_tree import Element, parsed_xml

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
    root = parsed_xml(data, report)
    if root is None:
        return
    tokens = list(root.all("token"))
    sentences: list[int] = []
    before = None
    for token in tokens:
        if not sentences or token.get("sentence") != before:
            sentences.append(0)
            before = token.get("sentence")
        sentences[-1] += 1
    name = root.get("doc_name") or None
    yield Draft(
        name=name,
        words=[token.text.strip() for token in tokens],
        sentences=sentences,
        entities=_entities(root, name or report.file, options.level, report),
        convention=DEFAULT,
        topic=topic,
        line=root.line,
    )


def _entities(root: Element, document: str, level: str | None, report: Report) -> list[DraftEntity]:
    mentions = _mentions(root, level, report)
    markables = {markable.get("m_id"): markable for markable in root.inside("Markables")}
    labels: dict[str, list[str]] = {}
    for relation in root.inside("Relations"):
        label = _label(relation, markables, document)
        for source in relation.all("source"):
            id = source.get("m_id") or ""
            if id not in markables:
                message = f"the source {id!r} of a relation is no markable; expected one"
                report(Code.UNKNOWN_REFERENCE, message, source.line)
            elif id in mentions:
                labels.setdefault(label, []).append(id)
    used = {id for ids in labels.values() for id in ids}
    labels |= {f"{document}#m{id}": [id] for id in mentions if id not in used}
    return [
        DraftEntity(label=label, mentions=[mentions[id] for id in ids])
        for label, ids in labels.items()
    ]


def _mentions(root: Element, level: str | None, report: Report) -> dict[str, DraftMention]:
    """Return the mentions by id; markables without anchors are what mentions refer to."""
    tokens = {token.get("t_id"): number for number, token in enumerate(root.all("token"))}
    mentions: dict[str, DraftMention] = {}
    for markable in root.inside("Markables"):
        is_event = markable.tag.startswith(EVENT)
        if markable.children and (level is None or is_event == (level == "events")):
            _add_mention(mentions, markable, tokens, report)
    return mentions


def _label(relation: Element, markables: Mapping[str | None, Element], document: str) -> str:
    """Return the label of an entity, which is the same in all documents if it spans several."""
    target = relation.first("target")
    instance = markables.get(target.get("m_id")) if target else None
    across = (instance.get("instance_id") if instance else None) or relation.get("note")
    if relation.tag.startswith("CROSS_DOC") and across:
        return across
    return f"{document}#r{relation.get('r_id') or relation.line}"


def _add_mention(
    mentions: dict[str, DraftMention],
    markable: Element,
    tokens: Mapping[str | None, int],
    report: Report,
) -> None:
    id = markable.get("m_id") or ""
    anchors = [anchor.get("t_id") for anchor in markable.all("token_anchor")]
    unknown = [anchor for anchor in anchors if anchor not in tokens]
    if unknown:
        message = (
            f"markable {id!r} is anchored at token {unknown[0]!r}; expected the t_id of a token"
        )
        report(Code.UNKNOWN_REFERENCE, message, markable.line)
    elif not anchors or id in mentions:
        message = f"markable {id!r} has no anchor, or was there before; expected one of each m_id"
        report(Code.BAD_LINE, message, markable.line)
    else:
        mentions[id] = DraftMention(
            places=places_of(tokens[anchor] for anchor in anchors),
            type=markable.tag,
            line=markable.line,
        )
