"""Key and response with the same words in other sentences: it matters only where zeros are."""

from __future__ import annotations

from pathlib import Path

import pytest

import corefscope as cs
from corefscope.choices import Match
from corefscope.findings import Code
from corefud_text import corefud

WHOLE = "1:(a--1 2:a) 3:(a--1) 4:(b--1 5 6:b)(b--1)"
ZERO = "4.1:(a--1):3:nsubj"


def cut(sentence: str, words: int) -> list[str]:
    """Return a sentence as two, of which the first has some words; words are numbered anew."""
    ids = [word.partition(":") for word in sentence.split()]
    first, second = list[str](), list[str]()
    for id, colon, rest in ids:
        major, point, minor = id.partition(".")
        if int(major) <= words:
            first.append(f"{id}{colon}{rest}")
        else:
            second.append(f"{int(major) - words}{point}{minor}{colon}{rest}")
    return [" ".join(first), " ".join(second)]


def scored(folder: Path, key: list[str], response: list[str], match: Match) -> cs.Scores:
    files = []
    for name, sentences in {"key": key, "response": response}.items():
        path = folder / f"{name}.conllu"
        # A word is the same word in any sentence.
        lines = (line.split("\t") for line in corefud(*sentences).splitlines())
        text = "\n".join(
            "\t".join([f[0], "_" if "." in f[0] else "w", *f[2:]][: len(f)]) for f in lines
        )
        path.write_text(text + "\n")
        files.append(path)
    return cs.score(*files, match=match)


MATCHES: tuple[Match, ...] = ("exact", "head", "partial")


@pytest.mark.parametrize("match", MATCHES)
@pytest.mark.parametrize("words", [2, 3])
def test_without_zeros_no_figure_changes(match: Match, words: int, tmp_path: Path) -> None:
    same = scored(tmp_path, [WHOLE], [WHOLE], match)
    other = scored(tmp_path, [WHOLE], cut(WHOLE, words), match)
    assert other.metrics == same.metrics and other.conll == 1
    assert not other.findings


@pytest.mark.parametrize("match", MATCHES)
def test_zeros_of_one_side_only_change_nothing(match: Match, tmp_path: Path) -> None:
    with_zero = WHOLE.replace(" 5 ", f" {ZERO} 5 ")
    same = scored(tmp_path, [WHOLE], [with_zero], match)
    other = scored(tmp_path, [WHOLE], cut(with_zero, 3), match)
    assert other.metrics == same.metrics
    assert not other.findings


def test_zeros_of_both_sides_are_reported(tmp_path: Path) -> None:
    """The response has the zero elsewhere, so that only its dependency pairs it."""
    with_zero = WHOLE.replace(" 5 ", f" {ZERO} 5 ")
    elsewhere = WHOLE.replace(" 4:", " 3.1:(a--1):3:nsubj 4:")
    assert scored(tmp_path, [with_zero], [elsewhere], "head").conll == 1
    divided = [part.replace(":3:nsubj", ":1:nsubj") for part in cut(elsewhere, 2)]
    with pytest.warns(cs.CorefscopeWarning, match="W224"):
        scores = scored(tmp_path, [with_zero], divided, "head")
    assert scores.mentions.recall_counts == (4, 5)
    (finding,) = scores.findings
    assert (finding.code, finding.file) == (
        Code.ZEROS_IN_DOUBT,
        str(tmp_path / "response.conllu"),
    )
    assert "document 'd': sentence 1 has 2 words; expected 6" in finding.message


@pytest.mark.filterwarnings("ignore::corefscope.CorefscopeWarning")
def test_other_sentences_in_json(tmp_path: Path) -> None:
    with_zero = WHOLE.replace(" 5 ", f" {ZERO} 5 ")
    scored(tmp_path, [with_zero], [with_zero], "exact")
    with pytest.warns(cs.CorefscopeWarning, match="W224"):
        scored(tmp_path, [with_zero], cut(with_zero, 2), "exact")
    for source, expected in (("key", 0), ("response", 1)):
        cs.write(cs.read(tmp_path / f"{source}.conllu"), tmp_path / f"{source}.jsonl")
        matched = cs.evaluate(tmp_path / "key.conllu", {"ours": tmp_path / f"{source}.jsonl"})[
            "ours"
        ].scores
        assert [f.code for f in matched.findings] == [Code.ZEROS_IN_DOUBT] * expected
