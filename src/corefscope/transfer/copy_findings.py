"""Say what became of copies with tags, which language models write."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

from msgspec.structs import replace

from corefscope.answers.strings import refusal
from corefscope.corpus import UNKNOWN_LENGTH, Corpus, Document
from corefscope.corpus.copies import NEVER_CLOSED, NO_NAME, NO_STYLE, Copy
from corefscope.findings import Code, Finding
from corefscope.formatting import counted
from corefscope.transfer.ledger import CorpusLedger, Ledger


def copy_findings(
    ledger: CorpusLedger,
    response: Corpus,
    numbers: Mapping[str, int],
) -> Iterator[Finding]:
    """Report copies that failed, and what was lost in the others.

    The ledger has those of copies only; ``numbers`` has their documents in the response.
    """
    bare = [
        name
        for name, each in ledger.documents.items()
        if not each.closed and name not in ledger.failed
    ]
    for name in ledger.failed:
        text = Document(response, numbers[name]).text
        yield Finding(Code.COPY_FAILED, _failed(name, ledger, text or ""), file=response.path)
    if bare:
        more = f" and {len(bare) - 1:,} more" if len(bare) > 1 else ""
        yield Finding(
            Code.UNTAGGED,
            f"document {bare[0]!r}{more}: no tag was found in the tagged text",
            expected=(
                "mentions with tags: it has no mention, unless its tags are of a style that is not "
                "known"
            ),
            file=response.path,
        )
    changed = ledger.statuses["repaired"] + ledger.statuses["cut off"]
    if changed or ledger.total.antecedent_not_found:
        yield Finding(Code.ANSWER_CHANGED, _changed(ledger), file=response.path)


def _failed(name: str, ledger: CorpusLedger, text: str) -> str:
    words = ledger.documents[name].words
    found = (
        f"fewer than one in ten of its {words.source:,} words come back in the tagged text, or "
        "only some scattered ones"
    )
    if not words.output:
        found = "the answer is empty or missing"
    elif ledger.documents[name].style == NO_STYLE:
        found = refusal("no tag and next to no word of the text come back", text)
    return f"document {name!r}: {found}; it counts as failed, and has no mention"


def _changed(ledger: CorpusLedger) -> str:
    statuses, total = ledger.statuses, ledger.total
    found = total.exact + total.edited + total.shrunk
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
        + "".join(f"; {each}" for each in _dropped(total))
        + (f"; {_foreign(total.foreign)}" if total.foreign else "")
    )


def _dropped(ledger: Ledger) -> Iterator[str]:
    """Yield why tags are dropped, and why mentions are."""
    for what, dropped in (("tags", ledger.dropped_tags), ("mentions", ledger.dropped_mentions)):
        if dropped:
            reasons = ", ".join(f"{reason} {count:,}" for reason, count in dropped.items())
            yield f"dropped {what}: {reasons}"
    if ledger.antecedent_not_found:
        name = counted(ledger.antecedent_not_found, "mention names", "mentions name")
        yield f"{name} an antecedent that no mention before is, so that a new entity begins there"


def _foreign(count: int) -> str:
    tags = "1 tag marks" if count == 1 else f"{count:,} tags mark"
    return f"{tags} no mention: elements of HTML such as <b>, or tags that are cut off"


# ---- Without a key ----


def doubts_of_copies(corpus: Corpus) -> Iterator[Finding]:
    """Report what is wrong with tagged text, as far as it can be seen without the key.

    Answers with strings have no words; their reader reports what is wrong with them.
    """
    tokens = corpus.document_tokens.tolist()
    for number, copy in enumerate(corpus.copies or ()):
        found = None if tokens[number] == UNKNOWN_LENGTH else _doubt(copy, tokens[number])
        if found is not None:
            about = f"document {corpus.document_names[number]!r}: {found.found}"
            yield replace(found, found=about, file=corpus.file_of(number))


def _doubt(copy: Copy, tokens: int) -> Finding | None:
    """Return what is wrong with one copy, if anything is."""
    if not tokens:
        return Finding(
            Code.COPY_FAILED,
            "the answer has no words",
            expected="a copy of the text with tags: it counts as failed, and has no mention",
        )
    if copy.style == NO_STYLE:
        return Finding(
            Code.UNTAGGED,
            "no tag was found",
            expected="mentions in tags of one of the known styles, such as [Ida](#1)",
        )
    brackets = Counter({NEVER_CLOSED: len(copy.undecided), NO_NAME: len(copy.nameless)})
    dropped, not_found = Counter(copy.dropped) + brackets, copy.antecedent_not_found
    known = Ledger(style=copy.style, dropped=dropped, antecedent_not_found=not_found)
    lost = list(_dropped(known))
    if copy.foreign:
        # Only XML has elements of HTML as well.
        lost.append(_foreign(copy.foreign) if copy.style == "xml" else "the last tag is cut off")
    if not lost:
        return None
    # Only the text of the key shows which brackets are text.
    unless = "; brackets that are also in the key's text are not dropped" if +brackets else ""
    return Finding(
        Code.ANSWER_CHANGED,
        "; ".join(lost),
        expected=f"each tag to be closed, to name an entity, and to have words{unless}",
    )
