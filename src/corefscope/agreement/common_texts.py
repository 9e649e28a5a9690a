"""Bring annotators to the same documents and tokens, so that their mentions can be compared."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence, Set

import numpy as np
from msgspec import Struct, field
from msgspec.structs import replace
from numpy.typing import NDArray

from corefscope.corpus import Corpus, Integers
from corefscope.exceptions import InvalidInput, WrongArgument, refuse_errors
from corefscope.findings import Code, Finding, some_documents
from corefscope.formatting import counted
from corefscope.inputs import System
from corefscope.matching.documents import differences, paired_documents
from corefscope.matching.matching import MatchingOptions
from corefscope.matching.spelling import is_same_part
from corefscope.transfer.letters import MASKED, is_same_spelling, plain_words, unlike_texts

Booleans = NDArray[np.bool_]
SIDES = re.compile(r"\bthe (key|response)\b")


class NotComparable(WrongArgument):
    """Annotators that cannot be compared: too few, unknown, or by rules that take sides."""


class CommonTexts(Struct, frozen=True, eq=False, kw_only=True):
    """Annotators whose documents have the same names and the same tokens."""

    annotators: Sequence[System]
    """Sorted by name, so that nothing depends on the order in which they were given."""
    documents: Sequence[str]
    """All documents that someone annotated."""
    annotated: Booleans
    """Whether each annotator annotated each document."""
    findings: Sequence[Finding]

    @property
    def compared(self) -> Booleans:
        """Whether each document has two annotators or more."""
        return np.asarray(self.annotated.sum(axis=0) > 1)

    def documents_of(self, annotator: int) -> Integers:
        """Return the number, among all documents, of each document of an annotator."""
        place = {name: number for number, name in enumerate(self.documents)}
        names = self.annotators[annotator].response.document_names
        return np.array([place[name] for name in names], dtype=np.int64)


def common_texts(annotators: Sequence[System], options: MatchingOptions) -> CommonTexts:
    """Pair the documents of all annotators, and carry mentions over where tokens differ.

    Tokens are those of the annotator with the most documents and tokens, so that mentions lose no
    boundaries. Each document that this annotator lacks has the tokens of the next one.

    Raises
    ------
    InvalidInput
        If annotators have different texts (``E202``), or one shares no document (``E201``).
    """
    placed: list[System] = []
    findings: list[Finding] = []
    for annotator in sorted(annotators, key=_rank):
        work = _Placement(annotator=annotator, corpus=annotator.response)
        for other in placed:
            work.place_on(other, options)
        known = {name for other in placed for name in other.response.document_names}
        placed.append(work.placed(known))
        findings += work.findings
    refuse_errors(findings)
    names = list(dict.fromkeys(name for each in placed for name in each.response.document_names))
    ordered = sorted(placed, key=lambda each: each.name)
    annotated = np.array(
        [[name in each.response for name in names] for each in ordered], dtype=bool
    )
    annotated = annotated.reshape(len(ordered), len(names))
    _refuse_strangers(ordered, annotated)
    found = CommonTexts(annotators=ordered, documents=names, annotated=annotated, findings=())
    return replace(found, findings=(*findings, *_annotated_by_some(found)))


def _rank(annotator: System) -> tuple[bool, int, int, str]:
    """Return what annotators are sorted by: the first one's tokens are those of all."""
    corpus = annotator.response
    tokens = int(np.maximum(corpus.document_tokens, 0).sum())
    return corpus.copies is not None, -len(corpus), -tokens, annotator.name


class _Placement(Struct, kw_only=True):
    """Places the documents of an annotator on those of others."""

    annotator: System
    corpus: Corpus
    names: dict[int, str] = field(default_factory=dict)
    """The common names of the documents that are placed."""
    findings: list[Finding] = field(default_factory=list)

    def place_on(self, other: System, options: MatchingOptions) -> None:
        """Place documents on those of another annotator that are the same."""
        theirs = other.response
        taken = set(self.names.values())
        pairs = np.full(len(self.corpus), -1, dtype=np.int64)
        for number, document in self._paired(other, options).items():
            name = theirs.document_names[document]
            if number not in self.names and name not in taken:
                pairs[number] = document
                self.names[number] = name
        if (pairs >= 0).any():
            self._carry(other, pairs, options)

    def _paired(self, other: System, options: MatchingOptions) -> Mapping[int, int]:
        try:
            return paired_documents(other.response, self.corpus, options.pair_by).all
        except InvalidInput as error:
            found = [reworded(each, other.name, self.annotator.name) for each in error.findings]
            raise type(error)(found) from None

    def _carry(self, other: System, pairs: Integers, options: MatchingOptions) -> None:
        theirs, found = other.response, list(self._renamed(other, pairs))
        is_special = theirs.copies is not None or self.corpus.copies is not None
        if is_special or len(unlike_texts(theirs, self.corpus, pairs)):
            # Loaded here because most annotators have the same tokens.
            from corefscope.transfer.carrying import carry_over

            transfer = carry_over(theirs, self.corpus, pairs, options.tokens, options.snap)
            self.corpus = transfer.response
            found += transfer.findings
        if options.tokens != "ignore":
            found += _other_texts(theirs, self.corpus, pairs)
        if not any(finding.is_error for finding in found):
            found += differences(theirs, self.corpus, pairs, options.tokens)
        self.findings += [reworded(each, other.name, self.annotator.name) for each in found]

    def _renamed(self, other: System, pairs: Integers) -> Iterator[Finding]:
        """Report documents that are paired although their names differ."""
        ours, theirs = self.corpus.document_names, other.response.document_names
        renamed = [
            n
            for n, at in enumerate(pairs.tolist())
            if at >= 0 and not is_same_part(ours[n], theirs[at])
        ]
        if renamed:
            first = renamed[0]
            message = (
                f"document {ours[first]!r} is paired with {theirs[int(pairs[first])]!r} of "
                f"{other.name}, whose name differs"
            )
            if len(renamed) > 1:
                message += f"; paired in the same way: {len(renamed) - 1:,} more"
            yield Finding(Code.PAIRED_OTHERWISE, message, file=self.corpus.file_of(first))

    def placed(self, known: Set[str]) -> System:
        """Return the annotator with common names.

        A document that nobody before has keeps its name, unless a document with that name is known:
        they have different texts.
        """
        names, taken = [], {*self.names.values(), *known}
        for number, own in enumerate(self.corpus.document_names):
            name = self.names.get(number, own)
            while number not in self.names and name in taken:
                name = f"{name} ({self.annotator.name})"
            taken.add(name)
            names.append(name)
        corpus = replace(
            self.corpus,
            document_names=tuple(names),
            is_unnamed=False,
            numbered={},
            _index={},
        )
        return replace(self.annotator, corpus=corpus)


def reworded(finding: Finding, key: str, response: str) -> Finding:
    """Return a finding about key and response in terms of two annotators."""
    names = {"key": key, "response": response}

    def named(text: str) -> str:
        text = SIDES.sub(lambda side: names[side[1]], text)
        return text.replace("key and response", f"{key} and {response}")

    expected = None if finding.expected is None else named(finding.expected)
    return replace(finding, found=named(finding.found), expected=expected)


def _other_texts(key: Corpus, response: Corpus, pairs: Integers) -> Iterator[Finding]:
    """Report documents of the same length whose words differ so much that the texts differ."""
    # Loaded here because most annotators have the same words.
    from corefscope.transfer.carrying import MOST_DIFFERENT

    for number in unlike_texts(key, response, pairs).tolist():
        words = plain_words(key, int(pairs[number])), plain_words(response, number)
        if len(words[0]) != len(words[1]):
            continue
        unlike = sum(
            one != other and not {one, other} & MASKED and not is_same_spelling(one, other)
            for one, other in zip(*words, strict=True)
        )
        if unlike > MOST_DIFFERENT * len(words[0]):
            yield Finding(
                Code.TOKEN_COUNT,
                f"document {response.document_names[number]!r} has other words than that of the "
                f"key: {unlike:,} of {len(words[0]):,} differ",
                expected="the same text",
                file=response.file_of(number),
            )


def _refuse_strangers(annotators: Sequence[System], annotated: Booleans) -> None:
    """Raise InvalidInput if an annotator has no document that another one has."""
    shared = annotated & (annotated.sum(axis=0) > 1)
    strangers = [each for each, own in zip(annotators, shared, strict=True) if not own.any()]
    if not strangers:
        return
    findings = []
    for annotator in strangers:
        names = annotator.response.document_names
        other = next(each for each in annotators if each is not annotator)
        expected = other.response.document_names
        found = f"such as {names[0]!r}" if names else "no document at all"
        like = f", such as {expected[0]!r}" if expected else ""
        findings.append(
            Finding(
                Code.NOT_PAIRED,
                f"{annotator.name} has no document that another annotator has ({found})",
                expected=f"the same texts{like}",
                file=annotator.response.path,
            )
        )
    raise InvalidInput(findings)


def _annotated_by_some(texts: CommonTexts) -> Iterator[Finding]:
    """Report documents that some annotators lack, and pairs of annotators that share none."""
    total = len(texts.annotators)
    count = texts.annotated.sum(axis=0)
    partial = np.flatnonzero((count > 1) & (count < total)).tolist()
    single = np.flatnonzero(count == 1).tolist()
    for numbers, outcome in (
        (partial, "is scored over those it has"),
        (single, "is left out, because it has no other"),
    ):
        if numbers:
            first = texts.documents[numbers[0]]
            who = [each for each in texts.annotators if first in each.response]
            names = ", ".join(each.name for each in who)
            lack = "lacks" if len(numbers) == 1 else "lack"
            corpus = who[0].response
            yield Finding(
                Code.SOME_ANNOTATED,
                f"{some_documents(len(numbers), len(count))} {lack} some of the {total} annotators "
                f"({first!r} is by {names}), and {outcome}",
                expected="annotations by all",
                file=corpus.file_of(corpus.index(first)),
            )
    apart = [
        (one, other)
        for i, one in enumerate(texts.annotators)
        for j, other in enumerate(texts.annotators[:i])
        if not (texts.annotated[i] & texts.annotated[j]).any()
    ]
    if apart:
        yield Finding(
            Code.SOME_ANNOTATED,
            f"{counted(len(apart), 'pair')} of annotators share no document and are left out, "
            f"such as {apart[0][1].name} and {apart[0][0].name}",
            expected="documents that both annotated",
            file=apart[0][1].response.path,
        )
