"""Directories: which of their files are read, and which are left out."""

from __future__ import annotations

from pathlib import Path

import pytest

import corefscope as cs
from commands import Command

SCORE = Command("score")


def document(name: str, cells: str = "(1) (1)") -> str:
    rows = "".join(f"w{i}\t{cell}\n" for i, cell in enumerate(cells.split()))
    return f"#begin document {name}\n{rows}#end document\n"


@pytest.fixture
def folders(tmp_path: Path) -> tuple[Path, Path]:
    """A key with two annotations of each document, and a response with a broken file."""
    key, response = tmp_path / "key", tmp_path / "response"
    (key / "deep").mkdir(parents=True)
    response.mkdir()
    for name in ("a", "b", "c"):
        folder = key / "deep" if name == "c" else key
        (folder / f"{name}.v4_gold_conll").write_text(document(name))
        (folder / f"{name}.v4_auto_conll").write_text(document(name, "- -"))
        cells = "(1 (1)" if name == "b" else "(1) (1)"
        (response / f"{name}.conll").write_text(document(name, cells))
    return key, response


@pytest.mark.parametrize(
    ("patterns", "names"),
    [
        (["*_gold_conll"], ["a", "b", "c"]),
        (["a.*gold*"], ["a"]),
        (["a.*gold*", "b.*gold*"], ["a", "b"]),
        (["deep/*_gold_conll"], ["c"]),
        (["[ab].v4_gold_conll"], ["a", "b"]),
    ],
)
def test_include_chooses_files(
    patterns: list[str], names: list[str], folders: tuple[Path, Path]
) -> None:
    corpus = cs.read(folders[0], include=patterns)
    assert list(corpus.document_names) == names
    assert corpus.findings == ()


def test_include_reads_files_of_any_extension(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("no corpus")
    (tmp_path / "x.gold").write_text(document("x"))
    (tmp_path / ".hidden.gold").write_text("no corpus")
    assert cs.read(tmp_path, include=["*.gold"]).document_names == ("x",)


def test_include_that_matches_nothing_is_refused(folders: tuple[Path, Path]) -> None:
    with pytest.raises(
        cs.InvalidInput,
        match=r"no file .* matches '\*\.gold'; it contains 6 files, such as .*\[E105\]",
    ):
        cs.read(folders[0], include=["*.gold"])


def test_include_with_different_suffixes(tmp_path: Path) -> None:
    """Patterns hold for both sides; the side on which none matches is named."""
    for side, suffix in (("key", "gold"), ("response", "pred")):
        (tmp_path / side).mkdir()
        (tmp_path / side / f"x.{suffix}").write_text(document("x"))
        (tmp_path / side / "readme.txt").write_text("no corpus")
    sides = [str(tmp_path / side) for side in ("key", "response")]
    for pattern, wrong in (("*.gold", sides[1]), ("*.pred", sides[0])):
        status, message = SCORE.refused(*sides, "--include", pattern)
        assert status == 3
        assert (
            f"{wrong}: no file of this directory matches '{pattern}'; it contains 2 files"
            in message
        )
        assert "give a pattern for each\n  fix: --include PATTERN" in message
    result = SCORE.run(*sides, "--include", "*.gold", "--include", "*.pred")
    assert (result.exit_code, result.stderr) == (0, "")


def test_names_occur_twice_without_include(folders: tuple[Path, Path]) -> None:
    status, message = SCORE.refused(*map(str, folders))
    assert status == 3 and "[E106]" in message


def test_skip_broken_leaves_file_out(folders: tuple[Path, Path]) -> None:
    key, response = map(str, folders)
    include = ["--include", "*_gold_conll", "--include", "*.conll"]
    assert SCORE.refused(key, response, *include)[0] == 3
    result = SCORE.run(key, response, *include, "--skip-broken", "--metrics", "mentions")
    assert result.exit_code == 4
    assert "b.conll: the file is skipped: error on line 2" in result.stderr
    assert "[W121] " in result.stderr and "[W201]" in result.stderr
    assert "66.67  4/6     100.00  4/4" in result.stdout
    assert result.stdout.rstrip().endswith("|docs:3|skipped:1")


def test_skip_broken_never_skips_a_key(folders: tuple[Path, Path]) -> None:
    key, response = map(str, folders)
    include = ["--include", "*_gold_conll", "--include", "*.conll"]
    status, message = SCORE.refused(response, key, *include, "--skip-broken")
    assert status == 3 and "b.conll:2" in message and "[E101]" in message


def test_skip_broken_without_any_readable_file(
    folders: tuple[Path, Path],
) -> None:
    key, response = folders
    for name in ("a", "c"):
        (response / f"{name}.conll").write_bytes(b"\0")
    status, message = SCORE.refused(
        str(key), str(response), "--include", "*_gold_conll", "--include", "*.conll",
        "--skip-broken",
    )  # fmt: skip
    assert status == 3
    assert "no file could be read" in message and message.count("[W121]") == 3


def test_skip_broken_with_intact_responses(folders: tuple[Path, Path]) -> None:
    key, response = folders
    (response / "b.conll").write_text(document("b"))
    printed = SCORE.printed(
        str(key), str(response), "--include", "*_gold_conll", "--include", "*.conll",
        "--skip-broken", "--metrics", "mentions",
    )  # fmt: skip
    assert "skipped" not in printed


def test_skipped_files_are_in_the_signature(
    folders: tuple[Path, Path],
) -> None:
    key = cs.read(folders[0], include=["*_gold_conll"])
    response = cs.read(folders[1], skip_broken=True)
    assert [Path(file).name for file in response.skipped_files] == ["b.conll"]
    with pytest.warns(cs.CorefscopeWarning):
        signatures = [
            cs.score(key, response).signature,
            cs.analyze(key, response).signature,
            cs.compare(key, {"a": response, "b": key}).signature,
        ]
    assert all("|skipped:1" in signature for signature in signatures)


def test_an_included_file_is_never_overwritten(tmp_path: Path) -> None:
    folder = tmp_path / "key"
    folder.mkdir()
    (folder / "x.gold").write_text(document("x"))
    status, message = SCORE.refused(
        str(folder), str(folder), "--include", "*.gold", "-o", str(folder / "x.gold")
    )
    assert status == 2 and "[E602]" in message
    assert (folder / "x.gold").read_text() == document("x")


def test_impossible_path() -> None:
    with pytest.raises(cs.InvalidInput, match=r"cannot be read.*\[E108\]"):
        cs.read("\ud800.conll")


def brat(folder: Path, text: str) -> None:
    """Write a text with one annotation, as INCEpTION does: in a folder of its own."""
    folder.mkdir(parents=True)
    (folder / "anna.txt").write_text(text)
    (folder / "anna.ann").write_text("T1\tPER 0 3\tIda\nT2\tPER 4 7\tshe\n*\tEquiv T1 T2\n")


def test_files_of_the_same_name_are_told_apart_by_their_folders(tmp_path: Path) -> None:
    """Exports of annotation tools name files after annotators, and folders after documents."""
    brat(tmp_path / "annotation" / "harbour.txt", "Ida she sails")
    brat(tmp_path / "annotation" / "studio.txt", "Ida she paints")
    corpus = cs.read(tmp_path)
    assert corpus.document_names == ("annotation/harbour.txt/anna", "annotation/studio.txt/anna")


def test_a_document_that_occurs_twice_says_where(tmp_path: Path) -> None:
    for name in ("x.json", "y.json"):
        (tmp_path / name).write_text('{"same": [[[0, 0]]]}')
    with pytest.raises(cs.InvalidInput) as raised:
        cs.read(tmp_path)
    (finding,) = raised.value.findings
    assert f"occurred before, at {tmp_path / 'x.json'}; expected" in finding.message


def test_the_number_of_a_part_belongs_to_the_name(tmp_path: Path) -> None:
    for name in ("a.part0.txt", "a.part1.txt", "b.part_2.out.txt", "c.partner.txt"):
        (tmp_path / name).write_text("[Ann](#0) slept. [She](#0) snored.\n")
    assert cs.read(tmp_path).document_names == ("a.part0", "a.part1", "b.part_2", "c")


@pytest.mark.parametrize(
    ("files", "names"),
    [
        (["a.json", "b.json"], ["a", "b"]),
        (["a.txt.json", "b.txt.json"], ["a", "b"]),
        (["ch.one.json", "ch.two.json", "d.one.json"], ["ch.one", "ch.two", "d"]),
        (["ch.one.txt.json", "ch.two.txt.json"], ["ch.one", "ch.two"]),
        (["a.b.c.json", "a.b.d.json", "a.c.c.json"], ["a.b.c", "a.b.d", "a.c.c"]),
        (["a.json", "a.one.json.gz"], ["a", "a.one"]),
        (["x/a.json", "y/a.json"], ["x/a", "y/a"]),
        (["x/a.one.json", "x/a.two.json", "y/a.json"], ["a.one", "a.two", "a"]),
        (["x/a.one.json", "y/a.two.json"], ["x/a", "y/a"]),
    ],
)
def test_names_that_differ_after_a_dot(files: list[str], names: list[str], tmp_path: Path) -> None:
    for file in files:
        path = tmp_path / file
        path.parent.mkdir(exist_ok=True)
        path.write_text('{"text": "Ann slept", "clusters": [[[0, 3]]]}')
    assert list(cs.read(tmp_path).document_names) == names


@pytest.mark.parametrize("files", [["a.json", "a.json.gz"], ["a.one.json", "a.one.jsonl"]])
def test_a_document_in_two_formats_is_refused(files: list[str], tmp_path: Path) -> None:
    """The last extension says how a document is written, not which one it is."""
    for file in files:
        (tmp_path / file).write_text('{"text": "Ann slept", "clusters": [[[0, 3]]]}')
    with pytest.raises(cs.InvalidInput, match="E106"):
        cs.read(tmp_path)
