"""CoNLL-U with entities in the column MISC, as in the CorefUD collection and the CRAC shared tasks.

A comment `# global.Entity` names the fields of the brackets. Mentions may have gaps and heads, and
empty nodes stand for words that are left out. All rules are in
[Formats](../ref/formats.md#corefud); scores of the shared tasks are in
[CorefUD](../howto/shared-tasks.md).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from hashlib import blake2b
from itertools import chain, pairwise
from pathlib import Path
from typing import NamedTuple

import numpy as np
from msgspec import Struct, field
from msgspec.structs import replace

from corefscope.choices import HeadSource
from corefscope.corpus.arrays import Integers
from corefscope.corpus.links import Bridge, Bridges, Openings
from corefscope.corpus.words import Comments, EmptyNodes, sentence_digest
from corefscope.findings import Code, Finding
from corefscope.formats.corefud.brackets import EntityBrackets
from corefscope.formats.corefud.checks import id_problems, wordless_problems
from corefscope.formats.corefud.declaration import (
    DECLARATION,
    NEWDOC,
    Declaration,
    parse_declaration,
)
from corefscope.formats.corefud.document import (
    NO_MENTIONS,
    BracketMentions,
    EntityCells,
    Positions,
    read_mentions,
)
from corefscope.formats.corefud.lines import DEPS, FORM, MISC, ConlluLines, MiscValue
from corefscope.formats.corefud.text import CorefudDocumentReader
from corefscope.formats.reading.block import Block
from corefscope.formats.reading.block_lines import Flags
from corefscope.formats.reading.builder import Builder
from corefscope.formats.reading.file import File
from corefscope.formats.reading.source import Progress, Source

DEPENDENCY = re.compile(r"[0-9]{1,9}(\.[0-9]{1,6})?:.+", re.DOTALL)
SENTENCE_ID = re.compile(rb"\n# sent_id\s*=\s*(\S+)")


def read(file: File) -> None:
    """Read all documents of a file into the corpus."""
    reader = _Reader(
        file.source, file.builder, file.options.head, is_official=file.options.names == "join"
    )
    for offset, block in _whole_sentences(file.source, file.progress):
        reader.read(offset, block)
    reader.close()


def _whole_sentences(source: Source, progress: Progress | None) -> Iterator[tuple[int, bytes]]:
    """Yield blocks that end with a blank line, or with the file, and their offsets."""
    held: list[bytes] = []
    begin = 0
    for offset, block in source.blocks(progress):
        begin = begin if held else offset
        cut = max(block.rfind(b"\n\n") + 2, block.rfind(b"\n\r\n") + 3)
        if cut < 3:
            held.append(block)
            continue
        yield begin, b"".join((*held, block[:cut]))
        begin, held = offset + cut, [block[cut:]] if cut < len(block) else []
    if rest := b"".join(held):
        yield begin, rest if rest.endswith(b"\n") else rest + b"\n"


class Start(NamedTuple):
    """The beginning of a document in a block."""

    sentence: int
    group: int
    name: str
    line: int


class Declared(NamedTuple):
    """A declaration in a block."""

    sentence: int
    """The sentence that it is in, or the next one."""
    declaration: Declaration


class Values(NamedTuple):
    """The values of ``Entity`` of a block, in the order of tokens."""

    token: Positions
    line: list[int]
    text: list[str]
    links: list[tuple[int, MiscValue]]
    """Tokens and values of the other keys."""


class _Document(Struct, eq=False, kw_only=True):
    """The document being read."""

    name: str
    is_named: bool
    """Whether the name is in the file."""
    newdoc: str | None
    """The name after ``# newdoc``, as in :class:`~corefscope.corpus.words.Comments`."""
    line: int
    offset: int
    stop: int
    declaration: Declaration | None = None
    tokens: int = 0
    words: int = 0
    sentences: int = 0
    annotation: EntityCells = field(default_factory=EntityCells)
    nodes: list[Integers] = field(default_factory=list)
    """The columns of empty nodes, apart from the document."""
    node_ids: list[str] = field(default_factory=list)
    dependencies: list[str] = field(default_factory=list)
    digest: blake2b = field(default_factory=lambda: blake2b(digest_size=8))
    sentence_words: list[int] = field(default_factory=list)
    """The number of words in each sentence."""
    sentence_ids: list[bytes] = field(default_factory=list)

    def read(self, block: _Block, sentences: range, values: Values) -> None:
        """Add some sentences of a block."""
        tokens = block.lines.tokens
        begin, end = (int(block.begins[each]) for each in (sentences.start, sentences.stop))
        shift = self.tokens - begin
        self.annotation.sentences.append(block.begins[sentences.start : sentences.stop] + shift)
        first, last = np.searchsorted(values.token, [begin, end]).tolist()
        self.annotation.tokens += (values.token[first:last] + shift).tolist()
        self.annotation.lines += values.line[first:last]
        self.annotation.texts += values.text[first:last]
        self.annotation.links += [
            (token + shift, value) for token, value in values.links if begin <= token < end
        ]
        nodes = begin + np.flatnonzero(tokens.minor[begin:end])
        if len(nodes):
            self._add_nodes(block, nodes, begin, sentences.start)
        self.digest.update(block.words(begin, end))
        bounds = block.begins[sentences.start : sentences.stop + 1]
        self.sentence_words += np.diff(block.words_before[bounds]).tolist()
        self.sentence_ids += block.sentence_ids[sentences.start : sentences.stop]
        self.words += end - begin - len(nodes)
        self.tokens += end - begin
        self.sentences += len(sentences)

    def _add_nodes(self, block: _Block, nodes: Positions, begin: int, sentence: int) -> None:
        tokens = block.lines.tokens
        self.nodes.append(
            np.stack(
                (
                    nodes - begin + self.tokens,
                    tokens.sentence[nodes] - sentence + self.sentences,
                    block.words_before[nodes] - block.words_before[begin] + self.words,
                    tokens.major[nodes] == 0,
                    tokens.minor[nodes],
                    tokens.line[nodes] + block.lines_before + 1,
                )
            )
        )
        for line in tokens.line[nodes].tolist():
            id = block.lines.field(line, 0).decode()
            dependencies = block.lines.field(line, DEPS).decode(errors="surrogateescape")
            self.node_ids.append(id)
            self.dependencies.append(dependencies)


class _Block:
    """A block of whole sentences, and numbers that all its documents need."""

    def __init__(self, block: bytes, lines_before: int) -> None:
        self.lines = lines = ConlluLines(block)
        self.lines_before = lines_before
        """How many lines of the file are in blocks before."""
        tokens = lines.tokens
        self.sentences = int(lines.has_words.sum())
        self.begins: Positions = np.searchsorted(tokens.sentence, np.arange(self.sentences + 1))
        """The first token of each sentence, and the number of tokens."""
        is_word = tokens.minor == 0
        self.words_before: Positions = np.concatenate(([0], np.cumsum(is_word)))
        self.column, self.ends = lines.column(tokens.line[is_word], FORM)
        self.sentence_ids: list[bytes] = []

    def words(self, begin: int, end: int) -> bytes:
        """Return the forms of the words among some tokens, each followed by a newline."""
        first, last = self.words_before[[begin, end]]
        return self.column[int(self.ends[first]) : int(self.ends[last])]

    def sentence_of(self, line: int) -> int:
        """Return the sentence that a line is in, or the next one."""
        group = self.lines.group[line]
        return int(self.lines.sentence_of_group[group] + (not self.lines.has_words[group]))


class _Reader:
    """Goes through the blocks of one file."""

    def __init__(
        self, source: Source, builder: Builder, head: HeadSource, *, is_official: bool
    ) -> None:
        self.is_official = is_official
        """Whether to read what the CorefUD scorer reads: documents of one name as one, and parts
        of a mention in different sentences."""
        self.source = source
        self.file = source.name
        self.builder = builder
        self.head: HeadSource = head
        self.document: _Document | None = None
        self.documents = 0
        self.declaration: Declaration | None = None
        """The last declaration of the documents that have ended."""
        self.last_declared: Declaration | None = None
        self.waiting: list[_Document] = []
        """Documents before the first declaration of the file."""
        self.lines_before = 0
        self.sentence_id = b""
        """The id of the last sentence, if it has one."""
        self.widths: dict[str, tuple[int, int]] = {}
        """First line and number of the lines with too few or too many columns."""

    def report(self, finding: Finding) -> None:
        """Report what was found on a line of the file."""
        self.builder.add(finding.at(self.file, finding.line))

    def _report_here(
        self, code: Code, found: str, line: int, *, expected: str | None = None
    ) -> None:
        """Report what was found on a line of the block."""
        self.report(Finding(code, found, expected=expected, line=self.lines_before + line + 1))

    # ---- Blocks ----

    def read(self, offset: int, data: bytes) -> None:
        """Read a block of whole sentences."""
        self._refuse_bare_returns(data)
        self.builder.check_bytes(data, self.file, self.lines_before)
        block = _Block(data, self.lines_before)
        self._check(block, data)
        starts, declared = self._comments(block)
        values = self._values(block.lines)
        bounds = [0, *(start.sentence for start in starts), block.sentences]
        for start, (begin, end) in zip([None, *starts], pairwise(bounds), strict=True):
            if start is not None or (begin < end and self.document is None):
                self._begin(start, block, offset)
            if self.document is None:
                continue
            is_last = end == block.sentences
            for each in declared:
                if begin <= each.sentence < end or (is_last and each.sentence == end):
                    self.document.declaration = each.declaration
            if begin < end:
                self.document.read(block, range(begin, end), values)
            self.document.stop = offset + len(data)
        if self.document is None and declared:
            self.declaration = declared[-1].declaration
        self.lines_before += len(block.lines)

    def _begin(self, start: Start | None, block: _Block, offset: int) -> None:
        """Begin a document, which may have no name."""
        if self.is_official and self.document and start and start.name == self.document.name:
            return
        lines = block.lines
        group = int(np.argmax(lines.has_words)) if start is None else start.group
        line = int(np.searchsorted(lines.group, group))
        while lines.is_blank[line]:
            line += 1
        begin = offset + int(lines.start[line])
        if self.document:
            self.document.stop = begin
            self._end()
        self.documents += 1
        given = start.name if start else ""
        unnamed = _stem(self.file) if start is None else str(self.documents)
        self.document = _Document(
            name=given or unnamed,
            is_named=bool(given),
            newdoc=start.name if start else None,
            line=self.lines_before + (line if start is None else start.line) + 1,
            offset=begin,
            stop=begin,
        )

    def _end(self) -> None:
        """End the document, as soon as a declaration is known."""
        assert self.document
        document, self.document = self.document, None
        self.declaration = document.declaration or self.declaration
        self.waiting.append(document)
        if self.declaration:
            self._end_waiting()

    def _end_waiting(self) -> None:
        for document in self.waiting:
            self._add(document, document.declaration or self.declaration)
        self.waiting = []

    def close(self) -> None:
        """End the file."""
        if self.document:
            self._end()
        self._end_waiting()
        self._report_columns()
        if not self.documents:
            self.report(
                Finding(
                    Code.NO_DOCUMENT,
                    "the file holds no sentence",
                    expected="lines such as '1\tword\t…'",
                    line=1,
                )
            )

    # ---- Comments ----

    def _comments(self, block: _Block) -> tuple[list[Start], list[Declared]]:
        """Return the beginnings of documents and the declarations."""
        lines, starts, declared = block.lines, list[Start](), list[Declared]()
        for line in _lines_with(lines, (b"newdoc", b"global.Entity")):
            text = lines.line(line)
            if match := NEWDOC.fullmatch(text):
                starts += self._start(block, line, match[1])
            elif match := DECLARATION.fullmatch(text):
                declared += self._declared(block, line, match[1], match[2].strip())
        return _one_per_sentence(starts), declared

    def _start(self, block: _Block, line: int, name: bytes | None) -> Iterator[Start]:
        lines = block.lines
        group = int(lines.group[line])
        if not lines.has_words[group]:
            self._report_here(
                Code.IGNORED,
                "'# newdoc' is in lines without a word and begins no document",
                line,
                expected="it in the comments of a sentence, without a blank line before its words",
            )
            return
        text = (name or b"").strip().decode(errors="surrogateescape")
        yield Start(int(lines.sentence_of_group[group]), group, text, line)

    def _declared(self, block: _Block, line: int, text: bytes, rest: bytes) -> Iterator[Declared]:
        found = text.decode(errors="surrogateescape")
        declaration = parse_declaration(found)
        if declaration is None:
            self._report_here(
                Code.BAD_LINE,
                f"the declaration {found!r} has no field eid or GRP",
                line,
                expected="one of them",
            )
            return
        if rest:
            ignored = rest.decode(errors="replace")
            self._report_here(
                Code.IRREGULAR,
                f"the declaration {found!r} is followed by a blank and {ignored!r}, which is "
                "ignored",
                line,
                expected=f"fields joined by minus signs: {'-'.join([found, *ignored.split()])}",
            )
            declaration = replace(declaration, is_cut=True)
        if self.last_declared not in (None, declaration):
            self._report_here(
                Code.IRREGULAR,
                f"the fields are declared as {found!r} here and as {str(self.last_declared)!r} "
                "before; this holds from its document on",
                line,
                expected="one: the CorefUD scorer reads all with the last",
            )
        if self.head == "minspan" and "minspan" not in declaration.fields:
            self._report_here(
                Code.NO_HEAD_FIELD,
                f"the declaration {found!r} has no field minspan, which heads were to be read "
                "from; heads are read from the field head",
                line,
                expected="minspan",
            )
        self.last_declared = declaration
        yield Declared(block.sentence_of(line), declaration)

    # ---- Values ----

    def _values(self, lines: ConlluLines) -> Values:
        """Return the values of MISC that are about entities."""
        line, texts, lacking = lines.entities()
        token = lines.token_of_line[line]
        numbers = (line + self.lines_before + 1).tolist()
        keep = token >= 0
        if len(line) and (line[1:] == line[:-1]).any():
            keep[:-1] &= self._last_of_key(line, "Entity")
        for each in lacking:
            self._report_no_value("Entity", each)
        if "" in texts:
            self._report_empty(line, texts, lacking)
        if not keep.all():
            for place in np.flatnonzero(token < 0).tolist():
                self._report_ignored(lines, "Entity", int(line[place]))
            rows = np.flatnonzero(keep).tolist()
            token = token[rows]
            numbers, texts = [numbers[row] for row in rows], [texts[row] for row in rows]
        if (token[1:] < token[:-1]).any():
            order = np.argsort(token, kind="stable").tolist()
            token = token[order]
            numbers, texts = [numbers[row] for row in order], [texts[row] for row in order]
        links = self._links(lines, token, texts) if lines.has_links else []
        return Values(token, numbers, texts, links)

    def _last_of_key(self, line: Positions, key: str) -> Flags:
        """Return which keys are not followed by the same one on their line."""
        is_last: Flags = line[1:] != line[:-1]
        for place in np.flatnonzero(~is_last).tolist():
            self._report_here(
                Code.IGNORED,
                f"MISC has the key {key} twice; the last one is read",
                int(line[place]),
                expected="it once",
            )
        return is_last

    def _links(
        self, lines: ConlluLines, tokens: Positions, texts: Sequence[str]
    ) -> list[tuple[int, MiscValue]]:
        """Return bridges and split antecedents; those on tokens without ``Entity`` are ignored."""
        said = {token for token, text in zip(tokens.tolist(), texts, strict=True) if text}
        found: dict[tuple[int, str], MiscValue] = {}
        for value in lines.other_values():
            token = int(lines.token_of_line[value.line])
            if value.text is None:
                self._report_no_value(value.key, value.line)
            elif token < 0:
                self._report_ignored(lines, value.key, value.line)
            elif token not in said:
                self._report_here(
                    Code.IGNORED,
                    f"{value.key} is on a word without Entity and is ignored",
                    value.line,
                    expected="it on the first word of the mention that it is about",
                )
            else:
                key = value.key.replace("SplitAnte", "Split")
                if (token, key) in found:
                    self._last_of_key(np.array([value.line, value.line]), value.key)
                if value.key != "Split" or (token, key) not in found:
                    line = self.lines_before + value.line + 1
                    found[token, key] = MiscValue(line, value.key, value.text)
        # Of one token SplitAnte is read after Bridge, as their order in MISC is.
        return [(token, found[token, key]) for token, key in sorted(found)]

    def _report_no_value(self, key: str, line: int) -> None:
        example = {"Entity": "(e1)", "Bridge": "e1<e2"}.get(key, "e1<e3,e2<e3")
        self._report_here(
            Code.BAD_LINE,
            f"the key {key} of MISC has no value",
            line,
            expected=f"such as {key}={example}",
        )

    def _report_empty(self, line: Positions, texts: Sequence[str], lacking: Sequence[int]) -> None:
        """Report values of ``Entity`` that are there, and empty."""
        for row, text in enumerate(texts):
            if not text and line[row] not in lacking:
                self._report_here(
                    Code.IGNORED,
                    "Entity= has no bracket",
                    int(line[row]),
                    expected="one such as (e1), or no key: is it lost?",
                )

    def _report_ignored(self, lines: ConlluLines, key: str, line: int) -> None:
        """Report an annotation on a line that is no token."""
        if line in lines.ranges and lines.has_words[lines.group[line]]:
            self._report_here(
                Code.IGNORED,
                f"{key} on a multiword token is ignored",
                line,
                expected="it on one of the words of the multiword token",
            )

    # ---- Checks ----

    def _check(self, block: _Block, data: bytes) -> None:
        """Report what is wrong with lines, whatever is annotated."""
        self._check_columns(block.lines)
        for problem in chain(id_problems(block.lines), wordless_problems(block.lines)):
            line = self.lines_before + (problem.line or 0) + 1
            self.report(replace(problem, line=line))
        self._check_sentence_ids(block, data)

    def _refuse_bare_returns(self, data: bytes) -> None:
        if b"\r" in data and data.count(b"\n") <= 1 < data.count(b"\r"):
            self._report_here(
                Code.BARE_RETURNS, "lines end in carriage returns alone", 0, expected="newlines"
            )
            self.builder.give_up()

    def _check_columns(self, lines: ConlluLines) -> None:
        """Note lines that have fewer or more than ten columns."""
        tabs = np.diff(lines.first_tab, append=len(lines.tab) - 1)
        is_row = ~lines.is_blank & ~lines.is_comment
        is_empty = lines.text[np.maximum(lines.stop - 1, 0)] == ord("\t")
        self._report_empty_cells(np.flatnonzero(is_empty & is_row & (tabs == MISC)))
        wrong = np.flatnonzero((tabs != MISC) & is_row)
        for which, some in (
            ("fewer", wrong[tabs[wrong] < MISC]),
            ("more", wrong[tabs[wrong] > MISC]),
        ):
            if len(some):
                first, count = self.widths.get(which, (self.lines_before + int(some[0]) + 1, 0))
                self.widths[which] = first, count + len(some)

    def _report_empty_cells(self, lines: Positions) -> None:
        """Report lines whose last column is empty."""
        if len(lines):
            more = f" ({len(lines):,} such lines, this is the first)" if len(lines) > 1 else ""
            self._report_here(
                Code.DOUBTFUL_COLUMN,
                "the last column is empty",
                int(lines[0]),
                expected=f"'_', or what it had: is it lost?{more}",
            )

    def _report_columns(self) -> None:
        for which, (line, count) in self.widths.items():
            what = "a line has" if count == 1 else f"{count:,} lines have"
            read = "missing ones are read as _" if which == "fewer" else "the rest is ignored"
            self.report(
                Finding(
                    Code.DOUBTFUL_COLUMN,
                    f"{what} {which} than ten columns separated by tabs; {read}",
                    expected="ten",
                    line=line,
                )
            )

    def _check_sentence_ids(self, block: _Block, data: bytes) -> None:
        """Refuse neighbouring sentences of one id."""
        lines = block.lines
        found = list(SENTENCE_ID.finditer(b"\n" + data))
        ids = [self.sentence_id, *(match[1] for match in found)]
        position = np.fromiter((match.start() for match in found), np.int64, len(found))
        line = np.searchsorted(lines.start, position, side="right") - 1
        group = lines.group[line]
        sentence = np.concatenate(
            ([-1], np.where(lines.has_words[group], lines.sentence_of_group[group], -2))
        )
        for place, (before, id) in enumerate(pairwise(ids)):
            if before == id and sentence[place + 1] == sentence[place] + 1:
                self._report_here(
                    Code.BAD_LINE,
                    "this sentence and the one before have the sent_id "
                    f"{id.decode(errors='replace')!r}",
                    int(line[place]),
                    expected="different ones",
                )
        known = dict(zip(sentence.tolist(), ids, strict=True))
        block.sentence_ids = [known.get(number, b"") for number in range(block.sentences)]
        if block.sentences:
            self.sentence_id = ids[-1] if sentence[-1] == block.sentences - 1 else b""

    # ---- Documents ----

    def _add(self, document: _Document, declaration: Declaration | None) -> None:
        """Add a document to the builder."""
        annotation = document.annotation
        if declaration is None and any(annotation.texts):
            self.report(
                Finding(
                    Code.BAD_SHAPE,
                    "entities are annotated, but '# global.Entity' is missing",
                    expected=(
                        "a comment such as '# global.Entity = eid-etype-head-other' in the first "
                        "sentence"
                    ),
                    line=annotation.lines[0],
                )
            )
            return
        mentions = NO_MENTIONS
        if declaration is not None:
            brackets = EntityBrackets(
                declaration=declaration,
                report=self.report,
                head=self.head,
                spans_sentences=self.is_official,
            )
            nodes = {token for columns in document.nodes for token in columns[0].tolist()}
            mentions = read_mentions(annotation, brackets, nodes)
        reader = CorefudDocumentReader(declaration, self.head)
        self.builder.add_block(
            Block(
                names=(document.name,),
                is_named=document.is_named,
                lines=(document.line,),
                tokens=(document.tokens,),
                digests=(document.digest.digest(),),
                places=((self.source, document.offset, document.stop, reader),),
                labels=mentions.labels,
                mentions=np.column_stack(
                    (mentions.entity, mentions.first, mentions.last, mentions.line)
                ),
                columns=self._columns(document, mentions, declaration),
            )
        )

    def _columns(
        self, document: _Document, mentions: BracketMentions, declaration: Declaration | None
    ) -> dict[str, object]:
        columns: dict[str, object] = {
            "comments": [Comments(document.newdoc, document.sentence_ids)],
            "sentence_digests": [sentence_digest(document.sentence_words)],
            "mention_heads": mentions.head,
        }
        if document.nodes:
            columns["empty_nodes"] = _nodes(document)
        if declaration is not None:
            columns |= {
                "mention_parts": mentions.parts,
                "split_antecedents": mentions.antecedents,
                "bridges": Bridges(Bridge(*link) for link in mentions.bridges),
                "openings": Openings(
                    texts=mentions.openings,
                    fields=(declaration.fields,),
                    types=mentions.types,
                    head_field="minspan" if self.head == "minspan" else "head",
                ),
            }
        return columns


def _nodes(document: _Document) -> EmptyNodes:
    """Return the empty nodes of a document."""
    columns = np.concatenate(document.nodes, axis=1)
    rows = np.insert(columns, 0, 0, axis=0).T
    return EmptyNodes.of_rows(
        rows, list(zip(document.node_ids, document.dependencies, strict=True))
    )


def _stem(file: str) -> str:
    """Return the name of a file without extensions of CoNLL-U."""
    return Path(file).name.removesuffix(".gz").removesuffix(".conllu")


def _lines_with(lines: ConlluLines, words: tuple[bytes, ...]) -> list[int]:
    """Return the comments that have one of some words in them."""
    found: set[int] = set()
    for word in words:
        position = lines.block.find(word)
        while position >= 0:
            line = lines.line_at(position)
            if lines.is_comment[line]:
                found.add(line)
            position = lines.block.find(word, int(lines.stop[line]))
    return sorted(found)


def _one_per_sentence(starts: list[Start]) -> list[Start]:
    """Return the beginnings of documents; of several in one sentence the last counts."""
    return list({start.sentence: start for start in starts}.values())
