"""A report that masks words, one that is split, and one in a notebook."""

from __future__ import annotations

import gzip
import inspect
import json
import re
from base64 import b64decode
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from playwright.sync_api import Browser

import corefscope as cs
from corefscope.cli import main
from corefscope.demo import KEY, RESPONSES
from corefscope.error_analysis.records import RECORDS
from corefscope.findings import Code
from corefscope.report.redaction import mask, without_words
from report.report_pages import (
    chunk_of,
    opened,
    unpacked,
    write_report,
)

LONG = re.compile(r"[^\W\d_]{4,}")
"""A word that is long enough to tell something."""


def around_chunks(report: Path) -> str:
    """Return the page without what it holds: script, style, and markup."""
    return re.sub(r'(id="chunk-[\w-]+">)[^<]*<', r"\1<", report.read_text(encoding="utf-8"))


def all_chunks(report: Path) -> str:
    """Return all that a page holds, inflated."""
    packed = re.findall(r'id="chunk-[\w-]+">([^<]*)<', report.read_text(encoding="utf-8"))
    return "\n".join(gzip.decompress(b64decode(each)).decode() for each in packed)


def strings(value: Any) -> Iterator[str]:
    """Go through all texts of a JSON value, names of fields included."""
    if isinstance(value, dict):
        yield from value
        value = list(value.values())
    if isinstance(value, list):
        for each in value:
            yield from strings(each)
    elif isinstance(value, str):
        yield value


def words_of(path: Path) -> set[str]:
    corpus = cs.read(path)
    return {
        long
        for document in corpus
        for column in (document.words, document.speakers)
        for word in column or []
        for long in LONG.findall(word)
    }


def coded(word: str) -> str:
    """Return a word that is in no language, the same for the same word."""
    return re.sub(r"[a-z]{2,}", lambda m: "zq" + m[0].translate(CODE) + "qz", word)


CODE = str.maketrans("abcdefghijklmnopqrstuvwxyz", "qwxzkvjbpgdfhmlnrstcyuaeio")


def write_coded(path: Path, output: Path) -> Path:
    """Write a CoNLL file with its words, lemmas, speakers and names of entities coded."""
    lines = []
    for line in path.read_text(encoding="utf-8").splitlines():
        cells = line.split()
        if line and not line.startswith("#"):
            for column in (3, 6, 9):
                cells[column] = coded(cells[column])
            cells[-1] = re.sub(r"\d+", r"zqe\g<0>qz", cells[-1])
            line = " ".join(cells)
        lines.append(line)
    output.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return output


# ---- masked ----


def test_mask_keeps_length_case_and_punctuation() -> None:
    assert mask("Dr. O'Neil, 42 (née)!") == "Xx. X'Xxxx, xx (xxx)!"
    assert mask("東京 مَدِينَة -LRB-") == "xx xxxxxxxx -XXX-"
    assert mask("a\udce9b") == "xxx"


@pytest.mark.parametrize(
    ("text", "masked"),
    [
        ("👩‍👧🇩🇪☃", "xxxxxx"),
        ("e\u0301\u200b\u00ad\ufeff", "xxxxx"),
        ("१२३ ٤٥ ⅷ ½ ①", "xxx xx x x x"),
        ("ꯍ𐍈𒀀\U0010ffff\ue000\u0378", "xxxxxx"),
        ("\x1b[31m\u202e\n\t\u00a0\u3000", "x[xxxxxxxx"),
        ("∑√€₿♫", "xxxxx"),
        ("ÀÉ ǅ Ⅷ", "XX x X"),
        ("“Ja” – «¿no?» … (a_b) $5 @x #y", "“Xx” – «¿xx?» … (x_x) $x @x #x"),
    ],
)
def test_only_what_is_known_to_be_harmless_stays(text: str, masked: str) -> None:
    assert mask(text) == masked == mask(masked)


WORDS = (
    *("Ωmega", "şafak", "東京都", "مَدِينَة", "ꯃꯅꯤꯄꯨꯔ", "𐌲𐌿𐍄𐌹𐍃𐌺", "👩‍👧👩‍👦", "e\u0301te\u0301"),
    *("०१२३४", "⑨⑧⑦", "90210777", "½¾⅞", "a\u200db", "ﬁnesse", "𝔉𝔯𝔞𝔨𝔱𝔲𝔯", "ǆungla", "₿♫♬"),
    *("\ue001\ue002", "Quixotry", "zyzzyva"),
)


def exotic(clusters: list[Any], label: str) -> dict[str, Any]:
    """Return a document of words of many scripts, with speakers and names of entities."""
    return {
        "doc_key": "one",
        "sentences": [list(WORDS[:10]), list(WORDS[10:])],
        "speakers": [["Sprecherin"] * 10, ["Оратор"] * 10],
        "clusters": clusters,
        "entity_types": [label for _ in clusters],
        "ner": [[[place, place, "GEHEIM"] for place in range(10)], [[14, 14, label]]],
    }


def test_no_exotic_word_is_in_a_redacted_page(browser: Browser, tmp_path: Path) -> None:
    spans = [[place, place] for place in range(20)]
    key = exotic([spans[0:20:3], spans[1:20:3], [[2, 4], [7, 9], [14, 16]]], "verborgen")
    response = exotic([spans[0:20:4], spans[2:20:4], [[2, 5], [7, 9], [13, 16]]], "heimlich")
    for name, document in (("key", key), ("ours", response)):
        line = json.dumps(document, ensure_ascii=False) + "\n"
        (tmp_path / f"{name}.jsonl").write_text(line, encoding="utf-8")
    files = [tmp_path / "key.jsonl", tmp_path / "ours.jsonl"]
    secret = [*WORDS, "Sprecherin", "Оратор", "GEHEIM", "verborgen", "heimlich"]
    shown = all_chunks(write_report(tmp_path / "open.html", *files))
    assert [word for word in (*WORDS, "Sprecherin", "GEHEIM") if word not in shown] == []
    report = write_report(tmp_path / "hidden.html", *files, "--redact")
    hidden = all_chunks(report) + around_chunks(report)
    assert [word for word in secret if word in hidden] == []
    # What a browser makes of it: texts, tips, and the snippet for LaTeX.
    with opened(browser, report) as page:
        for tab in ("overview", "errors", "document&error=0", "entities", "names", "data"):
            page.open(f"tab={tab}")
            assert [word for word in secret if word in page.page.content()] == []
        assert page.complaints == []


def test_unknown_field_is_masked() -> None:
    record = {
        "name": "ours",
        "novel_field": "Anna",
        "systems": [{"document": "one", "title": "Anna", "more": {"deep": ["Anna", 1, None]}}],
        "options": {"heads": "auto", "types": {"PERSON": "PER"}},
        "key": [{"name": "K1", "title": "Anna"}],
    }
    assert without_words(record) == {
        "name": "ours",
        "novel_field": "Xxxx",
        "systems": [{"document": "one", "title": "Xxxx", "more": {"deep": ["Xxxx", 1, None]}}],
        "options": {"heads": "auto", "types": {"PERSON": "PER"}},
        "key": [{"name": "K1", "title": "Xxxx"}],
    }


def test_redacted_page_has_no_word_of_the_text(tmp_path: Path) -> None:
    report = write_report(tmp_path / "r.html", KEY, *RESPONSES.values(), "--redact")
    summary = chunk_of(report, "summary")
    names = " ".join(each["name"] for each in summary["documents"])
    said = " ".join(inspect.getsource(record._described) for record in RECORDS)
    titles = " ".join(code.title for code in Code)
    of_others = strings([summary["comparison"], summary["scores"], summary["nec"]])
    ours = " ".join([around_chunks(report), names, said, titles, *of_others])
    secret = words_of(KEY) - set(LONG.findall(ours))
    assert len(secret) > 300
    data = all_chunks(report)
    assert set(LONG.findall(data)) & secret == set()
    assert "Xxxxx" in data


def test_no_coded_word_is_in_a_redacted_page(tmp_path: Path) -> None:
    """Without any exception: these words are nobody else's."""
    files = [write_coded(path, tmp_path / path.name) for path in (KEY, *RESPONSES.values())]
    other = files[1].read_text(encoding="utf-8").replace("zq", "zzq", 1)
    files[1].write_text(other, encoding="utf-8")
    open_page = all_chunks(write_report(tmp_path / "open.html", *files))
    assert "zq" in open_page and "W203" in open_page
    hidden = all_chunks(write_report(tmp_path / "hidden.html", *files, "--redact"))
    assert not re.search(r"zq\w+qz", hidden + around_chunks(tmp_path / "hidden.html"))
    assert Code.WORDS_DIFFER.title in hidden


def test_a_redacted_report_counts_the_same(tmp_path: Path) -> None:
    reports = [
        write_report(tmp_path / "open.html", KEY, *RESPONSES.values()),
        write_report(tmp_path / "hidden.html", KEY, *RESPONSES.values(), "--redact"),
    ]
    shown, hidden = (chunk_of(report, "errors") for report in reports)
    quoting = ("left", "text", "right", "title")
    for column in shown.keys() - {*quoting, "description"}:
        assert shown[column] == hidden[column]
    for column in quoting:
        assert list(map(mask, shown[column])) == hidden[column]
    shown, hidden = (chunk_of(report, "document-2") for report in reports)
    assert list(map(mask, shown["words"])) == hidden["words"]
    for entity in [*shown["key"], *(e for s in shown["systems"] for e in s["entities"])]:
        entity["title"] = mask(entity["title"])
    assert (shown["key"], shown["systems"]) == (hidden["key"], hidden["systems"])
    shown, hidden = (chunk_of(report, "summary") for report in reports)
    assert shown["scores"] == hidden["scores"]
    assert "--redact" in hidden["command"]


def test_systems_share_numbers(tmp_path: Path) -> None:
    key = [{"bee", "cat"}, {"dog", "eel"}]
    responses = {"one": [{"bee", "dog"}], "two": [{"ant", "bee", "cat"}, {"dog", "fox"}]}
    with pytest.warns(cs.CorefscopeWarning):
        pages = [cs.make_report(key, responses, redact=redact) for redact in (False, True)]
    for name, page in zip(("open", "hidden"), pages, strict=True):
        page.save(tmp_path / f"{name}.html")
    text = chunk_of(tmp_path / "open.html", "document-0")
    assert text["words"] == ["ant", "bee", "cat", "dog", "eel", "fox"]
    for entities, given in zip(
        [text["key"], *(system["entities"] for system in text["systems"])],
        [key, *responses.values()],
        strict=True,
    ):
        assert [{text["words"][m[0]] for m in entity["mentions"]} for entity in entities] == given
    shown, hidden = (chunk_of(tmp_path / f"{name}.html", "errors") for name in ("open", "hidden"))
    assert [text["words"][start] for start in shown["start"]] == shown["text"]
    assert hidden["text"] == [f"#{start}" for start in shown["start"]]
    assert len(set(hidden["id"])) == len(set(shown["id"])) < len(shown["id"])


# ---- split ----


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("split") / "report"
    return write_report(place, KEY, *RESPONSES.values(), "--split")


def file_of(folder: Path, number: int) -> Path:
    """The file of a document of a split report."""
    (file,) = (folder / "documents").glob(f"{number}-*.js")
    return file


def test_a_split_report_holds_the_same(folder: Path, demo_report: Path) -> None:
    for chunk in ("errors", "summary"):
        parts = [chunk_of(path, chunk) for path in (folder / "index.html", demo_report)]
        split, whole = (part | {"command": ""} for part in parts)
        assert split == whole
    assert len(list((folder / "documents").iterdir())) == 10
    for number in range(10):
        call = file_of(folder, number).read_text(encoding="ascii")
        found = re.fullmatch(rf'corefscopeChunk\("document-{number}", "([\w+/=]+)"\)\n', call)
        assert found
        assert unpacked(found[1]) == chunk_of(demo_report, f"document-{number}")


def test_split_report_is_reproducible(tmp_path: Path) -> None:
    output = tmp_path / "report"
    contents = []
    for _ in range(2):
        write_report(output, KEY, RESPONSES["sieve"], "--split", "--redact")
        contents.append({p.name: p.read_bytes() for p in output.rglob("*") if p.is_file()})
        (output / "documents" / "3.js").write_text("of somebody else", encoding="utf-8")
    assert contents[1].pop("3.js") == b"of somebody else"
    assert contents[0] == contents[1]
    write_report(output, KEY, RESPONSES["sieve"], "--split")
    others = {p.name for p in output.rglob("*.js")}
    assert len(others) == 11 and not others & (set(contents[0]) - {"3.js"})


def test_a_split_report_opens_from_disk(browser: Browser, folder: Path) -> None:
    with opened(browser, folder / "index.html") as page:
        page.open("tab=overview")
        assert not [request for request in page.requests if request.endswith(".js")]
        page.open("tab=document&document=3")
        assert len(page.text) > 200
        loaded = [request for request in page.requests if request.endswith(".js")]
        assert len(loaded) == 1 and loaded[0].startswith((folder / "documents").as_uri())
        assert page.evaluate("window.violations") == []
        assert page.complaints == []


@pytest.mark.parametrize(
    "arguments", [["--split", "-o", "file"], ["--split", "-o", "-"], ["-o", "directory"]]
)
def test_a_place_of_the_other_kind_is_refused(
    arguments: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("file").touch()
    Path("directory").mkdir()
    done = CliRunner().invoke(main, ["report", str(KEY), str(KEY), *arguments])
    assert done.exit_code == 2
    assert "folder" in done.output


def test_command_on_the_page_remakes_the_report(tmp_path: Path) -> None:
    output = tmp_path / "r.html"
    more = ["--tokens", "ignore", "--title", "Two words", "--redact"]
    command = chunk_of(write_report(output, KEY, KEY, *more), "summary")["command"]
    ending = f"--tokens ignore --title 'Two words' --redact -o {output}"
    assert command == f"corefscope report {KEY} {KEY} {ending}"


# ---- in a notebook ----
