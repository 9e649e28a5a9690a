"""The shape of a line in the native format."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import (
    Annotated,
    Literal,
    NotRequired,
    TypeAlias,
    TypedDict,
    cast,
    get_type_hints,
)

from corefscope.corpus.columns import OwnColumn
from corefscope.extending import Registry

NativeJson: TypeAlias = object
"""Any JSON value."""
NativeSpan: TypeAlias = list[int]
"""First and last token, from 0."""


class NativeBridge(TypedDict):
    """A link of a mention to another entity than its own."""

    entity: Annotated[int, "the index of the entity in the document"]
    relation: str


class NativeMention(TypedDict):
    """A mention: a span, a span with gaps, or an id that is no span."""

    span: NotRequired[NativeSpan]
    parts: NotRequired[list[NativeSpan]]
    id: NotRequired[NativeJson]
    head: NotRequired[int]
    type: NotRequired[str]
    level: NotRequired[str]
    opening: NotRequired[
        Annotated[str, "the opening bracket of a CorefUD file, without the bracket"]
    ]
    bridges: NotRequired[list[NativeBridge]]
    order: NotRequired[
        Annotated[
            int,
            "its place in the document, if not that of the list",
        ]
    ]


class NativeEntity(TypedDict):
    """An entity."""

    label: str
    type: NotRequired[Annotated[str, "the type of the entity in a CorefUD file"]]
    split_antecedents: NotRequired[
        Annotated[list[int], "the indices of the entities that it consists of"]
    ]
    mentions: list[NativeMention]


class NativeNode(TypedDict):
    """An empty node."""

    token: int
    id: Annotated[str, "its number in the sentence, such as 3.1"]
    dependencies: str
    order: NotRequired[
        Annotated[
            int,
            "its place among the nodes after the same word, over sentences, if the file counts so",
        ]
    ]


class NativeWindows(TypedDict):
    """How the windows of a document were put together."""

    count: int
    joined: Annotated[int, "entities of a window that are also in windows before it"]
    conflicts: Annotated[int, "mentions on which two windows disagree"]


class NativeCopy(TypedDict):
    """What is known of a document that a language model wrote: a copy with tags, or strings."""

    style: Annotated[str, "how mentions are tagged, such as markdown; strings; or none"]
    opened: int
    closed: int
    foreign: NotRequired[Annotated[int, "tags that do not mark mentions, such as <b>"]]
    dropped: NotRequired[Annotated[dict[str, int], "tags that mark no mention, by reason"]]
    undecided: NotRequired[
        Annotated[list[list[int]], "begin and end in the text of tags that are never closed"]
    ]
    nameless: NotRequired[
        Annotated[list[list[int]], "begin and end in the text of tags that name no entity"]
    ]
    asides: NotRequired[
        Annotated[list[list[int]], "begin and end of what is no part of the copied text"]
    ]
    cut_off: NotRequired[
        Annotated[bool, "whether it is JSON that is cut off, of which what is complete was read"]
    ]
    antecedent_not_found: NotRequired[
        Annotated[int, "mentions that name an antecedent which no mention before is"]
    ]
    windows: NotRequired[NativeWindows]


class NativeAttribute(TypedDict):
    """Type and level of a span that is no mention."""

    span: NativeSpan
    type: str | None
    level: str | None


class NativeDocument(TypedDict):
    """A document in the native format, one per line."""

    corefscope: Annotated[str, "the version of corefscope that wrote the line"]
    schema: Literal["corpus/1"]
    name: str
    is_unnamed: NotRequired[
        Annotated[bool, "whether the name is that of a file, because the document has none"]
    ]
    is_numbered: NotRequired[
        Annotated[bool, "whether the name is only the number of the document in a file"]
    ]
    topic: NotRequired[
        Annotated[str, "the topic of a document whose entities may be in other documents, too"]
    ]
    namespace: NotRequired[
        Annotated[
            str,
            "entities of one label are the same in documents of one namespace; by default, of one "
            "topic",
        ]
    ]
    tokens: Annotated[int | None, "the number of tokens; null if it is not known"]
    text: NotRequired[str]
    characters: NotRequired[
        Annotated[
            list[list[int]],
            "begin and end of each token in the text, which may be absent",
        ]
    ]
    sentences: NotRequired[Annotated[list[int], "the number of tokens of each sentence"]]
    layers: NotRequired[
        Annotated[
            dict[str, list[str]], "one value per token, by layer; words are the tokens themselves"
        ]
    ]
    has_heads: NotRequired[
        Annotated[bool, "whether the heads of mentions are known, even if no mention has one"]
    ]
    empty_nodes: NotRequired[list[NativeNode]]
    bracket_fields: NotRequired[
        Annotated[list[str], "the fields of the brackets of a CorefUD file"]
    ]
    head_field: NotRequired[
        Annotated[str, "the field of the brackets that the heads come from, if it is not head"]
    ]
    entities: list[NativeEntity]
    attributes: NotRequired[list[NativeAttribute]]
    copy: NotRequired[NativeCopy]


OWN_COLUMNS: Registry[type[OwnColumn]] = Registry("COLUMNS", type, (), lambda column: column.name)
"""The columns of extensions, whose records are fields of a document as well."""


def own_fields(document: Mapping[str, object]) -> list[str]:
    """Return the fields of a document that are no columns of all formats."""
    return [name for name in document if name not in NativeDocument.__annotations__]


@cache
def document_shape() -> type:
    """Return the shape of a document, with the columns of extensions."""
    own = {name: NotRequired[column.shape] for name, column in OWN_COLUMNS.with_others().items()}
    fields = {**get_type_hints(NativeDocument, include_extras=True), **own}
    shape = TypedDict("NativeDocument", fields)  # type: ignore[misc]
    shape.__doc__ = NativeDocument.__doc__
    return cast(type, shape)
