"""The records of the native format: a document in each line, with its entities and mentions."""

from __future__ import annotations

from functools import cache
from typing import Annotated, Any, Literal, cast

from msgspec import UNSET, Struct, UnsetType, defstruct, field

from corefscope.corpus.columns import OwnColumn
from corefscope.corpus.copies import Copy
from corefscope.corpus.mentions import Span
from corefscope.extending import Registry
from corefscope.results.record import about


class NativeRecord(Struct, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """An object of the native format; what is not said of it is left out."""


class NativeBridge(NativeRecord, kw_only=True):
    """A link of a mention to another entity than its own."""

    entity: Annotated[int, about("the index of the entity in the document")]
    relation: str


class NativeMention(NativeRecord, kw_only=True):
    """A mention: a span, a span with gaps, or an id that is no span."""

    span: Annotated[Span | None, about("first and last token, from 0")] = None
    parts: list[Span] = field(default_factory=list)
    id: Any | UnsetType = UNSET
    head: int | None = None
    type: str | None = None
    level: str | None = None
    opening: Annotated[str, about("the opening bracket of a CorefUD file, without the bracket")] = (
        ""
    )
    bridges: list[NativeBridge] = field(default_factory=list)
    order: Annotated[int | None, about("its place in the document, if not that of the list")] = None

    @property
    def all_parts(self) -> tuple[Span, ...]:
        """Its parts, or the only one; none if it is an id."""
        return tuple(self.parts) if self.span is None else (self.span,)


class NativeEntity(NativeRecord, kw_only=True):
    """An entity."""

    label: str
    type: Annotated[str, about("the type of the entity in a CorefUD file")] = ""
    split_antecedents: Annotated[
        list[int], about("the indices of the entities that it consists of")
    ] = field(default_factory=list)
    mentions: list[NativeMention]


class NativeNode(NativeRecord, kw_only=True):
    """An empty node."""

    token: int
    id: Annotated[str, about("its number in the sentence, such as 3.1")]
    dependencies: str
    order: Annotated[
        int | None,
        about(
            "its place among the nodes after the same word, over sentences, if the file counts so"
        ),
    ] = None


class NativeAttribute(NativeRecord, kw_only=True):
    """Type and level of a span that is no mention."""

    span: Span
    type: str | None
    level: str | None


class NativeDocument(NativeRecord, kw_only=True):
    """A document in the native format, one per line."""

    corefscope: Annotated[str, about("the version of corefscope that wrote the line")]
    schema: Literal["corpus/1"]
    name: str
    is_unnamed: Annotated[
        bool, about("whether the name is that of a file, because the document has none")
    ] = False
    is_numbered: Annotated[
        bool, about("whether the name is only the number of the document in a file")
    ] = False
    topic: Annotated[
        str | None,
        about("the topic of a document whose entities may be in other documents, too"),
    ] = None
    namespace: Annotated[
        str | None,
        about(
            "entities of one label are the same in documents of one namespace; by default, of one "
            "topic"
        ),
    ] = None
    tokens: Annotated[int | None, about("the number of tokens; null if it is not known")]
    text: str | None = None
    characters: Annotated[
        list[Span] | None,
        about("begin and end of each token in the text, which may be absent"),
    ] = None
    sentences: Annotated[list[int], about("the number of tokens of each sentence")] = field(
        default_factory=list
    )
    layers: Annotated[
        dict[str, list[str]],
        about("one value per token, by layer; words are the tokens themselves"),
    ] = field(default_factory=dict)
    has_heads: Annotated[
        bool, about("whether the heads of mentions are known, even if no mention has one")
    ] = False
    empty_nodes: list[NativeNode] = field(default_factory=list)
    bracket_fields: Annotated[
        list[str] | None, about("the fields of the brackets of a CorefUD file")
    ] = None
    head_field: Annotated[
        str, about("the field of the brackets that the heads come from, if it is not head")
    ] = "head"
    entities: list[NativeEntity]
    attributes: list[NativeAttribute] = field(default_factory=list)
    copy: Copy | None = None


OWN_COLUMNS: Registry[type[OwnColumn]] = Registry("COLUMNS", type, (), lambda column: column.name)
"""The columns of extensions, whose records are fields of a document as well."""


def own_fields(document: NativeDocument) -> dict[str, object]:
    """Return the columns of extensions that a document has."""
    own = document.__struct_fields__[len(NativeDocument.__struct_fields__) :]
    found = {name: getattr(document, name) for name in own}
    return {name: record for name, record in found.items() if record is not UNSET}


@cache
def document_shape() -> type[NativeDocument]:
    """Return the record of a document with the columns of extensions."""
    own = [
        (name, column.shape | UnsetType, UNSET)
        for name, column in OWN_COLUMNS.with_others().items()
    ]
    made = cast(
        type[NativeDocument],
        defstruct("NativeDocument", own, bases=(NativeDocument,), kw_only=True),
    )
    made.__doc__ = NativeDocument.__doc__
    return made
