"""What writers share: refusals, spans and JSON."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from itertools import count

from msgspec.structs import replace

from corefscope.corpus import UNKNOWN_LENGTH, Corpus, Document, Mention
from corefscope.corpus.layers import SomeDocuments, TextColumns
from corefscope.exceptions import CannotExpress
from corefscope.findings import Code, Finding
from corefscope.language import NOTHING, says_something


def cannot(
    document: Document,
    found: str,
    code: Code = Code.NOT_EXPRESSIBLE,
    *,
    expected: str | None = None,
) -> CannotExpress:
    """Return the exception that a format cannot represent a document."""
    path = document.corpus.path
    return CannotExpress(
        Finding(code, f"document {document.name!r}: {found}", expected=expected, file=path)
    )


def all_words(document: Document) -> list[str]:
    """Return the words of a document; raise :class:`CannotExpress` if they are not known."""
    words = document.words
    if words is None or document.corpus.document_tokens[document.index] == UNKNOWN_LENGTH:
        raise cannot(document, "its words are not known", expected="a corpus with text")
    return words


def said_values(document: Document, layer: str) -> list[str] | None:
    """Return the values of a layer, empty where it says nothing; None if it never says anything.

    What other formats write for no value, such as ``-`` in CoNLL, would be read as a lemma or tag.
    The lemma of ``-`` itself stays.
    """
    values = document.layer(layer)
    if values is None or not says_something(values):
        return None
    is_lemma = layer == "lemmas"
    return [
        "" if value in NOTHING and not (is_lemma and value == word) else value
        for value, word in zip(values, all_words(document), strict=True)
    ]


def span_of(document: Document, mention: Mention) -> tuple[int, int]:
    """Return first and last token; raise :class:`CannotExpress` if they are not in the text."""
    try:
        span = mention.start, mention.end
    except AttributeError as error:
        raise cannot(document, f"{error}", expected="first and last token") from None
    if span[1] >= len(document):
        raise cannot(document, f"mention {span} lies beyond its {len(document)} tokens")
    return span


def whole_span_of(document: Document, mention: Mention) -> tuple[int, int]:
    """Return first and last token; raise :class:`CannotExpress` if the mention has gaps."""
    span = span_of(document, mention)
    if len(mention.parts) > 1:
        message = f"mention {mention.parts} has gaps, which the format cannot express; JSON can"
        raise cannot(document, message)
    return span


def new_labels(corpus: Corpus, can_hold: Callable[[str], bool]) -> dict[str, str]:
    """Return a number for each label of entities that a format cannot hold.

    No other entity has this number, so that entities stay apart. A label gets the same number in
    all documents: in cross-document data, it is the same entity.
    """
    labels = dict.fromkeys(corpus.entity_labels)
    numbers = (str(number) for number in count(1) if str(number) not in labels)
    return {label: next(numbers) for label in labels if not can_hold(label)}


def relabelled(corpus: Corpus, can_hold: Callable[[str], bool]) -> Corpus:
    """Return a corpus with numbers instead of the labels that a format cannot hold."""
    new = new_labels(corpus, can_hold)
    if not new:
        return corpus
    return replace(corpus, entity_labels=[new.get(label, label) for label in corpus.entity_labels])


def is_blank(word: str) -> bool:
    """Return whether a word is only blanks, as the line breaks of BookCoref are."""
    return bool(word) and not word.strip(" \t\n\r\v\f")


class _Visible(SomeDocuments, frozen=True):
    """Texts in which a word that is only blanks, such as a line break, is ``_``."""

    def text(self, document: int) -> TextColumns:
        """Return the text layers of a document."""
        text = self.layers.text(document)
        words = text.columns.get("words", [])
        if not any(map(is_blank, words)):
            return text
        visible = ["_" if is_blank(word) else word for word in words]
        return replace(text, columns={**text.columns, "words": visible}, text=None, characters=None)


def with_visible_words(corpus: Corpus) -> Corpus:
    """Return a corpus with a placeholder for each word that is only blanks."""
    if corpus.layers is None:
        return corpus
    return replace(corpus, layers=_Visible(corpus.layers, range(len(corpus))))


def is_encodable(text: str, errors: str = "strict") -> bool:
    """Return whether a text can be written as UTF-8."""
    try:
        text.encode(errors=errors)
    except UnicodeEncodeError:
        return False
    return True


def json_text(document: Document, value: object) -> str:
    """Return a value as JSON; bytes that are not UTF-8 are escaped, so they can be read back."""
    try:
        text = json.dumps(value, ensure_ascii=False, allow_nan=False)
    except (TypeError, ValueError) as error:
        raise cannot(document, f"JSON has no place for a mention: {error}") from None
    if is_encodable(text):
        return text
    if TWO_HALVES.search(text):
        raise cannot(
            document,
            "half of a character stands before a byte that is not UTF-8, and JSON would make one "
            "character of both",
            expected="UTF-8",
        )
    return json.dumps(value)


TWO_HALVES = re.compile("[\ud800-\udbff][\udc00-\udfff]")
"""What JSON cannot tell from one character."""
