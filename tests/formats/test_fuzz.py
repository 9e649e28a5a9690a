"""Random bytes and damaged files: read and scored, or refused with a reason; nothing else."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from hypothesis import example, given, settings
from hypothesis import strategies as st

import corefscope as cs
from corefscope.cli import main
from formats.contents import written
from fuzzing.execution import inside
from fuzzing.oracles.readers import attempt, look_at, write_again
from strategies import SpanDocument, conll_text, layouts, mutations, span_documents

KEY = "#begin document x\na\t(0\nb\t0)\nc\t(0)\nd\t-\n#end document\n"
fuzz = settings(max_examples=100)


@pytest.fixture(scope="module")
def scratch(tmp_path_factory: pytest.TempPathFactory) -> Path:
    directory = tmp_path_factory.mktemp("fuzz")
    written(directory / "key.conll", KEY)
    return directory


def jsonl_text(document: SpanDocument, name: str) -> str:
    """A line with everything that a reader looks at."""
    words = [f"w{token}" for token in range(document.tokens)]
    sentences = [words[:2], words[2:]]
    speakers = [["A" for _ in sentence] for sentence in sentences]
    return json.dumps(
        {
            "doc_key": name,
            "sentences": sentences,
            "speakers": speakers,
            "clusters": document.entities,
        }
    )


def plain_text(documents: list[SpanDocument], ids: list[Any]) -> str:
    entities = {f"d{i}": document.entities for i, document in enumerate(documents)}
    return json.dumps({"x": [ids], **entities}, indent=1)


several = st.lists(span_documents(), min_size=1, max_size=3)
conll = st.builds(
    lambda drawn, layout: conll_text({"x": drawn[0], "y": drawn[-1]}, layout), several, layouts()
)
jsonl = several.map(
    lambda drawn: "\n".join(jsonl_text(document, f"d{i}") for i, document in enumerate(drawn))
)
plain = st.builds(
    plain_text, several, st.lists(st.one_of(st.text(max_size=2), st.integers(), st.booleans()))
)
damaged = st.one_of(conll, jsonl, plain).flatmap(lambda text: mutations(text.encode()))


class JsonValues:
    """JSON that is valid, with the right fields and anything in them."""

    anything = st.recursive(
        st.one_of(st.none(), st.booleans(), st.integers(-3, 9), st.text(max_size=3)),
        lambda parts: st.one_of(
            st.lists(parts, max_size=3), st.dictionaries(st.text(max_size=2), parts, max_size=2)
        ),
        max_leaves=8,
    )
    name = st.one_of(
        st.text(st.characters(categories=["Lu", "Cc", "Cs", "Zs"]), max_size=3), anything
    )
    words = st.lists(st.lists(st.one_of(st.text(max_size=3), anything), max_size=3), max_size=3)
    pair = st.lists(st.integers(-1, 9), min_size=2, max_size=2)
    clusters = st.lists(st.lists(st.one_of(pair, anything), max_size=3), max_size=3)
    lines = st.fixed_dictionaries(
        {"doc_key": name, "clusters": st.one_of(clusters, anything)},
        optional={
            "sentences": st.one_of(words, anything),
            "speakers": st.one_of(words, anything),
            "predicted_clusters": anything,
        },
    )
    files = st.one_of(
        st.lists(lines, max_size=3).map(lambda drawn: "\n".join(map(json.dumps, drawn)).encode()),
        st.dictionaries(st.text(max_size=3), st.one_of(clusters, anything), max_size=3).map(
            lambda drawn: json.dumps(drawn).encode()
        ),
    )


def use(data: bytes, scratch: Path) -> None:
    """Read a file, look at all of it, score it as key and as response, and write it."""
    path, key = written(scratch / "fuzz", data), str(scratch / "key.conll")
    corpus = attempt(lambda: cs.read(path, role="response"))
    attempt(lambda: cs.score(key, path).conll)
    attempt(lambda: cs.score(path, key).conll)
    if corpus is not None:
        scores = attempt(lambda: cs.score(corpus, path))
        assert scores["mentions"].recall_counts[0] == scores["mentions"].recall_counts[1]
        look_at(corpus)
        with inside(scratch):
            for format in ("conll", "jsonl", "json"):
                write_again(corpus, format)


@given(data=st.binary(max_size=200))
@example(data=b"\x1f\x8b\x08")
@example(data=b"{}")
@example(data=b"\xef\xbb\xbf")
@fuzz
def test_random_bytes_are_used_or_refused(data: bytes, scratch: Path) -> None:
    use(data, scratch)


@given(data=st.binary(max_size=100))
@fuzz
def test_random_bytes_inside_a_document(data: bytes, scratch: Path) -> None:
    use(b"#begin document x\n" + data + b"\n#end document\n", scratch)


cells = st.text("()|+-_*#01a \t\r\n\ufeff\u0085", max_size=60)


@given(text=cells)
@fuzz
def test_random_columns_and_brackets(text: str, scratch: Path) -> None:
    use(f"#begin document x\n{text}\n#end document\n".encode(), scratch)


@given(data=damaged)
@settings(fuzz, max_examples=150)
def test_damaged_files_are_used_or_refused(data: bytes, scratch: Path) -> None:
    use(data, scratch)


@given(data=JsonValues.files)
@settings(fuzz, max_examples=200)
def test_json_of_any_values_is_used_or_refused(data: bytes, scratch: Path) -> None:
    use(data, scratch)


@given(data=st.one_of(damaged, JsonValues.files, st.binary(max_size=60)))
@fuzz
def test_status_of_validate_and_score(data: bytes, scratch: Path) -> None:
    path, key = written(scratch / "fuzz", data), str(scratch / "key.conll")
    for command in (["validate", path], ["score", key, path], ["score", path, key]):
        result = CliRunner().invoke(main, command)
        assert result.exit_code in (0, 3), result.exception
        assert (result.stdout == "") == (result.exit_code == 3 and command[0] == "score")


@given(data=st.one_of(damaged, JsonValues.files))
@settings(fuzz, max_examples=100)
def test_status_of_other_commands(data: bytes, scratch: Path) -> None:
    path, key = written(scratch / "fuzz", data), str(scratch / "key.conll")
    for command in (
        ["stats", path],
        ["explain", "ceafe", path, path],
        ["convert", path, str(scratch / "out.conll")],
        ["convert", path, "-", "--to", "jsonl"],
        ["score", path, path, "--format", "reference", "--per-document"],
        ["score", key, path, path, "--format", "json", "--per-document"],
    ):
        result = CliRunner().invoke(main, command)
        assert result.exit_code in (0, 2, 3), (command, result.exception)
