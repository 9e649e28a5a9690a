"""Documents are paired by name, by text, or by position if that is asked for."""

from __future__ import annotations

import json
import warnings
from pathlib import Path

import pytest

import corefscope as cs
from commands import Command
from corefscope.exceptions import SeveralNames
from corefscope.findings import AnyCode, Code, Remedy
from corefscope.matching.documents import document_named

TEXTS = {
    "a": "The cat sat . It purred .",
    "b": "A dog barked ( loudly ) . It slept .",
    "c": "`` Birds '' sang /. They flew .",
}


def corpus(folder: Path, name: str, texts: dict[str, str]) -> cs.Corpus:
    """One entity of the first and the second word in each document."""
    path = folder / name
    records = [
        {"doc_key": key, "sentences": [text.split()], "clusters": [[[0, 0], [1, 1]]]}
        for key, text in texts.items()
    ]
    path.write_text("".join(f"{json.dumps(each)}\n" for each in records), encoding="utf-8")
    return cs.read(path)


@pytest.fixture
def key(tmp_path: Path) -> cs.Corpus:
    return corpus(tmp_path, "key.jsonl", TEXTS)


def found(scores: cs.Scores) -> list[AnyCode]:
    return [finding.code for finding in scores.findings]


@pytest.mark.filterwarnings("ignore::corefscope.CorefscopeWarning")
class TestByText:
    def test_what_names_leave_is_paired_by_text(self, key: cs.Corpus, tmp_path: Path) -> None:
        other = {
            "x": "`` Birds '' sang . They flew .",
            "a": TEXTS["a"],
            "y": "A dog barked -LRB- loudly -RRB- . It slept .",
        }
        scores = cs.score(key, corpus(tmp_path, "other.jsonl", other))
        assert scores.muc.f1 == 1 and not scores.missing and not scores.extra
        paired = [f for f in scores.findings if f.code is Code.PAIRED_OTHERWISE]
        assert len(paired) == 1 and "'x' is paired with 'c'" in paired[0].message
        assert "1 other document" in paired[0].message

    @pytest.mark.parametrize("mask", ["[WORD]", "___"])
    def test_masked_words_are_no_text(self, mask: str, tmp_path: Path) -> None:
        """All masked documents of one length look the same, and signs between words do not help."""
        signs = " ".join(f"{mask} {mask} {sign}" for sign in ",.;:!?-()")
        for text in (" ".join([mask] * 10), signs):
            ours = corpus(tmp_path, "masked.jsonl", {"a": text})
            theirs = corpus(tmp_path, "other.jsonl", {"zzz": text})
            with pytest.raises(cs.InvalidInput, match="E201"):
                cs.score(ours, theirs)
            assert cs.score(ours, theirs, pair_by="position").muc.f1 == 1

    def test_names_come_first(self, key: cs.Corpus, tmp_path: Path) -> None:
        swapped = {"a": TEXTS["b"], "b": TEXTS["a"], "c": TEXTS["c"]}
        response = corpus(tmp_path, "swapped.jsonl", swapped)
        by_text = cs.score(key, response, pair_by="text")
        assert by_text.muc.f1 == 1 and found(by_text) == [Code.PAIRED_OTHERWISE]
        with pytest.raises(cs.InvalidInput, match="E202") as refused:
            cs.score(key, response)
        (first, *_) = (each for each in refused.value.findings if each.code is Code.TOKEN_COUNT)
        assert "text of 'b' of the key: are names swapped?" in first.message
        assert first.remedy is Remedy.PAIR_BY_TEXT

    def test_a_text_that_occurs_twice_is_not_paired(self, key: cs.Corpus, tmp_path: Path) -> None:
        twice = {"x": TEXTS["a"], "y": TEXTS["a"], "z": TEXTS["b"]}
        scores = cs.score(key, corpus(tmp_path, "twice.jsonl", twice))
        assert list(scores.missing) == ["a", "c"] and list(scores.extra) == ["x", "y"]

    def test_documents_without_names_are_not_paired_by_their_numbers(self, tmp_path: Path) -> None:
        paths = []
        for folder, texts in (("gold", [*TEXTS.values()]), ("system", [*TEXTS.values()][1:])):
            (tmp_path / folder).mkdir()
            paths.append(tmp_path / folder / "out.jsonl")
            records = [{"tokens": t.split(), "clusters": [[[0, 0], [1, 1]]]} for t in texts]
            paths[-1].write_text("".join(f"{json.dumps(each)}\n" for each in records))
        scores = cs.score(*paths)
        assert found(scores) == [Code.MISSING]
        assert list(scores.missing) == ["out#1"] and scores.muc.recall_counts == (2, 3)
        assert found(cs.score(paths[0], paths[0])) == []

    def test_documents_without_names_and_texts_are_not_paired(self, tmp_path: Path) -> None:
        paths = [tmp_path / folder / "out.jsonl" for folder in ("gold", "system")]
        for path in paths:
            path.parent.mkdir()
            path.write_text('{"type": "clusters", "clusters": {"e": ["a", "b"]}}\n' * 2)
        with pytest.raises(cs.InvalidInput, match="pair them by position"):
            cs.score(*paths)
        assert cs.score(*paths, pair_by="position").conll == 1
        assert cs.score(paths[0], paths[0]).conll == 1

    def test_nearly_the_same_text_is_paired(self, tmp_path: Path) -> None:
        """A word differs, and the name does: the document is not missing."""
        texts = {name: f"{text} " * 20 for name, text in TEXTS.items()}
        changed = {"x": texts["a"].replace("purred", "slept", 1), "y": texts["b"]}
        scores = cs.score(
            corpus(tmp_path, "long.jsonl", texts), corpus(tmp_path, "changed.jsonl", changed)
        )
        assert found(scores) == [
            Code.PAIRED_OTHERWISE,
            Code.PAIRED_OTHERWISE,
            Code.MISSING,
            Code.WORDS_DIFFER,
        ]
        assert list(scores.missing) == ["c"]
        assert "'x' is paired with 'a' of the key, because they have nearly" in str(scores.findings)

    def test_a_document_with_a_repeated_text_is_not_called_unknown(
        self, key: cs.Corpus, tmp_path: Path
    ) -> None:
        twice = {"x": TEXTS["a"], "y": TEXTS["a"], "b": TEXTS["b"]}
        scores = cs.score(key, corpus(tmp_path, "twice.jsonl", twice))
        assert "'x' has the text of 'a' of the key, but that text occurs more than once" in str(
            next(finding for finding in scores.findings if finding.code is Code.EXTRA)
        )

    def test_name_pairs_only_names(self, key: cs.Corpus, tmp_path: Path) -> None:
        response = corpus(tmp_path, "x.jsonl", {"x": TEXTS["a"]})
        assert cs.score(key, response).muc.recall_counts == (1, 3)
        with pytest.raises(cs.InvalidInput, match="E201"):
            cs.score(key, response, pair_by="name")

    def test_texts_are_read_only_where_names_fail(
        self, key: cs.Corpus, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        response = corpus(tmp_path, "same.jsonl", TEXTS)
        monkeypatch.setattr(type(key.layers), "text", None)
        assert cs.score(key, response).muc.f1 == 1

    def test_explain(self, key: cs.Corpus, tmp_path: Path) -> None:
        response = corpus(tmp_path, "x.jsonl", {"x": TEXTS["b"], "y": TEXTS["a"]})
        assert cs.explain("muc", key, response, document="b").score.f1 == 1


@pytest.mark.filterwarnings("ignore::corefscope.CorefscopeWarning")
class TestByPosition:
    def test_only_if_asked(self, key: cs.Corpus, tmp_path: Path) -> None:
        clusters = {"1": [[(0, 0), (1, 1)]], "2": [[(0, 0), (1, 1)]], "3": []}
        response = cs.Corpus.from_clusters(clusters)
        with pytest.raises(cs.InvalidInput, match="E201"):
            cs.score(key, response)
        scores = cs.score(key, response, pair_by="position")
        assert scores.muc.recall_counts == (2, 3)
        assert Code.PAIRED_OTHERWISE in found(scores)

    def test_numbers_must_be_equal(self, key: cs.Corpus) -> None:
        response = cs.Corpus.from_clusters({"a": [], "b": []})
        with pytest.raises(cs.InvalidInput, match=r"2 documents, the key has 3 documents.*E201"):
            cs.score(key, response, pair_by="position")


class TestDocument:
    def test_part_of_a_name(self) -> None:
        news = cs.Corpus.from_clusters({"bn/x": [], "bn/xy": [], "nw/z": []})
        assert document_named(news, "nw") == "nw/z"
        assert document_named(news, "bn/x") == "bn/x"
        with pytest.raises(SeveralNames, match=r"2 documents have 'bn' .*'bn/x', 'bn/xy'"):
            document_named(news, "bn")
        for unknown in ("q", ""):
            with pytest.raises(cs.UnknownName):
                document_named(news, unknown)

    def test_command(self, tmp_path: Path) -> None:
        corpus(tmp_path, "key.jsonl", {"first one": TEXTS["a"], "second one": TEXTS["b"]})
        key = str(tmp_path / "key.jsonl")
        one = Command("score").run(key, key, "--document", "second")
        assert one.exit_code == 0
        several = Command("score").run(key, key, "--document", "one")
        assert several.exit_code == 2 and "'first one', 'second one'" in several.stderr


def test_strings_that_are_positions(tmp_path: Path) -> None:
    """A file of strings whose strings are all like 0-2 has positions."""
    path = tmp_path / "x.jsonl"
    path.write_text('{"doc_key": "x", "clusters": [["0-1", "3-3"]]}\n')
    key = cs.Corpus.from_clusters({"x": [[(0, 1), (3, 3)]]})
    assert cs.score(key, path).conll == 1


@pytest.mark.parametrize(
    ("words", "count", "advice"),
    [
        (["the", "dog", "sat", "it"], "", False),
        (["the", "dog", "ran", "it"], "; 2 of 4 words differ", False),
        (["a", "dog", "ran", "it"], "; 3 of 4 words differ", True),
    ],
)
def test_words_that_differ_are_counted(
    words: list[str], count: str, advice: bool, tmp_path: Path
) -> None:
    paths = [tmp_path / "key.jsonl", tmp_path / "response.jsonl"]
    for path, sentence in zip(paths, (["the", "cat", "sat", "it"], words), strict=True):
        record = {"doc_key": "x", "sentences": [sentence], "clusters": [[[0, 1], [3, 3]]]}
        path.write_text(json.dumps(record) + "\n")
    with pytest.warns(cs.CorefscopeWarning, match="W203"):
        (finding,) = cs.score(*paths).findings
    assert finding.message.partition("in the key")[2].startswith(count)
    assert ("words differ" in finding.message) == bool(count)
    assert ("check that both are the same text" in finding.message) is advice


@pytest.mark.parametrize(
    ("key", "response", "is_told"),
    [
        ("system.jsonl", "gold.jsonl", True),
        ("x.auto_conll.jsonl", "x.gold_conll.jsonl", True),
        ("gold.jsonl", "system.jsonl", False),
        ("gold-system.jsonl", "gold.jsonl", False),
        ("a.jsonl", "gold.jsonl", False),
    ],
)
def test_names_that_seem_to_be_swapped(
    key: str, response: str, is_told: bool, tmp_path: Path
) -> None:
    for name in (key, response):
        record = {"doc_key": "d", "sentences": [["a", "b"]], "clusters": [[[0, 0], [1, 1]]]}
        (tmp_path / name).write_text(json.dumps(record), encoding="utf-8")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", cs.CorefscopeWarning)
        found = cs.score(tmp_path / key, tmp_path / response).findings
    assert [each.code.id for each in found] == ["W212"] * is_told
