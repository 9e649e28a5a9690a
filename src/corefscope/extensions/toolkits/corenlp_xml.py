"""XML of Stanford CoreNLP.

The sentences of `root/document/sentences` have numbered tokens, and each element `coreference` in
`root/document/coreference` is an entity. A mention has the number of its sentence, the number of
its first token, the number after its last token, the number of its head, and its words. All of
them count from 1, tokens in their sentence.

- By default, CoreNLP leaves out entities of one mention in XML, but not in JSON: the two outputs of
  one run can score differently. `output.printSingletonEntities` writes them.
- Offsets of characters count UTF-16 units, as in Java: an emoji counts as two. The text between
  tokens is rebuilt from them.
- Brackets and quotation marks are written as `-LRB-` or as two signs. They are turned back into the
  sign of the text if the offsets show that it has one character.
- A head that is not the number of a token in its sentence is left out and reported (`W113`).
- Numbers that count from 0 are read with `corenlp-xml:base=0`.
- A file without any element `coreference` is refused: the annotator `coref` was not run (`E118`).
- The name of the document is its `docId` without extensions, or else the name of the file.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from itertools import chain
from typing import get_args
from xml.etree.ElementTree import Element

import numpy as np
from msgspec import Struct

from corefscope.corpus.offsets import Base, Convention
from corefscope.extensions.toolkits.corenlp import add_heads, head_finder
from corefscope.findings import Code
from corefscope.formats.reading.draft import Draft, DraftMention, Mentions
from corefscope.formats.reading.echo import SIGNS
from corefscope.formats.reading.file import File, FindingReporter
from corefscope.formats.reading.layout import TokenLayout
from corefscope.formats.reading.options import ReadingOptions
from corefscope.formats.reading.source import ENDING
from corefscope.formats.reading.whole_files import (
    number_of,
    numbers_of,
    whole_reader,
)
from corefscope.formats.reading.xml_trees import lines_of, parsed_xml, report_unknown, texts, values

LAYERS = {"tags": "POS", "lemmas": "lemma", "speakers": "Speaker"}
"""The text layers, and the elements of tokens that have them."""
FIELDS = ("sentence", "start", "end", "text")
"""The elements of a mention."""


def _drafts(file: File, data: bytes) -> Iterator[Draft]:
    report = file.report
    root = parsed_xml(data, report)
    if root is None:
        return
    documents = list(root.iter("document"))
    if documents and all(document.find("coreference") is None for document in documents):
        report(
            Code.OTHER_KIND,
            "this is XML of CoreNLP without coreference",
            1,
            expected=(
                "an element coreference in the document: run CoreNLP with the annotator coref, "
                "which adds it"
            ),
        )
        return
    _report_others(documents, root, data, report)
    elements = [each for document in documents for each in (document, *document.iter("mention"))]
    lines = lines_of(elements, root, data)
    for document in documents:
        yield _draft(document, lines, file.options, report)


read = whole_reader(_drafts)


def _report_others(
    documents: Sequence[Element], root: Element, data: bytes, report: FindingReporter
) -> None:
    """Report elements that stand where entities and mentions are expected."""
    for path, name in (("coreference", "coreference"), ("coreference/coreference", "mention")):
        parents = [parent for document in documents for parent in document.iterfind(path)]
        report_unknown(parents, (name,), root, data, report)


def _draft(
    document: Element,
    lines: Mapping[Element, int],
    options: ReadingOptions,
    report: FindingReporter,
) -> Draft:
    convention = options.convention()
    tokens = _tokens(document, convention.base)
    name = ENDING.sub("", texts([document], "docId")[0])
    draft = Draft(
        name=name or None,
        words=tokens.words,
        sentences=tokens.lengths,
        mentions=Mentions.of(_entities(document, lines, tokens, convention, report)),
        convention=convention,
        sentences_from_base=True,
        line=lines[document],
        complete=partial(_complete, tokens),
    )
    if tokens.has_offsets and not tokens.has_text:
        message = "the offsets of tokens do not fit their words; the text is left out"
        report(Code.BAD_LAYER, message, draft.line)
    return draft


class _Tokens(Struct, kw_only=True):
    elements: list[Element]
    words: list[str]
    lengths: list[int]
    """The number of tokens of each sentence."""
    sentence: dict[str, int]
    """The number of each sentence by its id, if ids do not simply count."""
    layout: TokenLayout | None
    """Where the tokens stand; None if that is not known of each of them."""
    has_offsets: bool
    """Whether the file says where tokens stand."""

    @property
    def has_text(self) -> bool:
        """Whether the text can be rebuilt."""
        return self.layout is not None and self.layout.fits()


def _tokens(document: Element, base: Base) -> _Tokens:
    sentences = document.findall("sentences/sentence")
    elements = [list(sentence.iter("token")) for sentence in sentences]
    tokens = list(chain.from_iterable(elements))
    offsets = [texts(tokens, f"CharacterOffset{edge}") for edge in ("Begin", "End")]
    begins, ends = map(numbers_of, offsets)
    words = _words(tokens, offsets)
    layout = None
    if begins is not None and ends is not None:
        layout = TokenLayout(
            words=words, begins=np.array(begins), ends=np.array(ends), unit="utf16"
        )
    return _Tokens(
        elements=tokens,
        words=words,
        lengths=list(map(len, elements)),
        sentence=_unusual(values(sentences, "id"), base),
        layout=layout,
        has_offsets=all(any(number_of(text) is not None for text in column) for column in offsets),
    )


def _unusual(ids: Sequence[str], base: Base) -> dict[str, int]:
    """Return the number of each sentence by its id, unless ids count from 0 or 1."""
    for first in get_args(Base):
        if list(ids) == list(map(str, range(first, first + len(ids)))):
            return {}
    return {id: number for number, id in enumerate(ids, start=base)}


def _words(tokens: Sequence[Element], offsets: Sequence[Sequence[str]]) -> list[str]:
    words = texts(tokens, "word")
    originals = texts(tokens, "originalText")
    if any(originals):
        words = [original or word for original, word in zip(originals, words, strict=True)]
    if SIGNS.keys().isdisjoint(words):
        return words
    begins, ends = (map(number_of, column) for column in offsets)
    return [
        SIGNS.get(word, word) if begin is not None and end == begin + 1 else word
        for word, begin, end in zip(words, begins, ends, strict=True)
    ]


def _complete(tokens: _Tokens, draft: Draft) -> None:
    """Add the text and the layers that every token has."""
    if tokens.layout is not None and tokens.has_text:
        breaks = tokens.layout.blank_lines(tokens.lengths)
        draft.text, draft.characters = tokens.layout.text(breaks)
    columns = {layer: texts(tokens.elements, name) for layer, name in LAYERS.items()}
    draft.columns = {layer: values for layer, values in columns.items() if all(values)}


def _entities(
    document: Element,
    lines: Mapping[Element, int],
    tokens: _Tokens,
    convention: Convention,
    report: FindingReporter,
) -> dict[str, list[DraftMention]]:
    entities: dict[str, list[DraftMention]] = {}
    heads: list[int | str | None] = []
    for label, chain_ in enumerate(document.iterfind("coreference/coreference")):
        entity = entities[str(label)] = []
        for element in chain_.iterfind("mention"):
            mention = _mention(element, tokens, lines[element], report)
            if mention is not None:
                entity.append(mention)
                head = element.findtext("head", "").strip()
                number = number_of(head)
                heads.append(head or None if number is None else number)
    findings = add_heads(entities, heads, head_finder(convention, tokens.lengths))
    for finding in findings:
        report.add(finding, lines[document])
    return entities


def _mention(
    element: Element, tokens: _Tokens, line: int, report: FindingReporter
) -> DraftMention | None:
    id, begin, stop, text = (element.findtext(field, "").strip() for field in FIELDS)
    sentence = tokens.sentence.get(id) if tokens.sentence else number_of(id)
    start, end = number_of(begin), number_of(stop)
    if sentence is None or start is None or end is None:
        report(
            Code.BAD_LINE,
            f"a mention with sentence {id!r}, start {begin!r} and end {stop!r}",
            line,
            expected="the number of a sentence, and two of tokens",
        )
        return None
    return DraftMention(
        places=((sentence, start, end),),
        string=text or None,
        line=line,
    )
