"""What one side cannot say because it is not a file of Universal Anaphora."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator

from corefscope.corpus import Corpus
from corefscope.extensions.universal_anaphora.anaphora import NON_REFERRING, Markables, anaphora_of
from corefscope.extensions.universal_anaphora.documents import number_of_words
from corefscope.extensions.universal_anaphora.entities import empty_tokens, markables_of
from corefscope.extensions.universal_anaphora.rules import UaRules
from corefscope.findings import Code, Finding

Pairs = Iterable[tuple[int, int | None]]


def unexpressed(
    key: Corpus, response: Corpus, pairs: Pairs, rules: UaRules, metrics: Collection[str]
) -> Iterator[Finding]:
    """Report what counts against a side although its format has no place for it.

    Parameters
    ----------
    key, response
        The corpora.
    pairs
        Which document of the response each document of the key is scored with, if any.
    rules
        What is scored.
    metrics
        The metrics that are counted.

    Yields
    ------
    Finding
        A warning about the response, and one about the key.
    """
    both = [(ours, theirs) for ours, theirs in pairs if theirs is not None]
    swapped = [(theirs, ours) for ours, theirs in both]
    yield from _about(response, key, swapped, rules, metrics, ("response", "key", "missing"))
    yield from _about(key, response, both, rules, metrics, ("key", "response", "spurious"))


def _about(
    corpus: Corpus,
    other: Corpus,
    pairs: Iterable[tuple[int, int]],
    rules: UaRules,
    metrics: Collection[str],
    words: tuple[str, str, str],
) -> Iterator[Finding]:
    """Report what a corpus cannot say, by what the other has in the same documents."""
    foreign = [
        pair for pair in pairs if anaphora_of(corpus) is None or not _has_markables(corpus, pair[0])
    ]
    counts: Counter[str] = Counter()
    for ours, theirs in foreign:
        found = _counts(markables_of(other, theirs, rules), rules, metrics)
        if not _lacks_zeros(corpus, ours, number_of_words(other, theirs), rules):
            del found["zero"]
        counts += found
    side, others, outcome = words
    if counts:
        shown = ", ".join(f"{n} {kind}{'s' if n > 1 else ''}" for kind, n in counts.items())
        yield Finding(
            Code.UNLIKE_SIDES,
            f"the {side} is not in the format of Universal Anaphora and cannot have what the "
            f"{others} has: {shown}; these count as {outcome}",
            expected=f"a {side} in the format ua",
            file=corpus.path,
        )
    if foreign:
        yield from _unread_links(corpus, rules, metrics, side)
    if foreign and rules.layer == "deixis":
        yield Finding(
            Code.UNLIKE_SIDES,
            f"the {side} is not in the format of Universal Anaphora and has no discourse deixis",
            expected=f"a {side} in the format ua: its entities are scored as that layer",
            file=corpus.path,
        )


def _unread_links(
    corpus: Corpus, rules: UaRules, metrics: Collection[str], side: str
) -> Iterator[Finding]:
    """Report links of a CorefUD file, which count only in files of Universal Anaphora."""
    found: Counter[str] = Counter()
    if rules.keeps_split_antecedents:
        found["entity"] = len(corpus.split_antecedents)
    if _scores_bridges(metrics):
        found["bridge"] = len(corpus.bridges)
    names = {"entity": ("entity with split antecedents", "entities with split antecedents")}
    shown = [
        f"{n:,} {names.get(kind, (kind, f'{kind}s'))[n > 1]}" for kind, n in found.items() if n
    ]
    if shown:
        yield Finding(
            Code.UNLIKE_SIDES,
            f"the {side} has {' and '.join(shown)}, but split antecedents and bridges are read "
            "only from files in the format ua",
            expected=f"a {side} in this format: these do not count",
            file=corpus.path,
        )


def _scores_bridges(metrics: Collection[str]) -> bool:
    return any(metric.startswith("bridging") for metric in metrics)


def _lacks_zeros(corpus: Corpus, document: int, words: int | None, rules: UaRules) -> bool:
    """Tell whether a document has no empty nodes; in version 1 they may be words like all others.

    ``words`` is the number of words on the other side.
    """
    if corpus.openings is not None or empty_tokens(corpus, document):
        # CorefUD files can have empty nodes, whether there are any or not.
        return False
    found = number_of_words(corpus, document)
    return rules.version == 2 or (found is not None and found == words)


def _has_markables(corpus: Corpus, document: int) -> bool:
    anaphora = anaphora_of(corpus)
    assert anaphora is not None
    return anaphora.layers["identity"][document] is not None


def _counts(layer: Markables, rules: UaRules, metrics: Collection[str]) -> Counter[str]:
    """Count what only files of Universal Anaphora say, as far as it is scored."""
    known = {markable.entity for markable in layer.markables}
    found: Counter[str] = Counter()
    if rules.keeps_split_antecedents:
        wholes = {whole for markable in layer.markables for whole in markable.element_of}
        found["split antecedent"] = len(wholes & known)
    if rules.keeps_zeros:
        found["zero"] = sum(
            markable.is_zero and not markable.entity.endswith(NON_REFERRING)
            for markable in layer.markables
        )
    if "non_referring" in metrics:
        found["non-referring expression"] = sum(each.endswith(NON_REFERRING) for each in known)
    if _scores_bridges(metrics):
        found["bridging anaphor"] = len(layer.bridges)
    return found
