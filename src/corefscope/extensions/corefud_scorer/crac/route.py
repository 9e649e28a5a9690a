"""The official route of an answer: cleaned, put into the skeleton, and read as CoNLL-U.

Where an official command stops, there is no official figure; then what our own alignment recovers
of the answer is scored.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, cast

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from corefscope.answers.parsing import ZERO, parse_words
from corefscope.choices import ZerosFrom
from corefscope.corpus import Corpus
from corefscope.corpus.columns import OwnColumn, OwnColumns, Selection
from corefscope.corpus.mentions import MentionId
from corefscope.corpus.words import word_places
from corefscope.exceptions import InvalidInput, refuse_errors
from corefscope.extensions.corefud_scorer.crac.cleaning import cleaned, is_too_long, words_of
from corefscope.extensions.corefud_scorer.crac.codes import (
    CLEANED_AWAY,
    MOVED_ZEROS,
    NODE_AT_WORD,
    OTHER_LINE,
)
from corefscope.extensions.corefud_scorer.crac.exporting import BLANK, ExportOptions, exported
from corefscope.extensions.corefud_scorer.crac.importing import (
    Answered,
    CannotImport,
    as_conllu,
    is_at_word,
    put_into,
    tagged,
)
from corefscope.extensions.corefud_scorer.crac.text import mentions_in
from corefscope.findings import Code, Finding
from corefscope.formats import read
from corefscope.formats.corefud.trees import (
    Node,
    TreeDocument,
    head_of,
    moved_for_text,
    parsed,
)
from corefscope.formats.corefud.writing import document_lines
from corefscope.formats.file_names import local
from corefscope.formats.reading.builder import Builder
from corefscope.formats.reading.draft import places_of
from corefscope.formats.reading.options import ReadingOptions
from corefscope.formats.reading.source import BOM, Source
from corefscope.formats.registry import FORMATS
from corefscope.formatting import PERCENT
from corefscope.matching.matching import Matching, MatchingOptions, match_corpora
from corefscope.options import Options
from corefscope.scoring.measure import score_corpora
from corefscope.scoring.scores import AnswerFigures, Scores

if TYPE_CHECKING:
    from corefscope.transfer.ledger import CorpusLedger


class Imported(OwnColumn, Struct, frozen=True, eq=False, kw_only=True):
    """How a response was made from an answer to CRAC, and what else can be made of it."""

    name: ClassVar[str] = "imported"

    zeros_from: ZerosFrom
    """Whether its empty nodes are those of the ``answer`` or of the ``skeleton``."""
    skeleton: str | None
    """The file that the answer was put into, if it is not the key."""
    recovered: Corpus
    """The answer as our own alignment reads it."""
    ledger: object
    """What became of its tags and words in that alignment: a ``CorpusLedger``, or None."""
    without_shift: Corpus | None = None
    """The response with the empty nodes of the skeleton at their own places, if possible."""
    stopped: str | None = None
    """Why an official tool stops, so that there is no official figure."""

    def selected(self, selection: Selection) -> Imported:
        """Return it: it is about the whole response."""
        return self


def imported_of(corpus: Corpus) -> Imported | None:
    """Return what is known of an answer; None if a corpus was not made from one."""
    found = corpus.own.get(Imported.name)
    return found if isinstance(found, Imported) else None


TEXT, JSON = "crac-text", "crac-json"
"""The formats of answers."""
ABOUT_THE_ANSWER = frozenset(
    {
        *(Code.COPY_FAILED, Code.ANSWER_CHANGED, Code.UNTAGGED, Code.NOT_UTF8, Code.SHIFTED),
        *(Code.DOUBTFUL_CONVENTION, Code.BAD_LAYER, Code.SCORER_FAILS, Code.LEFT_OUT),
    }
)
"""What is said about the answer itself, whichever way it is scored."""


def format_of_answer(path: str, format: str | None) -> str | None:
    """Return the format of an answer; None if the file is CoNLL-U, or anything else."""
    if format is not None:
        return format if format in (TEXT, JSON) else None
    name = path.lower().removesuffix(".gz")
    return TEXT if name.endswith(".txt") else JSON if name.endswith(".json") else None


def answer_of(path: str, format: str | None, key: Corpus, options: Options) -> Corpus | None:
    """Return an answer in the file of the key, or of the skeleton; None for other files."""
    kind = format_of_answer(path, format)
    if kind is None:
        return None
    skeleton = None if options.skeleton is None else read(options.skeleton, join_names=True)
    return read_answer(path, kind, key, skeleton, options.zeros_from)


def read_answer(
    path: str,
    format: str,
    key: Corpus,
    skeleton: Corpus | None,
    zeros_from: ZerosFrom,
    *,
    as_scored: bool = True,
) -> Corpus:
    """Read an answer as the organisers' tools do.

    Parameters
    ----------
    path
        The file with the answer.
    format
        ``crac-text`` or ``crac-json``.
    key
        The key, a corpus of CoNLL-U.
    skeleton
        The file that the model was given, if it is not the key; its annotation is not used.
    zeros_from
        Whether empty nodes are those of the ``answer`` or those of the ``skeleton``.
    as_scored
        Whether mentions are those that the scorer reads of what the importer writes; they differ
        where an empty node gets the number of a word.

    Returns
    -------
    Corpus
        The response as the official importer makes it, with what else is known of it in
        ``own["imported"]``; what our own alignment recovers if an official tool stops.

    Raises
    ------
    InvalidInput
        If the key or skeleton is not CoNLL-U, or if the numbers of documents differ.
    """
    given = key if skeleton is None else skeleton
    if skeleton is not None:
        _refuse_other_words(key, skeleton)
    text = skeleton_text(given)
    source = Source(name=path, path=Path(local(path)))
    data = source.read()
    lines = _lines(data, len(given)) if format == TEXT else []
    answers = [*lines, *(_records(source, data) if format == JSON else ())]
    _refuse_other_number(len(answers), given, path)
    aligned = _aligned(data, path, format, given)
    recovered = _recovered(text, aligned, given, path)
    documents = parsed(text)
    findings = [finding for finding in aligned.findings if finding.code in ABOUT_THE_ANSWER]
    findings += _better_lines(lines, documents, path)
    try:
        read = [
            _answered(each, document, zeros_from)
            for each, document in zip(answers, documents, strict=True)
        ]
        for document, answer in zip(documents, read, strict=True):
            has_own_zeros = zeros_from == "answer"
            put_into(document, answer, has_own_zeros=has_own_zeros, as_scored=as_scored)
        official = _read_conllu(documents, given, path)
    except CannotImport as stopped:
        about = Imported(
            zeros_from=zeros_from,
            skeleton=None if skeleton is None else skeleton.path,
            stopped=str(stopped),
            recovered=recovered,
            ledger=aligned.ledger,
        )
        message = (
            f"the official tools stop here: {stopped}; the score is that of what is recovered of "
            "the answer"
        )
        findings.append(Finding(Code.SCORER_FAILS, message, file=path))
        return replace(recovered, own=OwnColumns(imported=about), findings=tuple(findings))
    findings += _oddities(documents, path)
    findings += _lost_tags(lines, read, documents, path) if format == TEXT else []
    about = Imported(
        zeros_from=zeros_from,
        skeleton=None if skeleton is None else skeleton.path,
        recovered=recovered,
        ledger=aligned.ledger,
        without_shift=_without_shift(text, read, given, path, zeros_from),
    )
    return replace(official, own=OwnColumns(imported=about), findings=tuple(findings))


def skeleton_text(corpus: Corpus) -> str:
    """Return the CoNLL-U lines of a corpus, without which no answer can be put into it."""
    parts = [document_lines(corpus, document) for document in range(len(corpus))]
    if None in parts:
        raise InvalidInput.of(
            Code.NO_SOURCE,
            "it is not CoNLL-U, into which the answer is put",
            expected="the file that the model was given, or the key of the shared task",
            file=corpus.path,
        )
    texts = (part.decode(errors="surrogateescape").strip("\n") for part in parts if part)
    return "\n\n".join(texts).replace("\r\n", "\n") + "\n"


# ---- Reading ----


def _lines(data: bytes, documents: int) -> list[str]:
    """Return the lines of an answer; blank ones at the end only if there are so many documents."""
    text = data.removeprefix(BOM).decode(errors="surrogateescape")
    lines = [line.removesuffix("\r") for line in text.removesuffix("\n").split("\n")]
    while len(lines) > max(documents, 1) and not lines[-1].strip():
        lines.pop()
    return lines


def _records(source: Source, data: bytes) -> list[dict[str, Any]]:
    """Return the documents of a JSON answer; refuse what cannot be read."""
    builder = Builder()
    FORMATS[JSON].read(source, builder, ReadingOptions(), None)
    refuse_errors(builder.findings)
    value = json.loads(data.removeprefix(BOM))
    return value if isinstance(value, list) else [value]


def _answered(
    answer: str | dict[str, Any], document: TreeDocument, zeros_from: ZerosFrom
) -> Answered:
    if not isinstance(answer, str):
        entities = answer["clusters_token_offsets"] or []
        if any(first > last for entity in entities for first, last in entity):
            raise CannotImport(f"a mention of document {document.name!r} is inverted")
        return Answered(answer["tokens"], [[(a, b) for a, b in entity] for entity in entities])
    if zeros_from == "skeleton":
        return tagged(answer.split(" "))
    words = words_of(document)
    if is_too_long(answer, words):
        raise CannotImport(f"the answer to document {document.name!r} is too long to be cleaned")
    return tagged(cleaned(answer, words))


def _read_conllu(documents: Sequence[TreeDocument], given: Corpus, path: str) -> Corpus:
    """Read the file that the importer writes; its empty nodes stand where their numbers say."""
    data = as_conllu(documents).encode(errors="surrogateescape")
    builder = Builder()
    options = ReadingOptions(names="join")
    source = Source(name=path, path=None, _kept=data)
    format = FORMATS["corefud"]
    format.read(source, builder, options)
    errors = [finding for finding in builder.findings if finding.is_error]
    if errors:
        raise CannotImport(f"what they write cannot be read: {errors[0].message}")
    corpus = builder.corpus(path)
    numbers = [node.number % 10 for each in documents for node in each.nodes if node.is_empty]
    nodes = corpus.empty_nodes
    if len(nodes):
        nodes = replace(nodes, order=np.array(numbers, dtype=np.int64))
    return replace(
        corpus,
        document_names=given.document_names,
        empty_nodes=nodes,
        mention_lines=None,  # Those of a file that nobody sees.
        findings=(),
        is_unnamed=False,
        numbered={},
        _index={},
    )


def _aligned(data: bytes, path: str, format: str, given: Corpus) -> Matching:
    """Read an answer without the official tools, and align it with the skeleton."""
    builder = Builder()
    source = Source(name=path, path=None, _kept=_padded(data, len(given), format))
    FORMATS[format].read(source, builder, ReadingOptions(is_answer=True))
    refuse_errors(builder.findings)
    corpus = replace(
        builder.corpus(path),
        document_names=given.document_names,
        is_unnamed=False,
        numbered={},
        _index={},
    )
    return match_corpora(given, corpus, MatchingOptions(tokens="align"))


def _recovered(text: str, aligned: Matching, given: Corpus, path: str) -> Corpus:
    """Return what the alignment recovers of an answer, on the nodes of the skeleton."""
    documents = parsed(text)
    found = aligned.response
    mentions: list[list[list[list[Node]]]] = [[] for _ in documents]
    for number in range(len(found)):
        place = int(aligned.pairing.key_document[number])
        size, own = int(found.document_tokens[number]), documents[place].nodes
        if aligned.ledger is None:
            hidden = set(found.empty_nodes.tokens_of(number))
            shown = [ZERO if token in hidden else "" for token in range(size)]
            nodes = _nodes_of_tokens(documents[place], shown, "answer")
        else:
            # The zeros of a text now stand where those of the skeleton do.
            ours = word_places(given.empty_nodes, place, len(own)).tolist()
            node_at = dict(zip(ours, own, strict=True))
            theirs = word_places(found.empty_nodes, number, size).tolist()
            nodes = [node_at.get(each) for each in theirs]
        entities: dict[int, list[list[Node]]] = {}
        for row in found.mentions_of(number):
            places = [t for first, last in found.parts_of(row) for t in range(first, last + 1)]
            known = [node for t in places if (node := nodes[t]) is not None]
            entities.setdefault(int(found.mention_entity[row]), []).append(known)
        mentions[place] = list(entities.values())
    return _on_skeleton(given, mentions, path)


def _on_skeleton(
    given: Corpus, mentions: Sequence[Sequence[Sequence[Sequence[Node]]]], path: str
) -> Corpus:
    """Return entities on the nodes of a skeleton, with the heads that its trees give them.

    ``mentions`` has for each document its entities, each a list of mentions, which are nodes.
    """
    clusters: dict[str, list[list[MentionId]]] = {}
    heads: dict[tuple[int, MentionId], int] = {}
    for number, (name, entities) in enumerate(zip(given.document_names, mentions, strict=True)):
        clusters[name] = []
        for entity in entities:
            known = [sorted(nodes, key=lambda node: node.origin) for nodes in entity if nodes]
            ids = [_id_of(nodes) for nodes in known]
            for nodes, id in zip(known, ids, strict=True):
                heads[number, id] = head_of(nodes, nodes[0]).origin
            if ids:
                clusters[name].append(ids)
    corpus = given.with_clusters(clusters)
    found = [
        heads[number, corpus.mention_id(row)]
        for number in range(len(corpus))
        for row in corpus.mentions_of(number)
    ]
    return replace(
        corpus, mention_heads=np.array(found, dtype=np.int64), path=path, findings=(), _index={}
    )


def _id_of(nodes: Sequence[Node]) -> MentionId:
    """Return the first and last token of a mention, or those of each of its parts."""
    parts = places_of(node.origin for node in nodes)
    return parts[0] if len(parts) == 1 else parts


def _padded(data: bytes, documents: int, format: str) -> bytes:
    """Return text whose last lines are not blank: blank lines at the end are no documents."""
    if format == JSON:
        return data
    lines = _lines(data, documents)
    # A word that no text has stands for an answer that is missing.
    if not lines[-1].strip():
        lines[-1] = "\u200b"
    return "\n".join(lines).encode(errors="surrogateescape")


# ---- Zeros at their own places ----


def _without_shift(
    text: str, answers: Sequence[Answered], given: Corpus, path: str, zeros_from: ZerosFrom
) -> Corpus:
    """Return the response with the empty nodes of the skeleton, where they stand there."""
    mentions = []
    for document, answer in zip(parsed(text), answers, strict=True):
        nodes = _nodes_of_tokens(document, answer.tokens, zeros_from)
        mentions.append(
            [
                [[n for n in nodes[a : b + 1] if n is not None] for a, b in ranges]
                for ranges in answer.entities
            ]
        )
    return _on_skeleton(given, mentions, path)


def _nodes_of_tokens(
    document: TreeDocument, tokens: Sequence[str], zeros_from: ZerosFrom
) -> list[Node | None]:
    """Return the node of the skeleton for each token; None for zeros that it does not have."""
    (copy,) = parsed(as_conllu([document]))
    moved = [node.origin for sentence in copy.sentences for node in moved_for_text(sentence)]
    nodes = document.nodes
    if zeros_from == "skeleton" and len(moved) == len(tokens):
        return [nodes[origin] for origin in moved]
    result: list[Node | None] = []
    place = 0
    for token in tokens:
        if token.startswith(ZERO):
            is_zero = place < len(moved) and nodes[moved[place]].is_empty
            result.append(nodes[moved[place]] if is_zero else None)
            place += is_zero
            continue
        while place < len(moved) and nodes[moved[place]].is_empty:
            place += 1
        result.append(nodes[moved[place]] if place < len(moved) else None)
        place += 1
    return result


def perfect_answer(key: Corpus, zeros_from: ZerosFrom) -> Corpus | None:
    """Return what the official tools make of an answer that is the key itself."""
    text = skeleton_text(key)
    documents = parsed(text)
    answers = []
    for number, document in enumerate(documents):
        mentions = mentions_in(key, number, document)
        found = exported(document, mentions, ExportOptions(zeros=True))
        entities: dict[str, list[tuple[int, int]]] = {}
        for entity, first, last in found.mentions:
            entities.setdefault(entity, []).append((first, last))
        answers.append(Answered(found.tokens, list(entities.values())))
    documents = parsed(text)
    try:
        for document, answer in zip(documents, answers, strict=True):
            put_into(document, answer, has_own_zeros=zeros_from == "answer")
        return _read_conllu(documents, key, key.path or "")
    except CannotImport:
        return None


# ---- Scores ----


def with_other_readings(scores: Scores, matching: Matching, options: Options) -> Scores:
    """Return the scores of an answer with what else can be made of it.

    If an official tool stops, the scores are those of what is recovered of the answer. The scores
    of other responses stay as they are.
    """
    imported = imported_of(matching.response)
    if imported is None:
        return scores
    clean, key = options.of_analyses, matching.key

    def conll(response: Corpus | None, rules: Options) -> float | None:
        bare = None if response is None else replace(response, own=OwnColumns())
        return None if bare is None else score_corpora(key, bare, rules).conll

    recovered = score_corpora(key, imported.recovered, clean)
    official = None if imported.stopped else scores.conll
    without_shift = conll(imported.without_shift, clean)
    findings = list(scores.findings)
    if imported.stopped:
        findings = [*matching.response.findings, *recovered.findings]
        scores = replace(recovered, profile=scores.profile, path=scores.path)
    if recovered.conll is not None:
        shown = PERCENT.shown(recovered.conll)
        findings = [
            each.followed_by(f"; the answer scores {shown} without this")
            if each.code == CLEANED_AWAY
            else each
            for each in findings
        ]
    if without_shift is not None and without_shift != conll(matching.response, clean):
        perfect = conll(perfect_answer(key, options.zeros_from), options)
        if perfect is not None and perfect < 1:
            message = (
                "the text format moves empty nodes behind their parents; a perfect answer scores "
                f"{PERCENT.shown(perfect)}; this one, without that, {PERCENT.shown(without_shift)}"
            )
            findings.append(Finding(MOVED_ZEROS, message, file=scores.path))
    figures = AnswerFigures(
        zeros_from=imported.zeros_from,
        skeleton=imported.skeleton,
        official=official,
        recovered=recovered.conll,
        without_shift=without_shift,
    )
    ledger = cast("CorpusLedger | None", imported.ledger)
    return replace(scores, ledger=ledger, crac=figures, findings=tuple(findings))


# ---- What there is to say ----


def _refuse_other_words(key: Corpus, skeleton: Corpus) -> None:
    """Refuse a skeleton with other documents, sentences or words than the key."""
    found = expected = None
    if len(key) != len(skeleton):
        found, expected = (
            f"the skeleton has {len(skeleton):,} documents",
            f"{len(key):,}, as the key",
        )
    else:
        for place, name in enumerate(key.document_names):
            ours = key.word_digests and key.word_digests[place]
            theirs = skeleton.word_digests and skeleton.word_digests[place]
            if ours != theirs:
                found, expected = f"document {name!r} has other words in the skeleton", "the same"
                break
    if found:
        path = skeleton.path
        raise InvalidInput.of(Code.NOT_IN_FILE, found, expected=expected, file=path)


def _refuse_other_number(found: int, given: Corpus, path: str) -> None:
    if found != len(given):
        answers = "1 document" if found == 1 else f"{found:,} documents"
        raise InvalidInput.of(
            Code.NOT_PAIRED,
            f"the answer has {answers}, the key has {len(given):,}",
            expected="the same number, because they are paired by position",
            file=path,
        )


def _better_lines(
    lines: Sequence[str], documents: Sequence[TreeDocument], path: str
) -> Iterator[Finding]:
    """Report lines that have the words of another document than their own."""
    texts = [Counter(word for s in words_of(document) for word in s) for document in documents]
    for number, line in enumerate(lines):
        words = Counter(
            form for token in line.split() if not (form := token.partition("|")[0]).startswith(ZERO)
        )
        if not words or 2 * _common(words, texts[number]) >= sum(texts[number].values()):
            continue
        best = max(range(len(texts)), key=lambda each: _common(words, texts[each]))
        if 2 * _common(words, texts[best]) > sum(texts[best].values()) and best != number:
            yield Finding(
                OTHER_LINE,
                f"the line has the words of {documents[best].name!r}",
                expected=(
                    f"those of {documents[number].name!r}: lines and documents are paired by "
                    "position"
                ),
                file=path,
                line=number + 1,
            )


def _common(words: Counter[str], others: Counter[str]) -> int:
    return sum(min(count, others[word]) for word, count in words.items())


def _oddities(documents: Sequence[TreeDocument], path: str) -> Iterator[Finding]:
    """Report empty nodes that get the numbers of words."""
    count = sum(is_at_word(node) for document in documents for node in document.nodes)
    if count:
        nodes = "1 empty node gets" if count == 1 else f"{count:,} empty nodes get"
        message = f"{nodes} the number of a word (N.0) from the official importer, and its place"
        yield Finding(NODE_AT_WORD, message, file=path)


def _lost_tags(
    lines: Sequence[str],
    answers: Sequence[Answered],
    documents: Sequence[TreeDocument],
    path: str,
) -> Iterator[Finding]:
    """Report tags that the cleaner takes from words which are right."""
    lost = 0
    for line, answer, document in zip(lines, answers, documents, strict=True):
        kept = sum(map(len, answer.entities))
        forms = [token.partition("|")[0] for token in line.split()]
        if [form for form in forms if not form.startswith(ZERO)] == _shown(document):
            lost += max(0, _tagged_mentions(line) - kept)
    if lost:
        mentions = "1 mention" if lost == 1 else f"{lost:,} mentions"
        message = (
            f"the official cleaner takes {mentions} away from words that are right: forms with "
            "blanks, zeros at the end of a document, or ids other than 'e' and digits"
        )
        yield Finding(CLEANED_AWAY, message, file=path)


def _tagged_mentions(line: str) -> int:
    """Return how many mentions the tags of a line mark."""
    return len(parse_words(line).mentions)


def _shown(document: TreeDocument) -> list[str]:
    """Return the words of a document as the text format shows them."""
    return [BLANK.sub("_", node.form) for node in document.nodes if not node.is_empty]
