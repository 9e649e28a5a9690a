"""Names from a file that counts tokens otherwise are reported, with what to change."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

import pytest
from click.testing import CliRunner
from msgspec.structs import replace

import corefscope as cs
from corefscope.cli import main
from corefscope.corpus.layers import TextColumns, TextLayers
from corefscope.demo import KEY, RESPONSES
from corefscope.matching.shared_texts import Texts

quiet = pytest.mark.filterwarnings("ignore::corefscope.CorefscopeWarning")
HARBOUR = "(demo/news/harbour); part 000"
Rows = dict[str, list[tuple[int, int, str]]]
CONVENTIONS = [
    ((1, 1), "tokens look counted from 1", "subtract 1 from every first and last token"),
    ((0, 1), "ends look exclusive", "subtract 1 from every last token"),
    (
        (1, 2),
        "tokens look counted from 1 and ends look exclusive",
        "subtract 1 from every first token and 2 from every last token",
    ),
]


@dataclass(frozen=True)
class Nameless(TextLayers):
    """The text of a corpus without its column of names."""

    layers: TextLayers

    def text(self, document: int) -> TextColumns:
        text = self.layers.text(document)
        columns = {layer: column for layer, column in text.columns.items() if layer != "names"}
        return replace(text, columns=columns)


def nameless(corpus: cs.Corpus) -> cs.Corpus:
    assert corpus.layers is not None
    return replace(corpus, layers=Nameless(corpus.layers))


def demo_names(start: int = 0, end: int = 0, only: str | None = None) -> Rows:
    """Return the names of the example corpus, with numbers added to starts and ends."""
    key = cs.read(KEY)
    names = {}
    for number, document in enumerate(key.document_names):
        read = Texts(key).read(number, key, number)
        assert read is not None
        found = read.text.names.items()
        names[document] = [
            (s + start, e + end, tag) for (s, e), tag in found if only in (None, tag)
        ]
    return names


def shifts(nec: cs.Nec) -> list[str]:
    return [finding.message for finding in nec.findings if finding.code.id == "W208"]


@quiet
@pytest.mark.parametrize(("shift", "why", "how"), CONVENTIONS)
def test_other_conventions_are_explained(shift: tuple[int, int], why: str, how: str) -> None:
    key, response = cs.read(KEY), cs.read(RESPONSES["sieve"])
    expected = f" as they are read; expected tokens counted from 0 and inclusive ends: {how}"
    (marked,) = shifts(cs.nec(key, response, names=demo_names(*shift)))
    assert marked.startswith(f"{why}: 151 of 151 names match named entities marked in the key so, ")
    assert marked.endswith(expected)
    # The response's own column of names proves nothing of the key.
    (looks,) = shifts(cs.nec(nameless(key), response, names=demo_names(*shift)))
    assert looks.startswith(
        f"{why}: 94 of 151 names match mentions of the key or capitalised words"
    )
    assert looks.endswith(expected)


@quiet
@pytest.mark.parametrize("only", [None, "PERSON", "GPE", "ORG", "DATE"])
def test_names_that_are_right_are_not_reported(only: str | None) -> None:
    key, response = cs.read(KEY), cs.read(RESPONSES["sieve"])
    for gold in (key, nameless(key)):
        assert shifts(cs.nec(gold, response, names=demo_names(only=only))) == []


@quiet
def test_names_of_one_type_are_compared_as_well() -> None:
    """Recall of the key's names would be low, whatever the convention."""
    (message,) = shifts(cs.nec(KEY, RESPONSES["sieve"], names=demo_names(1, 1, only="ORG")))
    assert "tokens look counted from 1" in message


def test_the_command_names_the_file(tmp_path: Path) -> None:
    file = tmp_path / "names.json"
    file.write_text(json.dumps(demo_names(1, 1)))
    arguments = ["nec", str(KEY), str(RESPONSES["sieve"]), "--names", str(file)]
    result = CliRunner().invoke(main, arguments)
    assert (
        f"warning[W208] {file}: tokens look counted from 1: 151 of 151 names match named entities"
        in result.stderr
    )
    assert result.stderr.count("[W208]") == 1
    file.write_text(json.dumps(demo_names()))
    assert "W208" not in CliRunner().invoke(main, arguments).stderr


WORDS = ["Ann", "met", "Bob", "'s", "friend", "in", "Rome", "."]


@quiet
@pytest.mark.parametrize(
    ("names", "warns"),
    [
        ([(0, 0, "PER"), (2, 2, "PER")], False),
        ([(0, 1, "PER"), (6, 7, "GPE")], True),
        ([(0, 1, "PER")], False),  # One name may simply have a wrong boundary.
        ([(0, 0, "PER"), (2, 3, "PER"), (6, 6, "GPE")], False),  # With a possessive ending.
        ([(7, 7, "GPE"), (3, 3, "PER")], True),
        ([(8, 8, "GPE"), (3, 3, "PER"), (7, 7, "GPE")], True),  # One of them beyond the text.
    ],
)
def test_capitalised_words_of_a_short_text(
    names: list[tuple[int, int, str]], warns: bool, tmp_path: Path
) -> None:
    path = tmp_path / "key.jsonl"
    path.write_text(json.dumps({"doc_key": "d", "sentences": [WORDS], "clusters": [[[4, 4]]]}))
    assert bool(shifts(cs.nec(path, path, names={"d": names}))) == warns


@quiet
def test_documents_are_paired_by_spelling() -> None:
    key, response = cs.read(KEY), cs.read(RESPONSES["sieve"])
    right = demo_names()
    spelled = {f"{name.partition(')')[0].lstrip('(')}_0": rows for name, rows in right.items()}
    expected, found = (cs.nec(key, response, names=names) for names in (right, spelled))
    assert found["ALL"] == expected["ALL"]
    codes = {finding.code.id for finding in found.findings}
    assert "W209" in codes and not codes & {"W407"}
    (finding,) = [finding for finding in found.findings if finding.code.id == "W209"]
    assert finding.message == (
        "document 'demo/news/harbour_0' is paired with '(demo/news/harbour); part 000' of the key, "
        "because only the spelling of the names differs; 9 other documents are paired in the same "
        "way"
    )
    strict = cs.nec(key, response, names=spelled, pair_by="name")
    assert {"W407"} <= {finding.code.id for finding in strict.findings}
    chosen = cs.nec(key, response, names=spelled, genres=["demo/news"])
    assert chosen["ALL"] == cs.nec(key, response, names=right, genres=["demo/news"])["ALL"]
    assert "W407" not in {finding.code.id for finding in chosen.findings}


def test_names_under_another_spelling(tmp_path: Path) -> None:
    file = tmp_path / "names.json"
    file.write_text(json.dumps({"demo/news/harbour": demo_names()[HARBOUR]}))
    document = ["--document", HARBOUR, "--format", "json"]
    arguments = ["nec", str(KEY), str(RESPONSES["sieve"]), *document]
    given = CliRunner().invoke(main, [*arguments, "--names", str(file)])
    marked = CliRunner().invoke(main, arguments)
    found, expected = (json.loads(run.stdout)["systems"][0]["types"] for run in (given, marked))
    assert found == expected
    assert "W407" not in given.stderr and "W407" not in given.stderr
