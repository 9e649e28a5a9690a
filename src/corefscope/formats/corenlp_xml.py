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
- The name of the document is its `docId` without extensions, or else the name of the file.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import partial

from corefscope.corpus.offsets import Convention
from corefscope.findings import Code
from corefscope.formats.builder import Builder
from corefscope.formats.draft import Draft, DraftEntity, DraftMention
from corefscope.formats.layout import blank_lines, laid_out
from corefscope.formats.options import ReadingOptions
from corefscope.formats.source import ENDING, Progress, Source
from corefscope.formats.spellings import SIGNS
from corefscope.formats.whole_files import Report, number_of, read_whole
from corefscope.formats.xml_tree import Element, parsed_xml

CONVENTION = Convention(1, "exclusive", "sentence")
LAYERS = {"tags": "POS", "lemmas": "lemma", "speakers": "Speaker"}
"""The text layers, and the elements of tokens that have them."""


def read(
    source: Source, builder: Builder, options: ReadingOptions, progress: Progress | None = None
) -> None:
    """Read the document of a file into the builder."""
    read_whole(source, builder, progress, partial(_drafts, options))


def _drafts(options: ReadingOptions, data: bytes, report: Report) -> Iterator[Draft]:
    root = parsed_xml(data, report)
    if root is None:
        return
    for document in root.all("document"):
        tokens = _Tokens()
        sentences = document.first("sentences")
        for sentence in sentences.all("sentence") if sentences else ():
            tokens.add(sentence)
        name = ENDING.sub("", document.child_text("docId"))
        draft = Draft(
            name=name or None,
            words=tokens.words,
            sentences=tokens.lengths,
            entities=list(_entities(document, tokens, report)),
            convention=options.convention(CONVENTION),
            columns=tokens.columns(),
            line=document.line,
        )
        _add_text(draft, tokens, report)
        yield draft


@dataclass(slots=True, kw_only=True)
class _Tokens:
    words: list[str] = field(default_factory=list)
    lengths: list[int] = field(default_factory=list)
    offsets: list[tuple[int, int] | None] = field(default_factory=list)
    layers: dict[str, list[str]] = field(default_factory=lambda: {name: [] for name in LAYERS})
    sentence: dict[str, int] = field(default_factory=dict)
    """The index of each sentence by its number in the file."""
    token: dict[tuple[str, str], int] = field(default_factory=dict)
    """The token of the document by the numbers of sentence and token."""

    def add(self, sentence: Element) -> None:
        """Add a sentence."""
        id = sentence.get("id") or ""
        self.sentence[id] = len(self.lengths)
        inside = sentence.first("tokens") or sentence
        before = len(self.words)
        for token in inside.all("token"):
            self.token[id, token.get("id") or ""] = len(self.words)
            self._add(token)
        self.lengths.append(len(self.words) - before)

    def _add(self, token: Element) -> None:
        found = {child.tag: child.text.strip() for child in token.children}
        word = found.get("originalText") or found.get("word", "")
        begin = number_of(found.get("CharacterOffsetBegin", ""))
        end = number_of(found.get("CharacterOffsetEnd", ""))
        if begin is None or end is None:
            self.offsets.append(None)
        else:
            self.offsets.append((begin, end))
            if end - begin == 1:
                word = SIGNS.get(word, word)
        self.words.append(word)
        for layer, tag in LAYERS.items():
            self.layers[layer].append(found.get(tag, ""))

    def columns(self) -> dict[str, list[str]]:
        """Return the layers that every token has."""
        return {layer: values for layer, values in self.layers.items() if all(values)}


def _add_text(draft: Draft, tokens: _Tokens, report: Report) -> None:
    offsets = [offset for offset in tokens.offsets if offset is not None]
    if not offsets:
        return
    found = None
    if len(offsets) == len(tokens.words):
        breaks = blank_lines(offsets, tokens.lengths)
        found = laid_out(tokens.words, offsets, breaks, "utf16")
    if found is None:
        message = "the offsets of tokens do not fit their words; the text is left out"
        report(Code.BAD_LAYER, message, draft.line)
    else:
        draft.text, draft.characters = found


def _entities(document: Element, tokens: _Tokens, report: Report) -> Iterator[DraftEntity]:
    outer = document.first("coreference")
    for number, chain in enumerate(outer.all("coreference") if outer else ()):
        mentions = (_mention(mention, tokens, report) for mention in chain.all("mention"))
        found = [mention for mention in mentions if mention is not None]
        yield DraftEntity(label=str(number), mentions=found)


def _mention(mention: Element, tokens: _Tokens, report: Report) -> DraftMention | None:
    sentence = mention.child_text("sentence")
    start, end = (number_of(mention.child_text(tag)) for tag in ("start", "end"))
    if sentence not in tokens.sentence or start is None or end is None:
        message = (
            f"a mention with sentence {sentence!r}, start {mention.child_text('start')!r} and end "
            f"{mention.child_text('end')!r}; expected the number of a sentence, and two of tokens"
        )
        report(Code.BAD_LINE, message, mention.line)
        return None
    return DraftMention(
        places=((tokens.sentence[sentence], start, end),),
        string=mention.child_text("text") or None,
        head=tokens.token.get((sentence, mention.child_text("head"))),
        line=mention.line,
    )
