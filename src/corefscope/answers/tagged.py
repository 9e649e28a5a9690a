"""Text with tags around mentions, as language models write it when asked to mark coreference.

A file is one document, named after the file. The style is the one with the most closing tags:

| style | example |
| --- | --- |
| markdown | `[Ida](#cluster_0) slept.` |
| prefix | `[0 Ida] slept.` |
| suffix | `[Ida: 0] slept.` |
| subscript | `[[Ida]]_0 slept.` or `[Ida]_0 slept.` |
| xml | `<m id="0">Ida</m> slept.` or `<ida>Ida</ida> slept.` |
| pipe | `<m> Ida \\| 0 </m> slept.` |
| crac | `Ida\\|[e1] slept .`, one document per line |
| corefinst | `<m> Ida </m>#0 slept . </z>@0`, a zero behind a word |
| tanl | `[ Ida ] slept . [ She \\| Ida ] woke .`, the words of an antecedent |

The words of a model's copy may differ from those of the text, so the copy is aligned with the words
of the key, and a ledger counts what happened to every tag. See [language
models](../howto/language-models.md).

- As a response, tagged text needs a key with words. It cannot be a key.
- A file without any tag is read if it is in a folder with tagged files, or if the format `tagged`
  is given. It counts as a document without mentions.
- In CRAC plain text, `##` marks an empty node such as a dropped pronoun. Lines have no names, and
  are paired with the key by their text.
- Any other style can be declared: `tagged:open=<m>,close=</m>#{id}`. One of the two has `{id}`,
  which stands for the name of the entity; all else is literal.
- Brackets that the text itself has are recognised by looking at the key.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from functools import partial
from itertools import chain
from typing import cast, get_args

from corefscope.answers.parsing import Parsed, parse, parse_words
from corefscope.answers.styles import Style, declared_tags, style_of
from corefscope.corpus.offsets import CHARACTERS, TOKENS
from corefscope.exceptions import UnknownName
from corefscope.formats.reading.draft import Draft, Mentions, Place
from corefscope.formats.reading.drafting import Placed, add_draft
from corefscope.formats.reading.file import File
from corefscope.formats.reading.options import TAGS, parse_options
from corefscope.formats.reading.source import BOM

NAMED_STYLES = tuple(each for each in get_args(Style) if each not in ("declared", "none"))
"""The styles that have a name of their own."""


def read(file: File, *, of_words: bool = False) -> None:
    """Read the documents of a file into the corpus.

    ``of_words`` says that every line is a document whose words have tags.
    """
    data = file.source.read()
    if file.progress:
        file.progress(len(data))
    file.builder.check_bytes(data, file.name, 0)
    stem = file.source.stem
    text = _text(data)
    declared = declared_tags(*file.options.tags) if file.options.tags else None
    style: Style = "crac" if of_words else "declared" if declared else style_of(text)
    if style != "crac":
        parsed = parse(text, style, declared)
        again = partial(_again, of_words=False, tags=file.options.tags)
        placed = Placed(_draft(parsed), 0, len(data), again)
        add_draft(file, placed, stem, is_named=False)
        return
    lines = [each for each in _lines(data) if of_words or data[each[0] : each[1]].strip()]
    for number, (start, stop, line) in enumerate(lines, start=1):
        parsed = parse_words(_text(data[start:stop]))
        draft = _draft(parsed)
        draft.line = line
        name = stem if len(lines) == 1 else f"{stem}#{number}"
        placed = Placed(draft, start, stop, partial(_again, of_words=True))
        add_draft(file, placed, name, is_named=False)


def draft_of(text: str, style: str) -> Draft:
    """Return a copy as a document, with tags of a style or of one that is declared.

    Parameters
    ----------
    text
        The copy.
    style
        The name of a style, or ``open=OPEN,close=CLOSE``.

    Returns
    -------
    Draft
        The document.

    Raises
    ------
    UnknownName
        If there is no such style.
    """
    if str(style).startswith("open="):
        opening, closing = parse_options("tagged", TAGS, style).tags or ("", "")
        return _draft(parse(text, "declared", declared_tags(opening, closing)))
    if style not in NAMED_STYLES:
        raise UnknownName("style of tagged text", style, [*NAMED_STYLES, "strings", "open=…"])
    if style == "crac":
        return _draft(parse_words(text))
    return _draft(parse(text, cast(Style, style)))


def _lines(data: bytes) -> Iterator[tuple[int, int, int]]:
    """Yield where each line begins and ends, and its number; not those after the last text."""
    start = 0
    for number, line in enumerate(data.rstrip().split(b"\n"), start=1):
        yield start, start + len(line), number
        start += len(line) + 1


def _text(data: bytes) -> str:
    return data.removeprefix(BOM).decode(errors="surrogateescape")


def _parsed(data: bytes, tags: tuple[str, str] | None) -> Parsed:
    text = _text(data)
    if tags is not None:
        return parse(text, "declared", declared_tags(*tags))
    return parse(text, style_of(text))


def _again(data: bytes, *, of_words: bool, tags: tuple[str, str] | None = None) -> Draft:
    return _draft(parse_words(_text(data)) if of_words else _parsed(data, tags))


def _draft(parsed: Parsed) -> Draft:
    """Return the copy as a document."""
    entities: defaultdict[str, list[Place]] = defaultdict(list)
    for label, begin, end in parsed.mentions:
        entities[label].append((begin, end))
    return Draft(
        name=None,
        mentions=Mentions(
            labels=list(entities),
            sizes=list(map(len, entities.values())),
            places=list(chain.from_iterable(entities.values())),
        ),
        convention=CHARACTERS if parsed.words is None else TOKENS,
        text=parsed.text if parsed.words is None else None,
        is_marked=True,
        words=parsed.words,
        of_corpus={"copies": [parsed.copy]},
    )
