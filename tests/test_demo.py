"""The example corpus is sound, and its responses are what the resolvers in examples/ make."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

import corefscope as cs
from corefscope.cli import main
from corefscope.demo import KEY, RESPONSES

ROOT = Path(__file__).parents[1]


@pytest.fixture(scope="module")
def key() -> cs.Corpus:
    return cs.read(KEY)


def test_kinds_and_length_of_documents(key: cs.Corpus) -> None:
    kinds = {document.name.split("/")[1] for document in key}
    assert len(key) >= 8
    assert kinds >= {"news", "dialogue", "fiction", "interview", "encyclopedia", "email"}
    assert all(150 <= len(document) <= 300 for document in key)


def test_no_findings_no_singletons_and_every_layer(key: cs.Corpus) -> None:
    assert key.findings == ()
    for document in key:
        assert all(len(entity) > 1 for entity in document.entities)
        layers = [document.words, document.tags, document.parse, document.names, document.speakers]
        assert [layer and len(layer) for layer in layers] == [len(document)] * 5


def test_every_sentence_has_one_balanced_tree(key: cs.Corpus) -> None:
    for document in key:
        assert document.parse
        for sentence in document.sentences:
            bits = "".join(document.parse[token] for token in sentence)
            depths = [bits[:i].count("(") - bits[:i].count(")") for i in range(1, len(bits) + 1)]
            assert bits.startswith("(TOP") and depths[-1] == 0 and min(depths[:-1]) > 0
            assert bits.count("*") == len(sentence)


def test_named_entities_are_balanced_and_flat(key: cs.Corpus) -> None:
    for document in key:
        assert document.names
        depth = 0
        for bit in document.names:
            depth += bit.count("(")
            assert depth <= 1
            depth -= bit.count(")")
        assert depth == 0


def test_mentions_are_constituents_or_words(key: cs.Corpus) -> None:
    for document in key:
        assert document.parse
        constituents = spans_of_constituents(document.parse)
        for entity in document.entities:
            for mention in entity:
                span = mention.start, mention.end
                assert mention.start == mention.end or span in constituents, (document.name, span)


def spans_of_constituents(bits: list[str]) -> set[tuple[int, int]]:
    spans, opened = set(), []
    for token, bit in enumerate(bits):
        for character in bit:
            if character == "(":
                opened.append(token)
            elif character == ")":
                spans.add((opened.pop(), token))
    return spans


def test_responses_are_made_by_the_resolvers(tmp_path: Path) -> None:
    run = [sys.executable, str(ROOT / "examples" / "resolvers" / "run.py"), str(tmp_path)]
    subprocess.run(run, check=True)
    for name, path in RESPONSES.items():
        assert (tmp_path / f"{name}.conll").read_bytes() == path.read_bytes()


def test_the_resolvers_differ_in_character(key: cs.Corpus) -> None:
    scores = {name: cs.score(key, path) for name, path in RESPONSES.items()}
    conll = [scores[name].conll or 0 for name in ("string-match", "recency", "sieve")]
    assert conll == sorted(conll) and conll[0] > 0.1 and conll[-1] < 0.9


def test_command_writes_usable_files(tmp_path: Path) -> None:
    folder = tmp_path / "demo"
    shown = CliRunner().invoke(main, ["demo", "-o", str(folder)])
    assert shown.exit_code == 0
    names = {path.name for path in folder.iterdir() if not path.name.startswith(".")}
    results = {f"{name}.json" for name in ("scores", "comparison", "errors", "nec")}
    written = {"key.conll", "report.html", *results}
    assert names == written | {f"{name}.conll" for name in RESPONSES}
    again = CliRunner().invoke(
        main, ["score", str(folder / "key.conll"), str(folder / "sieve.conll")]
    )
    assert again.exit_code == 0 and "CoNLL" in again.output


def test_the_report_is_what_its_command_makes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    shown = CliRunner().invoke(main, ["demo"])
    report = Path("corefscope-demo/report.html")
    assert f"Open {report} in a browser" in shown.output
    files = [str(report.with_name(f"{name}.conll")) for name in ("key", *RESPONSES)]
    made = report.read_bytes()
    again = CliRunner().invoke(main, ["report", *files, "-o", str(report)])
    assert again.exit_code == 0 and report.read_bytes() == made
