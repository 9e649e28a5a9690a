"""What a user can say about how to read a format, after its name: ``jsonl:base=1``."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING, Literal, TypeAlias, cast, get_args

from msgspec import Struct
from msgspec.structs import replace

from corefscope.choices import HeadSource, Layer
from corefscope.corpus.offsets import DEFAULT, Base, Convention, Ends, Suggestion, Unit
from corefscope.exceptions import UnknownName

if TYPE_CHECKING:
    from corefscope.formats.conll.columns import ConllColumns

Role: TypeAlias = Literal["key", "response"]
RepeatedNames: TypeAlias = Literal["error", "join"]
IdScope: TypeAlias = Literal["document", "corpus"]
"""Where the names of entities hold: in their document, or in all documents."""


class ReadingOptions(Struct, frozen=True, kw_only=True):
    """How to read a file; None where the format decides."""

    clusters: str | None = None
    """The field of a JSON format that has the clusters."""
    base: Base | None = None
    ends: Ends | None = None
    unit: Unit | None = None
    head: HeadSource = "file"
    """Where the heads of mentions come from in CorefUD."""
    names: RepeatedNames = "error"
    """Whether neighbouring CorefUD documents of one name are one document."""
    layer: Layer = "identity"
    """Which entities of Universal Anaphora to read."""
    relations: tuple[str, ...] = ()
    """The relations of an annotation tool that mean identity."""
    types: tuple[str, ...] = ()
    """The types of annotations that are mentions, linked or not."""
    level: str | None = None
    """The level of MMAX2 that has the mentions."""
    attribute: str | None = None
    """The attribute of MMAX2 that names the entity of a mention."""
    mention: str | None = None
    """The column of a giant table that has the mentions."""
    entity: str | None = None
    """The column of a giant table that has the entities."""
    annotator: str | None = None
    """Whose annotation of a text to read, if there are several."""
    tags: tuple[str, str] | None = None
    """The opening and the closing tag of tagged text, one of which has ``{id}``."""
    documents: str | None = None
    """What tells the documents of a cross-document file apart."""
    ids: IdScope = "document"
    """Where the names of entities hold, if the format does not say that they hold elsewhere."""
    by_document: bool = False
    """Whether cross-document files are taken apart, unless ``documents`` says otherwise."""
    columns: ConllColumns | None = None
    """The columns of CoNLL files."""
    usual: Convention = DEFAULT
    """How the format counts positions, as the registry says."""
    role: Role | None = None
    """Whether the file is read as a key or as a response, if it may be both."""
    is_answer: bool = False
    """Whether a file of strings is known to be an answer of a language model, which may fail."""

    def convention(self, usual: Convention | None = None) -> Convention:
        """Return how positions are counted: as the format does, unless the user said otherwise.

        ``usual`` is given where the convention of a format depends on the file.
        """
        usual = usual or self.usual
        return Convention(
            usual.base if self.base is None else self.base,
            self.ends or usual.ends,
            self.unit or usual.unit,
        )


OFFSETS = ("unit", "base", "ends")
"""The options of formats whose offsets may be counted in another way than they should be."""
OF_TOKENS = ("base", "ends")
"""Those of formats without text and sentences, so that only tokens can be counted."""


class Reading(Struct, frozen=True, kw_only=True):
    """A format, and what the user said about how to read it."""

    format: str = ""
    """The name of the format; empty if no file is read."""
    known: Collection[str] = ()
    """The options that the format has."""
    options: ReadingOptions = ReadingOptions()
    gold: str | None = None
    """The field of gold clusters, in formats that may have predictions beside it."""
    is_linked: bool = False
    """Whether mentions are linked one by one, so that one without a link is an entity."""
    is_nameless: bool = False
    """Whether the files of the format do not name their documents."""

    def can_be(self, declared: Convention, other: Convention) -> bool:
        """Return whether the format has options that say that positions are counted otherwise."""
        return {name for name, _ in other.options(declared)}.issubset(self.known)

    @property
    def is_counted_as_told(self) -> bool:
        """Whether the user said how positions are counted."""
        return any(getattr(self.options, name) is not None for name in OFFSETS)

    def advice(self, declared: Convention, better: Convention) -> str:
        """Return how to read a file with another convention."""
        return f"read the file with the format {self.named(declared, better)!r}"

    def named(self, declared: Convention, better: Convention) -> str:
        """Return the format with another convention; other options stay what they are."""
        changed = {name for name, _ in better.options(declared)}
        usual = ReadingOptions()
        written = []
        for name in self.known:
            if name in TAGS:
                continue
            given = getattr(self.options, name)
            if name in OFFSETS and (name in changed or given is not None):
                written.append(f"{name}={getattr(better, name)}")
            elif given != getattr(usual, name):
                value = "+".join(given) if name in LISTS else given
                written.append(value if name == "clusters" else f"{name}={value}")
        return f"{self.format}:{','.join(written)}"

    def with_field(self, field: str) -> str:
        """Return the format with another field for the clusters; other options stay."""
        options = replace(self.options, clusters=field)
        convention = options.convention()
        return replace(self, options=options).named(convention, convention)

    def hint(self, declared: Convention, suggestion: Suggestion | None) -> str:
        """Return what to do if a wrong span suggests another convention; otherwise nothing."""
        if suggestion is None or not self.can_be(declared, suggestion.convention):
            return ""
        return f"; if {suggestion.reason}, {self.advice(declared, suggestion.convention)}"


CHOICES: Mapping[str, object] = {
    "base": Base,
    "ends": Ends,
    "unit": Unit,
    "head": HeadSource,
    "names": RepeatedNames,
    "layer": Layer,
    "ids": IdScope,
}
"""The options with a fixed set of values."""
TEXTS = ("clusters", "level", "attribute", "documents", "annotator", "mention", "entity")
TAGS = ("open", "close")
"""The options of tagged text, which may have any signs in them."""
TWO_TAGS = "open=OPEN,close=CLOSE, where one of the two has {id}"
"""How they are written."""
LISTS = ("relations", "types")
"""The options with several values, joined by ``+``."""


def parse_options(format: str, known: Collection[str], details: str) -> ReadingOptions:
    """Parse what follows the name of a format, such as ``FIELD,base=1,ends=exclusive``.

    Parameters
    ----------
    format
        The name of the format, for messages.
    known
        The options of this format.
    details
        The text to parse.

    Returns
    -------
    ReadingOptions
        The options.
    """
    chosen: dict[str, object] = {}
    if set(TAGS) <= set(known):
        # Tags may have any signs in them, so they stand last.
        details, found, tags = _before_tags(details)
        chosen["tags"] = _tags(format, tags) if found else None
    for detail in details.split(",") if details else ():
        option, equals, value = detail.strip().partition("=")
        option, value = (option, value) if equals else ("clusters", option)
        if option not in known or option in TAGS or not value or option in chosen:
            raise UnknownName(f"option of the format {format}", detail, _described(known))
        chosen[option] = _value(option, value)
    return replace(ReadingOptions(), **chosen)


def _described(known: Collection[str]) -> list[str]:
    """Return the options of a format, for a message."""
    described = [each for each in known if each not in TAGS]
    return [*described, TWO_TAGS] if len(described) < len(known) else described


def _before_tags(details: str) -> tuple[str, bool, str]:
    """Return what stands before ``open=``, whether there are tags, and what begins there."""
    if details.startswith("open="):
        return "", True, details
    before, found, after = details.partition(",open=")
    return before, bool(found), f"open={after}"


def _tags(format: str, details: str) -> tuple[str, str]:
    """Parse ``open=OPEN,close=CLOSE``; one of the two has ``{id}``."""
    opening, found, closing = details.removeprefix("open=").partition(",close=")
    is_one = details.startswith("open=") and found and opening.strip() and closing.strip()
    if not is_one or ("{id}" in opening) == ("{id}" in closing):
        raise UnknownName(f"option of the format {format}", details, [TWO_TAGS])
    return opening, closing


def _value(option: str, value: str) -> object:
    if option in LISTS:
        return tuple(value.split("+"))
    if option in TEXTS:
        return value
    values = get_args(CHOICES[option])
    for each in values:
        if str(each) == value:
            return cast(object, each)
    raise UnknownName(f"choice of {option}", value, map(str, values))
