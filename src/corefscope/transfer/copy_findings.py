"""Say what became of copies with tags, which language models write."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from corefscope.corpus import Corpus
from corefscope.corpus.copies import NO_STYLE
from corefscope.findings import Code, Finding
from corefscope.formatting import counted
from corefscope.transfer.copies import UnknownTags
from corefscope.transfer.ledger import CorpusLedger

FEWEST_UNKNOWN = 3
"""How many brackets must look like tags of an unknown style, at least."""


def copy_findings(
    ledger: CorpusLedger, response: Corpus, unknown_tags: Mapping[str, UnknownTags]
) -> Iterator[Finding]:
    """Report copies that failed, and what was lost in the others."""
    strange = {
        name: tags
        for name, tags in unknown_tags.items()
        if tags.count >= max(FEWEST_UNKNOWN, ledger.documents[name].parsed / FEWEST_UNKNOWN)
    }
    bare = [
        name
        for name, each in ledger.documents.items()
        if not each.closed and name not in ledger.failed and name not in strange
    ]
    for name in ledger.failed:
        yield Finding(Code.COPY_FAILED, _failed(name, ledger), file=response.path)
    if bare:
        yield Finding(Code.UNTAGGED, _without_tags(bare), file=response.path)
    if strange:
        yield Finding(Code.UNTAGGED, _with_unknown_tags(strange, ledger), file=response.path)
    if ledger.statuses["repaired"] + ledger.statuses["cut off"]:
        yield Finding(Code.COPY_CHANGED, _changed(ledger), file=response.path)


def _failed(name: str, ledger: CorpusLedger) -> str:
    words = ledger.documents[name].words
    return (
        f"document {name!r}: fewer than one in ten of its {words.source:,} words come back in the "
        "tagged text, or only some scattered ones; it counts as failed, and has no mention"
    )


def _without_tags(names: Sequence[str]) -> str:
    return (
        f"document {_with_others(names)}: no tag was found in the tagged text; expected mentions "
        "with tags: it has no mention, unless its tags are of a style that is not known"
    )


def _with_unknown_tags(strange: Mapping[str, UnknownTags], ledger: CorpusLedger) -> str:
    first = next(iter(strange))
    tags, known = strange[first], ledger.documents[first]
    style = "a style that is not known"
    if tags.style not in (NO_STYLE, known.style):
        style = f"the style {tags.style}, which are not read here"
    of_style = "" if known.style == NO_STYLE else f", of the style {known.style}"
    return (
        f"document {_with_others(list(strange))}: {tags.count:,} brackets are not in the text, and "
        f"look like tags of {style}, the first of them {tags.first!r}; there are {known.parsed:,} "
        f"mentions in known tags{of_style}; expected all tags in one of the known styles, such as "
        "[Ida](#1)"
    )


def _changed(ledger: CorpusLedger) -> str:
    statuses, total = ledger.statuses, ledger.total
    found = total.exact + total.edited + total.shrunk
    reasons = ", ".join(f"{reason} {count:,}" for reason, count in total.dropped.items())
    of = f"of {counted(len(ledger.documents), 'document')}"
    changed = counted(
        statuses["repaired"] + statuses["cut off"],
        f"{of} is not an exact copy of its text",
        f"{of} are not exact copies of their texts",
    )
    return (
        f"{changed} ({statuses['cut off']:,} cut off): {found:,} of {total.parsed:,} tagged "
        f"mentions were found in the key's text, {total.edited:,} of them edited, "
        f"{total.shrunk:,} shrunk"
        + (f"; dropped: {reasons}" if reasons else "")
        + (f"; {_foreign(total.foreign)}" if total.foreign else "")
    )


def _with_others(names: Sequence[str]) -> str:
    """Return the first name, and how many others there are."""
    more = len(names) - 1
    return f"{names[0]!r} and {more:,} more" if more else repr(names[0])


def _foreign(count: int) -> str:
    tags = "1 tag marks" if count == 1 else f"{count:,} tags mark"
    return f"{tags} no mention: elements of HTML such as <b>, or tags that are cut off"
