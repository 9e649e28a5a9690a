"""Anaphora beyond coreference, as Universal Anaphora annotates it.

A *markable* is a mention with an id of its own. Beside its entity it may have a minimum span, its
entity may be an element of plural entities (*split antecedents*: "Ann … Bob … they"), it may be
non-referring ("it rains"), and it may be a bridging anaphor ("the house … the roof").
The entities of a corpus hold the referring markables alone; what is here is for the scores that
need the rest.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Annotated, ClassVar, NamedTuple, get_args

from msgspec import UNSET, Struct, UnsetType, field
from msgspec.structs import asdict, replace

from corefscope.choices import Layer
from corefscope.corpus import Corpus
from corefscope.corpus.columns import IDENTITY, Axis, Before, OwnColumn, Selection, put
from corefscope.corpus.mentions import Span
from corefscope.extending import all_codes
from corefscope.findings import Finding
from corefscope.formats.reading.drafting import Unfit
from corefscope.results.record import Record, about

NON_REFERRING = "-Pseudo"
"""How the id of a non-referring entity ends."""


class Markable(NamedTuple):
    """A markable of a document."""

    id: str
    entity: str
    """The id of its entity in the document."""
    parts: tuple[Span, ...]
    """Its parts in the order in which they are opened; none if it is never closed."""
    minimum: Span | None = None
    """The minimum span: a response that is within the markable and covers it is accepted.

    It counts from 0: in version 1 of the scorer all tokens, in version 2 words without empty nodes.
    """
    element_of: tuple[str, ...] = ()
    """The entities of which its entity is an element."""
    is_zero: bool = False
    """Whether it stands on an empty node."""
    line: int | None = None


class MarkableColumns(Struct, frozen=True, eq=False, kw_only=True):
    """Markables in columns. Objects are made when they are looked at: few scores need them."""

    ids: Sequence[str]
    entities: Sequence[str]
    starts: Sequence[int]
    """The first token of each markable."""
    ends: Sequence[int | None]
    """The last token of each markable; None if it is never closed."""
    minima: Sequence[Span | None]
    zeros: Sequence[bool]
    lines: Sequence[int]
    parts: Mapping[int, tuple[Span, ...]] = field(default_factory=dict)
    """The parts of the markables that are opened more than once."""
    element_of: Mapping[int, tuple[str, ...]] = field(default_factory=dict)
    """The entities of which the entities of some markables are elements."""

    def __iter__(self) -> Iterator[Markable]:
        spans = zip(self.starts, self.ends, strict=True)
        parts: list[tuple[Span, ...]] = [
            () if end is None else ((start, end),) for start, end in spans
        ]
        elements: list[tuple[str, ...]] = [()] * len(parts)
        for number, several in self.parts.items():
            parts[number] = several
        for number, wholes in self.element_of.items():
            elements[number] = wholes
        columns = (self.ids, self.entities, parts, self.minima, elements, self.zeros, self.lines)
        return map(Markable, *columns)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Iterable) and tuple(self) == tuple(other)

    def __ne__(self, other: object) -> bool:
        return not self == other


class UaBridge(Struct, frozen=True):
    """A bridging anaphor and its anchor, as ids of markables."""

    anaphor: str
    anchor: str


class Markables(Struct, frozen=True):
    """One layer of a document: its markables in the order in which they are first opened."""

    markables: Iterable[Markable] = ()
    bridges: tuple[UaBridge, ...] = ()
    findings: tuple[Finding, ...] = ()
    """Errors of a layer that the entities of the corpus do not come from."""


# ---- Records of the native format ----


class MarkableRecord(Record, frozen=True, kw_only=True, omit_defaults=True):
    """A markable of Universal Anaphora."""

    id: str
    entity: str
    parts: tuple[Span, ...]
    minimum: Span | None = None
    element_of: tuple[str, ...] = ()
    is_zero: bool = False


class FindingOfLayer(Record, frozen=True, kw_only=True):
    """An error of a layer that the entities do not come from."""

    code: str
    message: str
    expected: Annotated[
        str | UnsetType, about("what was expected, with which the message ends")
    ] = UNSET
    file: str | None
    line: int | None


class LayerRecord(Record, frozen=True, kw_only=True, omit_defaults=True):
    """A layer of Universal Anaphora."""

    markables: list[MarkableRecord]
    bridges: Annotated[Sequence[tuple[str, str]], about("the ids of anaphor and anchor")]
    findings: list[FindingOfLayer] = field(default_factory=list)


class AnaphoraRecord(Record, frozen=True, kw_only=True):
    """What Universal Anaphora says beyond entities."""

    entities: Annotated[Layer, about("the layer that the entities come from")]
    identity: LayerRecord | None
    deixis: LayerRecord | None


class Anaphora(OwnColumn, Struct, frozen=True):
    """What the documents of a corpus say about anaphora, by layer."""

    name: ClassVar[str] = "anaphora"
    shape: ClassVar[type] = AnaphoraRecord

    layers: Mapping[Layer, Sequence[Markables | None]]
    """One item per document; None where its format knows nothing of this."""
    layer: Layer = IDENTITY
    """The layer that the entities of the corpus come from."""

    def selected(self, selection: Selection) -> Anaphora:
        """Return what some documents say."""
        if selection.document is None:
            return self
        rows = selection.document.tolist()
        layers = {layer: [many[row] for row in rows] for layer, many in self.layers.items()}
        return Anaphora(layers, self.layer)

    @classmethod
    def concatenated(
        cls, blocks: Sequence[tuple[Before, Anaphora]], sizes: Mapping[Axis, int]
    ) -> Anaphora:
        """Put together what several parts of a corpus say."""
        layers: dict[Layer, list[Markables | None]] = {
            layer: [None] * sizes["document"] for layer in get_args(Layer)
        }
        for before, given in blocks:
            for layer, markables in given.layers.items():
                put(markables, layers[layer], before.document)
        return cls(layers, blocks[-1][1].layer)

    def record(self, document: int) -> AnaphoraRecord | None:
        """Return what the native format says of a document; None if nothing."""
        known = {layer: many[document] for layer, many in self.layers.items()}
        identity, deixis = known.get("identity"), known.get("deixis")
        if identity is None and deixis is None:
            return None
        return AnaphoraRecord(
            entities=self.layer,
            identity=None if identity is None else _layer_record(identity),
            deixis=None if deixis is None else _layer_record(deixis),
        )

    @classmethod
    def of_record(cls, record: AnaphoraRecord, nodes: Collection[int]) -> Anaphora:
        """Return what a record of one document says, given the tokens that are empty nodes."""
        layers: dict[Layer, list[Markables | None]] = {}
        if record.identity is not None:
            layers["identity"] = [_read_layer(record.identity, nodes)]
        if record.deixis is not None:
            layers["deixis"] = [_read_layer(record.deixis, nodes)]
        return cls(layers, record.entities)

    def only_here(self, document: int) -> Iterator[str]:
        """Yield the markables that are more than a mention of an entity."""
        for layer, documents in self.layers.items():
            known = documents[document] or Markables()
            anaphors = {bridge.anaphor for bridge in known.bridges}
            for markable in known.markables:
                is_more = markable.element_of or markable.minimum is not None
                is_more = is_more or markable.entity.endswith(NON_REFERRING)
                if is_more or layer != self.layer or markable.id in anaphors:
                    yield f"markable {markable.id}"


def anaphora_of(corpus: Corpus) -> Anaphora | None:
    """Return what a corpus says beyond entities; None if its format has no place for that."""
    found = corpus.own.get(Anaphora.name)
    return found if isinstance(found, Anaphora) else None


def _layer_record(layer: Markables) -> LayerRecord:
    return LayerRecord(
        markables=list(map(_markable_record, layer.markables)),
        bridges=[(bridge.anaphor, bridge.anchor) for bridge in layer.bridges],
        findings=[
            FindingOfLayer(
                code=finding.code.id,
                message=finding.message,
                expected=UNSET if finding.expected is None else finding.expected,
                file=finding.file,
                line=finding.line,
            )
            for finding in layer.findings
        ],
    )


def _markable_record(markable: Markable) -> MarkableRecord:
    own = markable._asdict()
    del own["line"]
    return MarkableRecord(**own)


def _read_layer(layer: LayerRecord, nodes: Collection[int]) -> Markables:
    return Markables(
        tuple(_read_markable(each, nodes) for each in layer.markables),
        tuple(UaBridge(anaphor, anchor) for anaphor, anchor in layer.bridges),
        tuple(map(_read_finding, layer.findings)),
    )


def _read_markable(markable: MarkableRecord, nodes: Collection[int]) -> Markable:
    # Loaded here because few files are native.
    from corefscope.formats.native.reading import check_span

    where = f"markable {markable.id!r}"
    for part in (*markable.parts, *filter(None, [markable.minimum])):
        check_span(part, None, where)
    is_at_node = any(first in nodes for first, _ in markable.parts[:1])
    if markable.is_zero and not is_at_node:
        found = f"{where} is a zero at {list(map(list, markable.parts))}"
        raise Unfit(found, expected="an empty node")
    return Markable(**asdict(markable))


def _read_finding(finding: FindingOfLayer) -> Finding:
    codes = all_codes()
    if finding.code not in codes:
        raise Unfit(f"there is no code {finding.code!r}", expected="one of corefscope")
    ending = Finding(codes[finding.code], "", expected=finding.expected or None)
    found = finding.message.removesuffix(ending.message)
    return replace(ending, found=found, file=finding.file, line=finding.line)


COLUMNS = (Anaphora,)
