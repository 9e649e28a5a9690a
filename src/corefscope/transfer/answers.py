"""Read one answer of a language model, without a file and without a key."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from corefscope.answers.records import corpus_of_answer
from corefscope.arguments import of_type
from corefscope.corpus import Corpus, Document
from corefscope.corpus.copies import EMPTY, NEVER_CLOSED, NO_NAME, NO_STYLE, STRINGS
from corefscope.exceptions import warn_of
from corefscope.findings import Code, Finding
from corefscope.transfer.carrying import Said, carry_over
from corefscope.transfer.copy_findings import doubts_of_copies
from corefscope.transfer.ledger import Ledger, Status, WordCounts

NAME = "answer"
"""What messages call the document."""


class ReadAnswer(NamedTuple):
    """What an answer says: ``entities, ledger = read_answer(text)``."""

    entities: dict[str, list[str]]
    """The mentions of each entity, by its name in the answer."""
    ledger: Ledger
    """What became of tags, mentions and words."""


def read_answer(
    text: str, *, style: str | None = None, source: str | Sequence[str] | None = None
) -> ReadAnswer:
    """Read one answer of a language model: tagged text, or JSON with clusters of strings.

    Parameters
    ----------
    text
        The answer itself, also in a fenced block and with remarks around it.
    style
        How mentions are tagged, such as ``"markdown"`` or ``"open=<m>,close=</m>#{id}"``;
        ``"strings"`` for JSON. It is detected by default.
    source
        The text that the model was given, as a string or as words. Mentions are then looked for
        in it: those that it does not have are left out, and the ledger is complete.

    Returns
    -------
    ReadAnswer
        The mentions of each entity, and the ledger. Without a source, mentions have no place:
        ``exact``, ``edited`` and ``shrunk`` are 0, and words are not compared.

    Raises
    ------
    UnknownName
        If there is no such style.
    InvalidInput
        If the answer is JSON without clusters of strings; the message says what was expected.

    Examples
    --------
    >>> entities, ledger = read_answer("[Ida](#0) met [Eve](#1). [She](#0) smiled.")
    >>> entities
    {'0': ['Ida', 'She'], '1': ['Eve']}
    >>> ledger.style, ledger.parsed
    ('markdown', 3)
    """
    of_type("text", text, str, "the answer as a text")
    answer = corpus_of_answer(text, NAME, style)
    # That there is no mention is said in another way.
    findings = [each for each in answer.findings if each.code is not Code.NO_MENTIONS]
    findings += _without_its_tags(answer)
    if source is None:
        warn_of([*findings, *doubts_of_copies(answer)])
        return ReadAnswer(_entities(answer, answer), _ledger(answer))
    key = Corpus.from_clusters({NAME: []}, text=source)
    found = carry_over(key, answer, np.zeros(1, dtype=np.int64))
    warn_of([*findings, *found.findings])
    ledger = found.ledger.documents[NAME] if found.ledger else _ledger(answer)
    return ReadAnswer(_entities(found.response, key), ledger)


def _without_its_tags(answer: Corpus) -> Iterator[Finding]:
    """Report an answer that has no tag of the style that it was said to have."""
    assert answer.copies is not None
    (copy,) = answer.copies
    if copy.style not in (NO_STYLE, STRINGS) and not copy.opened:
        yield Finding(
            Code.UNTAGGED,
            f"no tag of the style {copy.style!r} was found",
            expected="mentions in such tags",
        )


def _entities(answer: Corpus, words: Corpus) -> dict[str, list[str]]:
    """Return the mentions of each entity; ``words`` has the text that their positions count in."""
    (document,) = answer
    said = None if answer.mention_ids else Said(words, 0)
    entities: dict[str, list[str]] = {}
    for entity in document.entities:
        entities[entity.label] = [
            str(mention.id) if said is None else said.words(mention.start, mention.end)
            for mention in entity
        ]
    return entities


def _ledger(answer: Corpus) -> Ledger:
    """Return what is known of an answer without its source."""
    assert answer.copies is not None
    (copy,) = answer.copies
    brackets = Counter({NEVER_CLOSED: len(copy.undecided), NO_NAME: len(copy.nameless)})
    dropped = Counter(copy.dropped) + brackets
    mentions = len(answer.mention_entity)
    status: Status = "repaired" if dropped or copy.foreign else "ok"
    if copy.is_cut_off:
        status = "cut off"
    if not mentions and not copy.opened:
        status = "failed"
    return Ledger(
        style=copy.style,
        opened=copy.opened,
        closed=copy.closed + len(copy.nameless),
        foreign=copy.foreign,
        parsed=mentions + copy.dropped.get(EMPTY, 0),
        dropped=dict(dropped),
        words=WordCounts(output=len(Document(answer, 0).words or [])),
        status=status,
        antecedent_not_found=copy.antecedent_not_found,
        windows=copy.windows,
    )
