"""Pair the documents of a response with those of the key."""

from __future__ import annotations

import re
import reprlib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import zip_longest
from types import MappingProxyType
from typing import Literal

import numpy as np
from msgspec import Struct, field
from msgspec.structs import replace

from corefscope.choices import Missing, OtherTokens, PairBy
from corefscope.corpus import UNKNOWN_LENGTH, Corpus, Document, Integers
from corefscope.corpus.offsets import TABLE
from corefscope.exceptions import IncompleteResponse, InvalidInput, SeveralNames
from corefscope.findings import Code, Finding, Remedy
from corefscope.transfer.letters import (
    MASKED,
    has_same_text,
    is_other_form,
    is_same_spelling,
    pair_texts,
    piece_of,
    plain_words,
    texts_in_common,
)

Absent = Missing | Literal["ignore"]
"""How to treat documents missing from the response; only the published error analysis ignores
them."""
SHOWN = 3
"""How many names of each side a message shows."""


class Pairing(Struct, frozen=True, kw_only=True):
    """The documents of a response, paired with those of the key."""

    key_document: Integers
    """The key's document for each document of the response, or −1."""
    missing: list[str] = field(default_factory=list)
    """Documents of the key that are missing from the response; they count as empty."""
    extra: list[str] = field(default_factory=list)
    """Documents that only the response has; they are ignored."""
    ignored: Sequence[str] = ()
    """Documents of the key that are left out because they are missing from the response."""
    findings: list[Finding] = field(default_factory=list)


def pair_documents(key: Corpus, response: Corpus, missing: Absent, pair_by: PairBy) -> Pairing:
    """Pair documents; raise ``InvalidInput`` if none can be paired."""
    paired = paired_documents(key, response, pair_by)
    partner = paired.all
    if len(key) and len(response) and not partner:
        raise InvalidInput([_nothing_in_common(key, response, pair_by)])
    pairs = [
        _unless_emptied(key, partner.get(number, -1), response, number)
        for number in range(len(response))
    ]
    found = set(pairs)
    absent = [name for i, name in enumerate(key.document_names) if i not in found]
    extra = [name for i, name in enumerate(response.document_names) if i not in partner]
    ignored = absent if missing == "ignore" else []
    pairing = Pairing(
        key_document=np.array(pairs, dtype=np.int64), missing=absent, extra=extra, ignored=ignored
    )
    if paired.spelled:
        names = key.document_names, response.document_names
        unnamed = unnamed_pair(key, response)
        if unnamed is None:
            pairing.findings.extend(spelled_findings(*names, paired.spelled, response.file_of))
        elif not _is_usual(key, 0, response, 0):
            pairing.findings.append(unnamed)
    pairing.findings.extend(_paired_otherwise(key, response, paired))
    twins = texts_in_common(key, absent, response, extra) if pair_by != "name" else {}
    pairing.findings.extend(absences(response.path, absent, extra, missing, twins))
    return pairing


def differences(
    key: Corpus, response: Corpus, key_document: Integers, tokens: OtherTokens
) -> Iterator[Finding]:
    """Report paired documents whose tokens or words differ."""
    paired = np.flatnonzero(key_document >= 0)
    documents = key_document[paired]
    lengths = np.stack((key.word_counts[documents], response.word_counts[paired]))
    is_odd = (lengths[0] != lengths[1]) | (lengths[0] == UNKNOWN_LENGTH)
    pairs = list(zip(documents.tolist(), paired.tolist(), strict=True))
    for ours, theirs in (
        (key.word_digests, response.word_digests),
        (key.sentence_digests, response.sentence_digests),
    ):
        if ours is not None and theirs is not None:
            differ = [_differ(ours[document], theirs[number]) for document, number in pairs]
            is_odd |= np.array(differ, dtype=bool)
    odd = [pairs[place] for place in np.flatnonzero(is_odd).tolist()]
    names = dict(zip(key.word_digests or (), key.document_names, strict=False)) if odd else {}
    names.pop(None, None)
    for document, number in odd:
        for finding in _differences(key, document, response, number, tokens):
            text = response.word_digests[number] if response.word_digests else None
            same = names.get(text)
            # Where empty nodes differ, the words may be those of this very document.
            is_own = same == key.document_names[document]
            yield _if_swapped(finding, None if is_own else same)


def _if_swapped(finding: Finding, name: str | None) -> Finding:
    """Return a finding with the name of the document of the key that has the same text, if any."""
    if name is None:
        return finding
    hint = f". It has the text of {name!r} of the key: are names swapped?"
    return replace(finding.followed_by(hint), remedy=Remedy.PAIR_BY_TEXT)


class PairedDocuments(Struct, frozen=True, kw_only=True):
    """The key's document for each document of the response, by the reason why they are paired."""

    literal: Mapping[int, int] = field(default_factory=dict)
    spelled: Mapping[int, int] = field(default_factory=dict)
    by_text: Mapping[int, int] = field(default_factory=dict)
    similar: Mapping[int, int] = field(default_factory=dict)
    """Those that have nearly the same text."""
    by_position: Mapping[int, int] = field(default_factory=dict)

    @property
    def all(self) -> dict[int, int]:
        """All pairs."""
        by_text = {**self.by_text, **self.similar}
        return {**self.literal, **self.spelled, **by_text, **self.by_position}


def paired_documents(key: Corpus, response: Corpus, pair_by: PairBy) -> PairedDocuments:
    """Pair documents; raise ``InvalidInput`` if they have no order in common but should have."""
    if pair_by == "position":
        if len(key) != len(response):
            raise InvalidInput([_other_number(key, response)])
        return PairedDocuments(by_position={number: number for number in range(len(key))})
    literal, spelled = ({}, {}) if pair_by == "text" else paired_names(key, response, pair_by)
    if pair_by == "name":
        return PairedDocuments(literal=literal)
    found = {*literal.values(), *spelled.values()}
    ours = [document for document in range(len(key)) if document not in found]
    theirs = [n for n in range(len(response)) if n not in literal and n not in spelled]
    if not ours or not theirs:
        return PairedDocuments(literal=literal, spelled=spelled)
    # Loaded here because most names are paired.
    from corefscope.transfer.similarity import pair_similar

    by_text = pair_texts(key, ours, response, theirs)
    found = set(by_text.values())
    similar = pair_similar(
        key,
        [document for document in ours if document not in found],
        response,
        [number for number in theirs if number not in by_text],
    )
    paired = PairedDocuments(literal=literal, spelled=spelled, by_text=by_text, similar=similar)
    if pair_by != "auto" or not _are_nameless_answers(key, response, paired):
        return paired
    known = paired.all
    rest = {number: number for number in range(len(key)) if number not in known}
    return replace(paired, by_position=rest)


def _are_nameless_answers(key: Corpus, response: Corpus, paired: PairedDocuments) -> bool:
    """Return whether documents are answers without names, as many as there are texts.

    Their texts say which they belong to, unless a model changed them or gives only strings. Then
    their order does, if all texts that are known agree with it.
    """
    if response.copies is None or len(key) != len(response):
        return False
    are_numbered = response.numbered.keys() >= set(response.document_names)
    in_order = all(number == document for number, document in paired.all.items())
    is_needed = are_numbered and in_order and len(paired.all) < len(key)
    return is_needed and field_with_names(key, response) is None


def field_with_names(key: Corpus, response: Corpus) -> str | None:
    """Return a field of records without names in which some have a name of the key."""
    names = set(key.document_names)
    given = {pair for fields in response.numbered.values() for pair in fields.items()}
    count = Counter(field for field, value in given if value in names)
    return next((field for field, found in count.items() if found >= min(2, len(response))), None)


def _other_number(key: Corpus, response: Corpus) -> Finding:
    return Finding(
        Code.NOT_PAIRED,
        f"the response has {_counted(response)}, the key has {_counted(key)}",
        expected="the same number, because documents are to be paired by position",
        file=response.path,
    )


def _counted(corpus: Corpus) -> str:
    return "1 document" if len(corpus) == 1 else f"{len(corpus):,} documents"


def _paired_otherwise(key: Corpus, response: Corpus, paired: PairedDocuments) -> Iterator[Finding]:
    """Report documents of different names that are paired by text or by position."""
    is_asked = len(paired.by_position) == len(key) and response.copies is None
    by_order = "they have the same position" + (", as requested" if is_asked else "")
    for code, pairs, reason in (
        (Code.PAIRED_OTHERWISE, paired.by_text, "they have the same text"),
        (Code.PAIRED_OTHERWISE, paired.similar, "they have nearly the same text"),
        (Code.PAIRED_OTHERWISE, paired.by_position, by_order),
    ):
        others = {
            number: document
            for number, document in pairs.items()
            if key.document_names[document] != response.document_names[number]
            and not (pairs is paired.by_text and _is_usual(key, document, response, number))
        }
        if others:
            number, document = min(others.items())
            message = (
                f"document {response.document_names[number]!r} is paired with "
                f"{key.document_names[document]!r} of the key, because {reason}"
                f"{_others(len(others) - 1)}"
            )
            yield Finding(code, message, file=response.file_of(number))


def _is_usual(key: Corpus, document: int, response: Corpus, number: int) -> bool:
    """Return whether documents without names are the same: by their texts, or as only tables."""
    if key.offsets.format == response.offsets.format == TABLE:
        return True
    is_numbered = (
        key.document_names[document] in key.numbered
        or response.document_names[number] in response.numbered
    )
    return is_numbered and has_same_text(key, document, response, number)


def paired_names(
    key: Corpus, response: Corpus, pair_by: PairBy
) -> tuple[dict[int, int], dict[int, int]]:
    """Return the key's document for each document of the response: by name, and otherwise.

    Names that differ are paired if only their spelling differs, or if each side is a single
    document that its source does not name, as a file of one text often does not. Documents whose
    names are only numbers in their files are paired if they have the same text.
    """
    literal, spelled = pair_names(key.document_names, response.document_names, pair_by)
    if pair_by == "auto" and unnamed_pair(key, response):
        return {}, {0: 0}
    if pair_by == "auto" and key.numbered and response.numbered:
        literal, spelled = (_of_same_text(key, response, pairs) for pairs in (literal, spelled))
    return literal, spelled


def _of_same_text(key: Corpus, response: Corpus, pairs: Mapping[int, int]) -> dict[int, int]:
    """Leave out pairs of documents that have the same number but not the same text.

    A number is only a position, which says nothing if a document is missing or the order differs;
    unless both sides are fields of one file.
    """
    return {
        number: document
        for number, document in pairs.items()
        if key.document_names[document] not in key.numbered
        or response.document_names[number] not in response.numbered
        or key.file_of(document) == response.file_of(number)
        or has_same_text(key, document, response, number)
    }


def unnamed_pair(key: Corpus, response: Corpus) -> Finding | None:
    """Return a finding if each side is one document without a name of its own, else None."""
    names = key.document_names, response.document_names
    if not (key.is_unnamed and response.is_unnamed) or names[0] == names[1]:
        return None
    message = (
        f"document {names[1][0]!r} is paired with {names[0][0]!r} of the key, because each side "
        "has only one document, without a name; to be sure, write the same name into both"
    )
    return Finding(Code.PAIRED_OTHERWISE, message, file=response.file_of(0))


def pair_names(
    key: Sequence[str], others: Sequence[str], pair_by: PairBy
) -> tuple[dict[int, int], dict[int, int]]:
    """Return the position in the key of each name that is paired: by name, and by spelling."""
    place = {name: i for i, name in enumerate(key)}
    literal = {number: place[name] for number, name in enumerate(others) if name in place}
    if pair_by == "name" or len(literal) in (len(key), len(others)):
        return literal, {}
    from corefscope.matching.spelling import pair_spellings

    found = set(literal.values())
    spelled = pair_spellings(
        {i: name for i, name in enumerate(key) if i not in found},
        {i: name for i, name in enumerate(others) if i not in literal},
    )
    return literal, spelled


def spelled_findings(
    key: Sequence[str],
    others: Sequence[str],
    pairs: Mapping[int, int],
    file_of: Callable[[int], str | None],
) -> Iterator[Finding]:
    """Report that names are paired by spelling: the first one, and how many.

    That CoNLL files write ``(x); part 000`` for ``x`` is no reason to doubt.
    """
    if not pairs:
        return
    from corefscope.matching.spelling import is_same_part

    odd = sorted(n for n, document in pairs.items() if not is_same_part(others[n], key[document]))
    if odd:
        name, meant = others[odd[0]], key[pairs[odd[0]]]
        message = (
            f"document {name!r} is paired with {meant!r} of the key, because only the spelling of "
            f"the names differs{_others(len(odd) - 1)}"
        )
        yield Finding(Code.PAIRED_OTHERWISE, message, file=file_of(odd[0]))


def _others(rest: int) -> str:
    """Return the end of a sentence about one pair of documents."""
    return {0: "", 1: "; 1 other document is paired in the same way"}.get(
        rest, f"; {rest:,} other documents are paired in the same way"
    )


def _unless_emptied(key: Corpus, document: int, response: Corpus, number: int) -> int:
    """Return the document, or −1 if it has no tokens but the key's has: it counts as missing.

    An empty copy of a text with tags is a failed one, and does not count as missing.
    """
    if response.copies is not None:
        return document
    if document >= 0 and response.document_tokens[number] == 0 < key.document_tokens[document]:
        return -1
    return document


def only_document(
    key: Corpus, response: Corpus, name: str, pair_by: PairBy = "auto"
) -> tuple[Corpus, Corpus]:
    """Return both corpora with one document; the response is empty if it lacks the document.

    ``name`` may be a part of the name that no other document of the key has.
    """
    name = document_named(key, name)
    chosen = key.only(name)
    pairs = paired_documents(key, response, pair_by).all
    if not pairs:
        raise InvalidInput([_nothing_in_common(key, response, pair_by)])
    wanted = key.index(name)
    for number, document in pairs.items():
        if document == wanted:
            return chosen, response.only(response.document_names[number])
    nothing = Corpus.from_clusters({}, path=response.path)
    return chosen, replace(nothing, findings=response.findings)


def document_named(corpus: Corpus, name: str) -> str:
    """Return the name of the document that has this name, or alone has this text in its name.

    Raises ``UnknownName`` if there is none, and ``SeveralNames`` if there are several.
    """
    found = [each for each in corpus.document_names if name and str(name) in each]
    if name in corpus or not found:
        return corpus.document_names[corpus.index(name)]
    if len(found) > 1:
        raise SeveralNames("document", name, found)
    return found[0]


def short_name(name: str, names: Sequence[str]) -> str:
    """Return the shortest word of a name that only this document has, or the name itself."""
    words = (word for word in re.findall(r"\w+", name) if sum(word in each for each in names) == 1)
    return min(words, key=len, default=name)


def refuse(findings: Sequence[Finding]) -> None:
    """Raise ``InvalidInput`` for errors, or ``IncompleteResponse`` if documents are missing."""
    errors = [finding for finding in findings if finding.is_error]
    if errors:
        lacking = all(error.code is Code.MISSING_REFUSED for error in errors)
        raise IncompleteResponse(errors) if lacking else InvalidInput(errors)


def absences(
    path: str | None,
    absent: Sequence[str],
    extra: Sequence[str],
    missing: Absent,
    twins: Mapping[str, str] = MappingProxyType({}),
) -> Iterator[Finding]:
    """Yield findings about missing documents, and about those that only the response has.

    ``twins`` has a document of the key for each that has its text, but is not its only copy.
    """
    for name in absent:
        if missing == "error":
            yield Finding(
                Code.MISSING_REFUSED,
                f"document {name!r} of the key is missing",
                expected="it in the response",
                file=path,
            )
        else:
            counts = "is left out" if missing == "ignore" else "counts as an empty response"
            message = f"document {name!r} of the key is missing; it {counts}"
            is_odd = name == absent[0] and len(extra) == len(absent)
            remedy = Remedy.PAIR_OTHERWISE if is_odd else None
            yield Finding(Code.MISSING, message, file=path, remedy=remedy)
    lacking = set(absent)
    for name in extra:
        found, expected = f"document {name!r} is not in the key; it is ignored", None
        whole, _, number = name.rpartition("@")
        if number.isdecimal() and whole in lacking:
            found = f"document {name!r} seems to be a window of {whole!r}, and is ignored"
            expected = "one answer with all windows of the document"
        if name in twins:
            expected = None
            found = (
                f"document {name!r} has the text of {twins[name]!r} of the key, but that text "
                "occurs more than once; it is ignored: give both sides the same names, or pair by "
                "position"
            )
        yield Finding(Code.EXTRA, found, expected=expected, file=path)


def _differences(
    key: Corpus, document: int, response: Corpus, number: int, tokens: OtherTokens
) -> Iterator[Finding]:
    expected, found = key.word_count(document), response.word_count(number)
    if expected != found and UNKNOWN_LENGTH not in (expected, found):
        code = Code.TOKENS_DIFFER if tokens == "ignore" else Code.TOKEN_COUNT
        name = key.document_names[document]
        count = "1 token" if found == 1 else f"{found} tokens"
        carried = ""
        if piece := piece_of(Document(response, number).words or ()):
            count = f"{found} word pieces, such as {piece!r}"
            carried = "; aligning the words carries its mentions over"
        yield Finding(
            code,
            f"document {name!r} has {count}",
            expected=f"{expected}, as in the key{carried}",
            file=response.file_of(number),
        )
    elif UNKNOWN_LENGTH in (expected, found):
        yield from _beyond(response, number, expected)
        yield from _beyond(key, document, found)
    elif _digests_differ(key.word_digests, document, response.word_digests, number):
        yield from _first_other_word(key, document, response, number)
    elif _digests_differ(key.sentence_digests, document, response.sentence_digests, number):
        yield from _first_other_sentence(key, document, response, number)


def _beyond(corpus: Corpus, document: int, tokens: int) -> Iterator[Finding]:
    """Yield a finding if a mention ends beyond the text of the other side, which has a length."""
    if tokens == UNKNOWN_LENGTH or not corpus.has_spans:
        return
    rows = corpus.mentions_of(document)
    last = int(corpus.mention_spans[rows.start : rows.stop, 1].max(initial=-1))
    if last >= tokens:
        name = corpus.document_names[document]
        yield Finding(
            Code.TOKENS_DIFFER,
            f"document {name!r} has a mention up to token {last}",
            expected=f"{tokens} tokens",
            file=corpus.file_of(document),
        )


def _digests_differ(
    key: Sequence[bytes | None] | None,
    document: int,
    response: Sequence[bytes | None] | None,
    number: int,
) -> bool:
    if key is None or response is None:
        return False
    return _differ(key[document], response[number])


def _differ(one: bytes | None, other: bytes | None) -> bool:
    """Return whether two digests are known and differ."""
    return one is not None and other is not None and one != other


def _first_other_sentence(
    key: Corpus, document: int, response: Corpus, number: int
) -> Iterator[Finding]:
    """Report sentences that differ if both sides have zeros, which are compared by sentence."""
    sides = ((key, document), (response, number))
    if not all(side.empty_nodes.rows_of(each) for side, each in sides):
        return
    lengths = [_sentence_lengths(side, each) for side, each in sides]
    for place, (expected, found) in enumerate(zip_longest(*lengths, fillvalue=0), start=1):
        if expected != found:
            name = key.document_names[document]
            words = "1 word" if found == 1 else f"{found} words"
            yield Finding(
                Code.ZEROS_IN_DOUBT,
                f"document {name!r}: sentence {place} has {words}",
                expected=(
                    f"{expected}, as in the key: empty nodes are paired by their sentence, so that "
                    "scores are too low; for an answer without sentences, name the profile of its "
                    "shared task, such as crac-2026"
                ),
                file=response.file_of(number),
            )
            return


def _sentence_lengths(corpus: Corpus, document: int) -> list[int]:
    """Return the number of plain words in each sentence."""
    nodes = set(corpus.empty_nodes.tokens_of(document))
    sentences = Document(corpus, document).sentences
    return [sum(token not in nodes for token in sentence) for sentence in sentences]


def _first_other_word(
    key: Corpus, document: int, response: Corpus, number: int
) -> Iterator[Finding]:
    words, others = plain_words(key, document), plain_words(response, number)
    different = [
        token
        for token, (word, other) in enumerate(zip(words, others, strict=False))
        if word != other and not {word, other} & MASKED and not is_same_spelling(word, other)
    ]
    if not different:
        return
    first, name = different[0], key.document_names[document]
    word, other = words[first], others[first]
    found, expected = f"document {name!r}: token {first} is {other!r}", f"{word!r}, as in the key"
    if len(different) > 1:
        expected += f"; {len(different):,} of {len(words):,} words differ"
    if is_other_form(word, other):
        expected += (
            ": they look the same, but accents are characters of their own on one side; write both "
            "in the Unicode form NFC"
        )
    elif len(different) > len(words) / 2:
        expected += ": check that both are the same text; only positions of mentions are compared"
    yield Finding(Code.WORDS_DIFFER, found, expected=expected, file=response.file_of(number))


def _nothing_in_common(key: Corpus, response: Corpus, pair_by: PairBy) -> Finding:
    expected = f"names of the key, such as {_some_names(key)}"
    if pair_by == "text":
        expected += ", with the same texts"
    if pair_by == "name" and unnamed_pair(key, response):
        expected += "; neither side names its only document, which pairing with 'auto' allows"
    elif pair_by == "name" and paired_names(key, response, "auto")[1]:
        expected += "; they differ only in spelling, which pairing with 'auto' allows"
    elif len(key) == len(response) == 1 and key.is_unnamed != response.is_unnamed:
        side = "key" if key.is_unnamed else "response"
        expected += f"; the {side} does not name its document: write the name into it"
    elif field := field_with_names(key, response):
        expected += f"; the field {field!r} has them: call it 'doc_key'"
    elif key.numbered and response.numbered:
        expected += (
            "; documents without names are paired if their texts are the same: if they are in the "
            "same order on both sides, pair them by position"
        )
    found = f"no document of the key is in the response: found {_some_names(response)}"
    return Finding(Code.NOT_PAIRED, found, expected=expected, file=response.path)


def _some_names(corpus: Corpus) -> str:
    names = [reprlib.repr(name) for name in corpus.document_names[:SHOWN]]
    return ", ".join([*names, *(["…"] if len(corpus) > SHOWN else [])])
