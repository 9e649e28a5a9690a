"""The shape of a line in the native format."""

from __future__ import annotations

from typing import Annotated, Literal, NotRequired, TypeAlias, TypedDict

Json: TypeAlias = object
"""Any JSON value."""
Span: TypeAlias = list[int]
"""First and last token, from 0."""


class NativeBridge(TypedDict):
    """A link of a mention to another entity than its own."""

    entity: Annotated[int, "the index of the entity in the document"]
    relation: str


class NativeMention(TypedDict):
    """A mention: a span, a span with gaps, or an id that is no span."""

    span: NotRequired[Span]
    parts: NotRequired[list[Span]]
    id: NotRequired[Json]
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


class NativeMarkable(TypedDict):
    """A markable of Universal Anaphora."""

    id: str
    entity: str
    parts: list[Span]
    minimum: NotRequired[Span]
    element_of: NotRequired[list[str]]
    is_zero: NotRequired[bool]


class NativeFinding(TypedDict):
    """An error of a layer that the entities do not come from."""

    code: str
    message: str
    file: str | None
    line: int | None


class NativeLayer(TypedDict):
    """A layer of Universal Anaphora."""

    markables: list[NativeMarkable]
    bridges: Annotated[list[list[str]], "the ids of anaphor and anchor"]
    findings: NotRequired[list[NativeFinding]]


class NativeAnaphora(TypedDict):
    """What Universal Anaphora says beyond entities."""

    entities: Annotated[Literal["identity", "deixis"], "the layer that the entities come from"]
    identity: NativeLayer | None
    deixis: NativeLayer | None


class NativeAttribute(TypedDict):
    """Type and level of a span that is no mention."""

    span: Span
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
    entities: list[NativeEntity]
    attributes: NotRequired[list[NativeAttribute]]
    anaphora: NotRequired[NativeAnaphora]
