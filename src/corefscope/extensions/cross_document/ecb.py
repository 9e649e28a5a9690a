"""ECB+ XML: one file per document, one folder per topic.

ECB+ annotates events and entities across news texts about the same topic. Each `token` has a
number, and each element in `Markables` that has `token_anchor` elements is a mention; its name is
its type. A `CROSS_DOC_COREF` or `INTRA_DOC_COREF` element in `Relations` links mentions (`source`)
to what they refer to (`target`). Relations whose names do not contain *COREF*, such as `PLOT_LINK`,
are not read; they are reported with their counts (`W160`).

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

from collections import Counter
from collections.abc import Iterator
from itertools import groupby
from xml.etree.ElementTree import Element

from corefscope.corpus.offsets import DEFAULT
from corefscope.exceptions import UnknownName
from corefscope.findings import Code, Finding
from corefscope.formats.reading.draft import Draft, DraftMention, Mentions, places_of
from corefscope.formats.reading.file import File, FindingReporter
from corefscope.formats.reading.options import Reading
from corefscope.formats.reading.relations import counted
from corefscope.formats.reading.whole_files import read_whole
from corefscope.formats.reading.xml_trees import (
    contents,
    lines_of,
    numbers_by_id,
    parsed_xml,
    values,
)

EVENT = ("ACTION", "NEG_ACTION")
LEVELS = ("events", "entities")
COREF = "COREF"
"""A part of the names of relations that mean identity."""


def read(file: File) -> None:
    """Read the document of a file into the corpus."""
    if file.options.level not in (None, *LEVELS):
        raise UnknownName("level of ECB+", str(file.options.level), LEVELS)
    read_whole(file, _drafts)


class _OtherRelations:
    """Counts relations that are not coreference."""

    def __init__(self, reading: Reading) -> None:
        self.counts: Counter[str] = Counter()

    def findings(self) -> Iterator[Finding]:
        """Yield what to report."""
        if self.counts:
            yield Finding(
                Code.OTHER_RELATIONS,
                f"relations whose names do not contain {COREF} are not read: "
                f"{counted(self.counts)}",
                expected=(
                    "names such as CROSS_DOC_COREF for relations between mentions of one entity: "
                    "rename those that are"
                ),
            )


def _drafts(file: File, data: bytes) -> Iterator[Draft]:
    report = file.report
    root = parsed_xml(data, report)
    if root is None:
        return
    annotations = _Annotations(root, data, report)
    annotations.report_missing_relations(root)
    file.tally(_OtherRelations).counts.update(annotations.others)
    folder = "" if file.source.path is None else file.source.path.absolute().parent.name
    tokens = annotations.tokens
    name = root.get("doc_name") or None
    yield Draft(
        name=name,
        words=contents(tokens),
        sentences=[len(list(group)) for _, group in groupby(values(tokens, "sentence"))],
        mentions=Mentions.of(annotations.entities(name, file.options.level)),
        convention=DEFAULT,
        topic=folder,
        namespace="",
        line=annotations.lines[root],
    )


class _Annotations:
    """The tokens, mentions and relations of a document."""

    def __init__(self, root: Element, data: bytes, report: FindingReporter) -> None:
        self.report = report
        self.tokens = list(root.iter("token"))
        self.numbers = numbers_by_id(self.tokens, "t_id", root, data, report)
        """The number of each token by its id."""
        self.markables = [each for part in root.iterfind("Markables") for each in part]
        relations = [each for part in root.iterfind("Relations") for each in part]
        self.relations = [each for each in relations if COREF in each.tag.upper()]
        self.others = [each.tag for each in relations if COREF not in each.tag.upper()]
        """The names of relations that are not read."""
        related = [each for relation in self.relations for each in relation.iter()]
        self.lines = lines_of([root, *self.markables, *related], root, data)
        self.by_id = dict(zip(values(self.markables, "m_id"), self.markables, strict=True))

    def report_missing_relations(self, root: Element) -> None:
        """Report mentions in a file that has no place for relations, not even an empty one."""
        if self.markables and root.find("Relations") is None:
            self.report(
                Code.UNLINKED,
                "there is no element <Relations>",
                self.lines[self.markables[0]],
                expected="it, even if it is empty: each mention is an entity of its own",
            )

    def entities(self, name: str | None, level: str | None) -> dict[str, list[DraftMention]]:
        """Return the entities of a document, which may also be entities of other documents."""
        document = name or self.report.file
        mentions = self._mentions(level)
        chains: dict[str, list[str]] = {}
        for relation in self.relations:
            label = self._label(relation, document)
            for id in self._sources(relation):
                if id in mentions:
                    chains.setdefault(label, []).append(id)
        used = {id for ids in chains.values() for id in ids}
        chains |= {f"{document}#m{id}": [id] for id in mentions if id not in used}
        return {label: [mentions[id] for id in ids] for label, ids in chains.items()}

    def _label(self, relation: Element, document: str) -> str:
        """Return the label of an entity; it is the same in all documents if it spans several."""
        target = relation.find("target")
        instance = None if target is None else self.by_id.get(target.get("m_id", ""))
        across = "" if instance is None else instance.get("instance_id", "")
        note = relation.get("note", "")
        if across and note and across != note:
            self.report(
                Code.OTHER_RELATIONS,
                f"the relation has the note {note!r}, but its target has the instance_id "
                f"{across!r}",
                self.lines[relation],
                expected="the same entity: that of the target is read",
            )
        across = across or note
        if relation.tag.upper().startswith("CROSS_DOC") and across:
            return across
        return f"{document}#r{relation.get('r_id') or self.lines[relation]}"

    def _sources(self, relation: Element) -> Iterator[str]:
        """Yield the ids of the markables that a relation links."""
        for source in relation:
            id = source.get("m_id", "")
            if source.tag == "source" and id in self.by_id:
                yield id
            elif source.tag == "source":
                self.report(
                    Code.BAD_LINE,
                    f"the source {id!r} of a relation is no markable",
                    self.lines[source],
                    expected="one",
                )
            elif source.tag != "target":
                self.report(
                    Code.BAD_LINE,
                    f"found <{source.tag}> in a relation",
                    self.lines[source],
                    expected="<source> or <target>",
                )

    def _mentions(self, level: str | None) -> dict[str, DraftMention]:
        """Return the mentions by id; markables without anchors are what mentions refer to."""
        tokens = self.numbers
        mentions: dict[str, DraftMention] = {}
        for markable in self.markables:
            type, id = markable.tag, markable.get("m_id", "")
            named = [part.get("t_id", "") for part in markable if part.tag == "token_anchor"]
            others = [part.tag for part in markable if part.tag != "token_anchor"]
            if others:
                self.report(
                    Code.BAD_LINE,
                    f"found <{others[0]}> in markable {id!r}",
                    self.lines[markable],
                    expected="<token_anchor>",
                )
            is_reference = id and not named
            if is_reference or level not in (None, LEVELS[not type.startswith(EVENT)]):
                continue
            line = self.lines[markable]
            unknown = [token for token in named if token not in tokens]
            if unknown:
                self.report(
                    Code.BAD_LINE,
                    f"markable {id!r} is anchored at token {unknown[0]!r}",
                    line,
                    expected="the t_id of a token",
                )
            elif not named or id in mentions:
                self.report(
                    Code.BAD_LINE,
                    f"markable {id!r} has no anchor, or was there before",
                    line,
                    expected="one of each m_id",
                )
            else:
                if len(set(named)) < len(named):
                    self.report(
                        Code.IRREGULAR,
                        f"markable {id!r} has an anchor twice",
                        line,
                        expected="each token once",
                    )
                places = places_of(tokens[token] for token in named)
                mentions[id] = DraftMention(places=places, type=type, line=line)
        return mentions
