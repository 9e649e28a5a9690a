"""JSON of the CRAC shared tasks' track for language models (2025, 2026), as text2text-coref has it.

An array of documents, each with `doc_id`, `tokens`, `clusters_token_offsets` (tokens of the
document from 0, ends inclusive) and `clusters_text_mentions`, the words of each mention.

- `##`, optionally followed by a form, marks an empty node such as a dropped pronoun. Its string
  may be `_`, `##` or `##` and the form.
- In files without annotation, both fields of clusters are `null`. Such a document has no entities.
- A mention whose first token comes after its last one is turned round, with a warning (`W231`):
  the exporter writes such mentions where several empty nodes have one place.
- Under the profiles `crac-2025` and `crac-2026`, answers are scored as the organisers do it: see
  [CRAC](../howto/shared-tasks.md#crac-language-models).
- When writing, corefscope places each empty node after its head.
  `crac-json:zeros=keep` writes them,
  `forms=drop` without their forms, `tags=none` no mentions at all.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from functools import partial

from corefscope.answers.parsing import ZERO
from corefscope.corpus import Corpus
from corefscope.extensions.corefud_scorer.crac.exporting import as_json
from corefscope.extensions.corefud_scorer.crac.text import export_options, exported_documents
from corefscope.findings import Code, Finding
from corefscope.formats.reading.draft import Draft, Mentions, Place
from corefscope.formats.reading.file import File
from corefscope.formats.reading.json_documents import JsonDocument, read_documents
from corefscope.formats.reading.shapes import entities_of, name_of, words_of
from corefscope.formats.writing.abilities import Written

CLUSTERS = "clusters_token_offsets"
STRINGS = "clusters_text_mentions"
NO_FORM = "_"


def read(file: File) -> None:
    """Read all documents of a file into the corpus."""
    before, bare = len(file.builder.names), list[str]()
    read_documents(file, partial(_drafts, bare=bare))
    documents = len(file.builder.names) - before
    if 0 < len(bare) < documents:
        file.report(
            Code.NOTHING_READ,
            f"{CLUSTERS!r} is null in {len(bare)} of {documents:,} documents, the first is "
            f"{bare[0]!r}",
            expected="clusters in all of them: such a document has no entities",
        )


def write(corpus: Corpus, **chosen: str) -> Iterator[Written]:
    """Yield the file of a corpus; entities have no names here, whatever ``ids`` says."""
    options = export_options(chosen)
    documents = [
        as_json(document, name, tags=options.tags)
        for name, document in exported_documents(corpus, options)
    ]
    lines = ",\n ".join(json.dumps(each, ensure_ascii=False) for each in documents)
    yield "corpus.json", f"[{lines}]\n".encode(errors="surrogateescape")


def _drafts(document: JsonDocument, bare: list[str]) -> Iterator[Draft]:
    """Yield the document of a record; add its name to ``bare`` if it has no annotation."""
    fields, findings = document.fields, document.findings
    if CLUSTERS in fields and fields[CLUSTERS] is None:
        bare.append(str(fields.get("doc_id")))
        fields = document.fields = {**fields, CLUSTERS: [], STRINGS: None}
    words = words_of(fields, "tokens")
    zeros = [token for token, word in enumerate(words) if word.startswith(ZERO)]
    mentions = entities_of(fields, CLUSTERS)
    document.add_strings(mentions, STRINGS)
    _turn_round(mentions, findings)
    if not zeros:
        _without_nodes(mentions, words, findings)
    shown = [_form(word) for word in words]
    mentions.strings = _with_forms(mentions, words, shown)
    yield Draft(
        name=name_of(fields),
        mentions=mentions,
        convention=document.options.convention(),
        words=shown,
        zeros=zeros,
        findings=findings,
    )


def _form(word: str) -> str:
    """Return a word, or the form of an empty node."""
    return word.removeprefix(ZERO) or NO_FORM if word.startswith(ZERO) else word


def _turn_round(mentions: Mentions, findings: list[Finding]) -> None:
    """Put first and last token of mentions in order, and report how many were not."""
    wrong = sum(place[-2] > place[-1] for place in mentions.places)
    if wrong:
        mentions.places = [(*place[:-2], *sorted(place[-2:])) for place in mentions.places]
        begins = "1 mention ends" if wrong == 1 else f"{wrong:,} mentions end"
        message = f"{begins} before its first token; the tokens are read the other way round"
        findings.append(Finding(Code.SCORER_FAILS, message))


def _without_nodes(mentions: Mentions, words: list[str], findings: list[Finding]) -> None:
    """Correct positions that count empty nodes which are not among the tokens.

    The exporter writes such positions. They are corrected if all strings then stand where they
    should; mentions of empty nodes alone are left out.
    """
    strings = [(string or "").split(" ") for string in mentions.strings]
    spoken = [[word for word in each if not word.startswith(ZERO)] for each in strings]
    if strings == spoken and all(map(_stands_at(words), mentions.places, spoken)):
        return
    order = sorted(range(len(spoken)), key=lambda row: mentions.places[row][-2])
    moved: dict[int, tuple[int, int]] = {}
    before = 0
    for row in order:
        first = mentions.places[row][-2]
        shifts = (by for by in range(before, first + 1) if _is_at(words, first - by, spoken[row]))
        by = next(shifts, None) if spoken[row] else before
        if by is None:
            return
        before = by
        moved[row] = first - by, first - by + len(spoken[row]) - 1
    _keep(mentions, [moved[row] if spoken[row] else None for row in range(len(spoken))])
    message = (
        f"positions of {len(moved):,} mentions count empty nodes that 'tokens' lacks; they are "
        "read by their strings"
    )
    findings.append(Finding(Code.DOUBTFUL_CONVENTION, message))


def _stands_at(words: list[str]) -> Callable[[Place, list[str]], bool]:
    return lambda place, string: _is_at(words, place[-2], string)


def _is_at(words: list[str], first: int, string: list[str]) -> bool:
    """Return whether words stand at a place; forms with blanks are written with low lines."""
    shown = " ".join(words[first : first + len(string)])
    return " ".join(string) == shown or _blanks(words, first, string)


def _blanks(words: list[str], first: int, string: list[str]) -> bool:
    text = "_".join(string)
    size = len(string)
    return any("_".join(words[first : first + length]) == text for length in range(1, size))


def _keep(mentions: Mentions, places: list[tuple[int, int] | None]) -> None:
    """Give mentions other places; those without one are left out."""
    sizes, strings, begin = [], [], 0
    for size in mentions.sizes:
        rows = range(begin, begin + size)
        kept = [row for row in rows if places[row] is not None]
        sizes.append(len(kept))
        strings += [mentions.strings[row] for row in kept]
        begin += size
    known = [n for n, size in enumerate(sizes) if size]
    mentions.labels = [mentions.labels[n] for n in known]
    mentions.sizes = [sizes[n] for n in known]
    mentions.places = [place for place in places if place is not None]
    mentions.strings = [
        " ".join(word for word in (each or "").split(" ") if not word.startswith(ZERO))
        for each in strings
    ]


def _with_forms(
    mentions: Mentions, words: list[str], shown: list[str]
) -> list[str | None] | tuple[()]:
    """Return the strings of mentions with the forms of empty nodes, however they are shown."""
    if not mentions.strings:
        return ()
    of_zero = {word: form for word, form in zip(words, shown, strict=True) if word != form}
    if not of_zero:
        return list(mentions.strings)
    result: list[str | None] = []
    for place, string in zip(mentions.places, mentions.strings, strict=True):
        first, last = place[-2:]
        own = words[first : last + 1] if 0 <= first <= last < len(words) else []
        given = (string or "").split(" ")
        if len(given) == len(own):
            pairs = zip(own, given, strict=True)
            given = [_same_zero(word, part, of_zero) for word, part in pairs]
        result.append(" ".join(given) if string is not None else None)
    return result


def _same_zero(word: str, given: str, of_zero: dict[str, str]) -> str:
    """Return the form of an empty node where a string shows it in any way."""
    is_shown = word in of_zero and given in (NO_FORM, ZERO, word)
    return of_zero[word] if is_shown else given
