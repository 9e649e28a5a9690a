"""What the signature says about pairing, and copies without tags."""

from __future__ import annotations

from itertools import chain, zip_longest
from pathlib import Path

import pytest

import corefscope as cs
from corefscope.answers.styles import TAGS, Style, tags_of

KEY = "#begin document x\nAnn\t(1)\nsaw\t-\nBob\t(2)\n.\t-\nShe\t(1)\nran\t-\n#end document\n"


@pytest.mark.parametrize(
    ("options", "mark"),
    [
        ({}, ""),
        ({"tokens": "ignore"}, "|tokens:ignore"),
        ({"tokens": "align"}, "|tokens:align"),
        ({"snap": "outward"}, "|snap:outward"),
        ({"pair_by": "position"}, "|pair_by:position"),
    ],
)
@pytest.mark.filterwarnings("ignore::corefscope.CorefscopeWarning")
def test_signatures_name_how_documents_and_tokens_are_paired(
    options: dict[str, str], mark: str, tmp_path: Path
) -> None:
    (tmp_path / "key.conll").write_text(KEY)
    scores = cs.score(tmp_path / "key.conll", tmp_path / "key.conll", **options)  # type: ignore[arg-type]
    assert scores.signature.partition("|average:micro")[2] == f"{mark}|docs:1"


@pytest.mark.filterwarnings("ignore::corefscope.CorefscopeWarning")
def test_words_are_aligned_on_request_also_if_their_number_is_the_same(tmp_path: Path) -> None:
    (tmp_path / "key.conll").write_text(KEY)
    other = KEY.replace("Ann\t(1)", "Oh\t-\nAnn\t(1)").replace("ran\t-\n", "")
    (tmp_path / "other.conll").write_text(other)
    paths = tmp_path / "key.conll", tmp_path / "other.conll"
    assert cs.score(*paths, singletons="drop").conll != 1
    assert cs.score(*paths, singletons="drop", tokens="align").conll == 1


@pytest.mark.filterwarnings("ignore::corefscope.CorefscopeWarning")
def test_a_copy_without_tags_is_reported(tmp_path: Path) -> None:
    (tmp_path / "key.conll").write_text(KEY + KEY.replace("document x", "document y"))
    folder = tmp_path / "copies"
    folder.mkdir()
    (folder / "x.txt").write_text('<m id="1">Ann</m> saw Bob. <m id="1">She</m> ran')
    (folder / "y.txt").write_text("Ann saw Bob. She ran")
    codes = [finding.code.id for finding in cs.score(tmp_path / "key.conll", folder).findings]
    assert codes.count("W258") == 1


def test_a_native_corpus_is_a_response(tmp_path: Path) -> None:
    from corefscope.inputs import is_result

    (tmp_path / "key.conll").write_text(KEY)
    cs.write(cs.read(tmp_path / "key.conll"), tmp_path / "key.jsonl", "native")
    assert not is_result(str(tmp_path / "key.jsonl"))


@pytest.mark.parametrize("style", TAGS)
@pytest.mark.parametrize("text", [":" + " \r" * 100_000, "[x:" + " b" * 50_000, " " * 200_000])
def test_many_blanks_are_gone_through_once(text: str, style: Style) -> None:
    """A pattern that tries parts of them would take hours."""
    parts, tags = tags_of(text, style).divide(text)
    assert "".join(chain.from_iterable(zip_longest(parts, tags, fillvalue=""))) == text
