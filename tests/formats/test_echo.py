"""Strings of mentions prove how positions are counted; the verdict names an option that works."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from itertools import accumulate, product
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import corefscope as cs
from corefscope.cli import main
from corefscope.corpus.offsets import Base, Convention, Ends, Unit
from corefscope.findings import Code
from corefscope.formats.reading.draft import Draft, DraftMention, Mentions
from corefscope.formats.reading.echo import echo_of
from corefscope.formats.reading.options import OFFSETS, ReadingOptions
from corefscope.formats.registry import FORMATS, Format, parse_format
from formats.contents import codes, partition, written

TEXT = "Zoë 🐈 and the old dog met Ann's cat, but it and the dog fled it."
SENTENCES = [["Zoë", "🐈", "and", "the", "old", "dog", "met"], ["Ann", "'s", "cat", ","]]
SENTENCES += [["but", "it", "and", "the", "dog", "fled", "it", "."]]
WORDS = [word for sentence in SENTENCES for word in sentence]
ENTITIES = [[(0, 0)], [(3, 5), (14, 15)], [(7, 9), (12, 12), (17, 17)]]
TRUE = {frozenset(entity) for entity in ENTITIES}


def _characters() -> list[tuple[int, int]]:
    found, end = [], 0
    for word in WORDS:
        begin = TEXT.index(word, end)
        end = begin + len(word)
        found.append((begin, end))
    return found


CHARACTERS = _characters()
STRINGS = [[TEXT[CHARACTERS[a][0] : CHARACTERS[b][1]] for a, b in e] for e in ENTITIES]

Pair = tuple[int, int]


def counted(pair: Pair, base: Base, ends: Ends) -> list[int]:
    """A pair with an exclusive end, from 0, in another convention."""
    begin, end = pair
    second = {"inclusive": end - 1 + base, "exclusive": end + base, "length": end - begin}[ends]
    return [begin + base, second]


def in_units(unit: str) -> list[list[Pair]]:
    """The mentions in a unit, from 0, ends exclusive."""
    sizes: dict[str, Callable[[str], int]] = {
        "character": lambda character: 1,
        "utf16": lambda character: len(character.encode("utf-16-le")) // 2,
        "byte": lambda character: len(character.encode()),
    }
    if unit == "token":
        return [[(a, b + 1) for a, b in entity] for entity in ENTITIES]
    places = [0, *accumulate(map(sizes[unit], TEXT))]
    return [
        [(places[CHARACTERS[a][0]], places[CHARACTERS[b][1]]) for a, b in entity]
        for entity in ENTITIES
    ]


def clusters(unit: str, base: Base, ends: Ends) -> list[list[list[int]]]:
    return [[counted(pair, base, ends) for pair in entity] for entity in in_units(unit)]


def record(format: str, unit: str, base: Base, ends: Ends) -> dict[str, Any]:
    given = clusters(unit, base, ends)
    if format == "fastcoref":
        return {"text": TEXT, "clusters": given, "clusters_strings": STRINGS}
    if format == "maverick":
        return {
            "tokens": WORDS,
            "clusters_token_offsets": given,
            "clusters_token_text": STRINGS,
        }
    return {"doc_key": "x", "sentences": SENTENCES, "clusters": given, "clusters_strings": STRINGS}


USUAL = {
    "fastcoref": ("character", 0, "exclusive"),
    "maverick": ("token", 0, "inclusive"),
    "jsonl": ("token", 0, "inclusive"),
}
ENDS: Sequence[Ends] = ("inclusive", "exclusive", "length")
BASES: Sequence[Base] = (0, 1)
CASES = [
    (format, unit, base, ends)
    for format, units in (
        ("fastcoref", ("character", "utf16", "byte")),
        ("maverick", ("token",)),
        ("jsonl", ("token",)),
    )
    for unit, base, ends in product(units, BASES, ENDS)
]

TRUE_PLACES = {
    frozenset((CHARACTERS[a][0], CHARACTERS[b][1]) for a, b in entity) for entity in ENTITIES
}


def places_in_text(document: cs.Document) -> set[frozenset[Pair]]:
    """The characters of the mentions of each entity, ends exclusive."""
    places = document.characters
    assert places is not None
    return {
        frozenset((places[a][0], places[b][1]) for a, b in entity) for entity in partition(document)
    }


@pytest.mark.parametrize(("format", "unit", "base", "ends"), CASES)
def test_every_other_convention_is_refuted_with_an_option_that_works(
    format: str, unit: str, base: Base, ends: Ends, tmp_path: Path
) -> None:
    path = written(tmp_path / "x.json", json.dumps(record(format, unit, base, ends)))
    if (unit, base, ends) == USUAL[format]:
        assert not cs.read(path).findings
        return
    with pytest.raises(cs.InvalidInput) as refused:
        cs.read(path)
    (finding,) = refused.value.findings
    assert finding.code.id == "E120"
    advised = re.search(r"with the format '(.*)'", finding.message)
    assert advised is not None
    corpus = cs.read(path, advised[1])
    assert not codes(corpus)
    (document,) = corpus
    if format == "fastcoref":
        assert places_in_text(document) == TRUE_PLACES
    else:
        assert partition(document) == TRUE


def test_the_advice_keeps_what_the_user_said(tmp_path: Path) -> None:
    value = record("jsonl", "token", 0, "exclusive")
    value["found"] = value.pop("clusters")
    path = written(tmp_path / "x.json", json.dumps(value))
    with pytest.raises(cs.InvalidInput, match="'jsonl:found,ends=exclusive'"):
        cs.read(path, "jsonl:found")


def test_what_the_user_said_is_only_doubted(tmp_path: Path) -> None:
    path = written(tmp_path / "x.json", json.dumps(record("jsonl", "token", 0, "exclusive")))
    assert codes(cs.read(path, "jsonl:ends=inclusive")) == ["W120"]


def test_a_unit_is_refuted_by_the_documents_that_show_it(tmp_path: Path) -> None:
    plain = {"text": "Ann met Bob. She ran.", "clusters": [[[0, 3], [13, 16]], [[8, 11]]]}
    plain["clusters_strings"] = [["Ann", "She"], ["Bob"]]
    lines = [json.dumps(plain)] * 9 + [json.dumps(record("fastcoref", "byte", 0, "exclusive"))]
    path = written(tmp_path / "x.jsonl", "\n".join(lines))
    with pytest.raises(cs.InvalidInput, match="'fastcoref:unit=byte'"):
        cs.read(path)
    path = written(tmp_path / "x.jsonl", "\n".join(lines[:9]))
    assert not cs.read(path).findings, "ASCII does not show the unit"


def test_tokens_in_their_sentences_have_no_option(tmp_path: Path) -> None:
    place = [t for words in SENTENCES for t in range(len(words))]
    value = record("jsonl", "token", 0, "inclusive")
    value["clusters"] = [[[place[a], place[b]] for a, b in entity] for entity in ENTITIES]
    path = written(tmp_path / "x.json", json.dumps(value))
    with pytest.raises(cs.InvalidInput, match="count from the beginning of the document"):
        cs.read(path)


def test_other_texts_are_refused(tmp_path: Path) -> None:
    value = record("fastcoref", "character", 0, "exclusive")
    value["text"] = "?" * len(TEXT)
    path = written(tmp_path / "x.json", json.dumps(value))
    with pytest.raises(cs.InvalidInput, match="do not belong together") as refused:
        cs.read(path)
    assert "at [0, 3]" in refused.value.findings[0].message


def test_a_wrong_mention_is_a_fault_and_no_convention(tmp_path: Path) -> None:
    value = record("jsonl", "token", 0, "inclusive")
    value["clusters"][1][0] = [3, 4]
    path = written(tmp_path / "x.json", json.dumps(value))
    (finding,) = cs.read(path).findings
    assert finding.code.id == "W120"
    assert "1 of 6" in finding.message and "'the old dog' at [3, 4]" in finding.message


@pytest.mark.parametrize("by", [1, -1, 7])
def test_drift_is_found_with_its_place(by: int, tmp_path: Path) -> None:
    value = record("fastcoref", "character", 0, "exclusive")
    moved = CHARACTERS[12][0]
    value["text"] = TEXT[: moved - 2] + "_" * (2 + by) + TEXT[moved:] if by != -1 else ""
    value["text"] = value["text"] or TEXT[: moved - 2] + " " + TEXT[moved:]
    path = written(tmp_path / "x.json", json.dumps(value))
    (finding,) = [f for f in cs.read(path).findings if f.code.id == "W120"]
    assert f"from character {moved} on" in finding.message
    assert f"too {'low' if by > 0 else 'high'} by {abs(by)}" in finding.message


def test_blanks_count_at_the_edges_of_strings(tmp_path: Path) -> None:
    """An inclusive end would hide behind the blank that follows."""
    value = {
        "text": "a b c d e",
        "clusters": [[[0, 2], [2, 4], [4, 6]]],
        "clusters_strings": [["a", "b", "c"]],
    }
    path = written(tmp_path / "x.json", json.dumps(value))
    with pytest.raises(cs.InvalidInput, match="E120"):
        cs.read(path)


def test_few_strings_are_only_doubted(tmp_path: Path) -> None:
    value = {"text": "Ann ran.", "clusters": [[[0, 2]]], "clusters_strings": [["Ann"]]}
    path = written(tmp_path / "x.json", json.dumps(value))
    assert "W120" in codes(cs.read(path))


# ---- Without strings ----


def lengths(path: Path, sizes: Sequence[int], format: str | None = None) -> list[str]:
    mentions = [[3 * n, 3 * n + size] for n, size in enumerate(sizes)]
    words = [["w"] * (3 * len(sizes) + 5)]
    value = {"doc_key": "x", "sentences": words, "clusters": [mentions]}
    return codes(cs.read(written(path / "x.jsonl", json.dumps(value)), format))


@pytest.mark.parametrize(
    ("sizes", "found"),
    [
        ([1, 2] * 10, ["W120"]),
        ([1, 2] * 9 + [1], []),
        ([1, 2] * 10 + [0], []),
        ([1] * 4, ["W120"]),
        ([1] * 3, []),
        ([1, 1, 1, 2], []),
    ],
)
def test_mentions_without_one_token_are_doubted(
    sizes: Sequence[int], found: list[str], tmp_path: Path
) -> None:
    assert lengths(tmp_path, sizes) == found
    assert lengths(tmp_path, sizes, "jsonl:ends=inclusive") == []


def test_words_without_blanks_are_not_doubted(tmp_path: Path) -> None:
    text = "安娜看见了鲍勃她喜欢他安娜笑了"
    places = [[[0, 2], [7, 8], [11, 13]], [[5, 7], [10, 11]]]
    given = json.dumps({"text": text, "clusters": places})
    assert not cs.read(written(tmp_path / "x.json", given)).findings


def test_an_end_that_equals_the_number_of_tokens_is_refused_with_a_hint(tmp_path: Path) -> None:
    for pair, hint in (([0, 3], "ends=exclusive"), ([3, 3], "base=1")):
        value = {"doc_key": "x", "sentences": [["a", "b", "c"]], "clusters": [[pair]]}
        path = written(tmp_path / "x.jsonl", json.dumps(value))
        with pytest.raises(cs.InvalidInput, match=rf"E113|{hint}"):
            cs.read(path)


def test_equal_numbers_are_refused_where_ends_are_exclusive(tmp_path: Path) -> None:
    value = {"cased_words": ["a", "b"], "span_clusters": [[[0, 0], [1, 1]]]}
    path = written(tmp_path / "x.jsonl", json.dumps(value))
    with pytest.raises(cs.InvalidInput, match="ends=inclusive"):
        cs.read(path)
    assert not cs.read(path, "wl-coref:ends=inclusive").findings


SIXTY = ["a"] * 60
PAIRS = [[n, 1] for n in range(2, 42)]
WITH_LENGTHS: dict[str, dict[str, Any]] = {
    "jsonl": {"doc_key": "x", "sentences": [SIXTY], "clusters": [PAIRS]},
    "allennlp": {"document": SIXTY, "clusters": [PAIRS]},
    "coref-data": {
        "id": "x",
        "sentences": [{"tokens": [{"id": n, "text": "a"} for n in range(60)]}],
        "coref_chains": [[[0, *pair] for pair in PAIRS]],
    },
}


@pytest.mark.parametrize("format", WITH_LENGTHS)
def test_lengths_are_not_taken_for_exclusive_ends(format: str, tmp_path: Path) -> None:
    path = written(tmp_path / "x.jsonl", json.dumps(WITH_LENGTHS[format]))
    with pytest.raises(cs.InvalidInput) as raised:
        cs.read(path)
    end = f"before the first, read the file with the format '{format}:ends=length'"
    assert all(found.message.endswith(end) for found in raised.value.findings)
    assert not codes(cs.read(path, f"{format}:ends=length"))


@pytest.mark.parametrize(
    ("ends", "by", "message"),
    [
        ("exclusive", 0, "positions look like tokens.*6 of 6 strings can stand there so, 0 as"),
        ("inclusive", 0, "positions look like tokens.*6 of 6 strings can stand there so, 0 as"),
        ("exclusive", 9, "text and positions do not belong together"),
    ],
)
def test_tokens_of_another_program(ends: Ends, by: int, message: str, tmp_path: Path) -> None:
    """The tokens that were counted are not in the file, which has only a text."""
    text = TEXT.replace("Ann's", "Ann-Lou's")
    strings = [[string.replace("Ann's", "Ann-Lou's") for string in row] for row in STRINGS]
    given = [[[n + by for n in pair] for pair in row] for row in clusters("token", 0, ends)]
    value = {"text": text, "clusters": given, "clusters_strings": strings}
    path = written(tmp_path / "x.json", json.dumps(value))
    with pytest.raises(cs.InvalidInput, match=message):
        cs.read(path)


def test_at_most_a_thousand_mentions_are_examined() -> None:
    mentions = [DraftMention(places=((0, 1),), string="a") for _ in range(5000)]
    draft = Draft(
        name="x",
        words=["a"],
        mentions=Mentions.of({"0": mentions}),
        convention=Convention(0, "inclusive"),
    )
    found = echo_of([draft], FORMATS["booknlp"].reading(ReadingOptions()))
    assert found is not None
    assert found.code is Code.REFUTED_CONVENTION
    assert "1,000 of 1,000" in found.found
    assert "'booknlp:ends=exclusive'" in str(found.expected)


@pytest.mark.parametrize("format", FORMATS.values(), ids=FORMATS)
@pytest.mark.parametrize("has_strings", [True, False], ids=["strings", "no strings"])
@pytest.mark.parametrize("unit", ["token", "character"])
def test_only_options_that_the_format_has_are_named(
    unit: Unit, has_strings: bool, format: Format
) -> None:
    """Words of one letter, with ends that look exclusive in tokens, and inclusive in the text."""
    places = [(n, n + 1) if unit == "token" else (2 * n, 2 * n) for n in range(30)]
    draft = Draft(
        name="x",
        words=["a"] * 31,
        text="a " * 31,
        mentions=Mentions(
            labels=["0"],
            sizes=[len(places)],
            places=places,
            strings=["a"] * len(places) if has_strings else (),
        ),
        convention=Convention(0, "inclusive" if unit == "token" else "exclusive", unit),
    )
    found = echo_of([draft], format.reading(ReadingOptions()))
    names = [] if found is None else re.findall(r"with the format '([^']+)'", found.message)
    assert all(parse_format(name)[0] is format for name in names)
    if set(OFFSETS).issubset(format.options) and (has_strings or unit == "token"):
        assert len(names) == 1
    if format.convention is None:
        # The reader of the format knows where mentions are, so that strings are all that can err.
        assert (found is not None) == has_strings
        assert found is None or "the format" not in found.message
    if has_strings:
        assert found is not None


def test_formats_with_a_convention_have_options_for_it() -> None:
    for format in FORMATS.values():
        has_options = not set(OFFSETS).isdisjoint(format.options)
        assert has_options == (format.convention is not None), format.name


# ---- Files that lie about their convention ----

PLACES = [parent / "shared" / "cases" / "formats" for parent in Path(__file__).resolve().parents]
SHARED = next((place for place in PLACES if place.is_dir()), PLACES[0])
VERDICTS = {
    "corenlp_inclusive.json": ("E120", "corenlp:ends=inclusive"),
    "fastcoref_bytes.jsonl": ("E120", "fastcoref:unit=byte"),
    "fastcoref_inclusive_ends.jsonl": ("E120", "fastcoref:ends=inclusive"),
    "fastcoref_newlines_as_one.jsonl": ("W120", "from character 125 on"),
    "fastcoref_tokens_instead_of_chars.jsonl": ("E120", "18 of 18 strings can stand there so"),
    "fastcoref_utf16.jsonl": ("E120", "fastcoref:unit=utf16"),
    "jsonl_exclusive_ends.jsonl": ("E120", "jsonl:ends=exclusive"),
    "jsonl_one_based.jsonl": ("E120", "jsonl:base=1"),
    "jsonl_sentence_relative.jsonl": ("E120", "count from the beginning"),
    "jsonl_start_length.jsonl": ("E120", "jsonl:ends=length"),
    "maverick_exclusive_ends.jsonl": ("E120", "maverick:ends=exclusive"),
    "one_bad_mention.jsonl": ("W120", "'the key to Café Brume' at [3, 6]"),
    "unprovable.jsonl": ("W208", "jsonl:ends=exclusive"),
}


@pytest.mark.skipif(not SHARED.is_dir(), reason="the shared files are not here")
@pytest.mark.parametrize("name", VERDICTS)
def test_verdicts_on_the_command_line(name: str) -> None:
    key, path = SHARED / "conll2012/both.conll", SHARED / "wrong-by-one" / name
    code, words = VERDICTS[name]
    result = CliRunner().invoke(main, ["score", str(key), str(path)])
    if name == "fastcoref_newlines_as_one.jsonl":
        result = CliRunner().invoke(main, ["validate", str(path)])
    assert result.exit_code == (3 if code.startswith("E") else 0)
    assert f"[{code}]" in result.stderr + result.stdout
    assert words in result.stderr + result.stdout
