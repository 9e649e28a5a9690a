"""A file of a format that is not read is named, and the message says what to do."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

import pytest

from corefscope import InvalidInput, read, write
from corefscope.findings import Remedy
from corefscope.formats.detection import LOOK
from corefscope.formats.reading.source import Source
from corefscope.formats.registry import Format, recognise
from formats.contents import codes, refusal, written

CONLLU = "1\tAnn\tAnn\tPROPN\tNNP\t_\t0\troot\t_\t{}\n"
RECORD = {"doc_key": "x", "sentences": [["Ann"]], "clusters": [[[0, 0]]]}

XML = "XML or SGML of another tool, such as XMI, TEI, GATE or MUC"
DOWNLOAD = "a web page, a PDF, a ZIP archive or an Office document"
GAP = "GAP, which asks of each pronoun which of two names it refers to"
BOOKNLP = "a file of BookNLP without entities"
UNREAD: Sequence[tuple[str, bytes | str]] = (
    (DOWNLOAD, b"PK\x03\x04\x14\x00"),
    (DOWNLOAD, b"%PDF-1.7\n"),
    (DOWNLOAD, "<!DOCTYPE html>\n<html><body>Not found</body></html>\n"),
    (BOOKNLP, "paragraph_ID\tsentence_ID\n0\t0\n"),
    (BOOKNLP, json.dumps({"characters": [{"id": 1}]})),
    (GAP, "ID\tText\tPronoun\nt-1\tAnn\tshe\n"),
    (GAP, "t-1\tTRUE\tFALSE\nt-2\tFALSE\tFALSE\n"),
    (XML, '<?xml version="1.0"?>\n<TEI xmlns="http://www.tei-c.org/ns/1.0"/>\n'),
    (XML, '<xmi:XMI xmlns:xmi="x"/>\n'),
    (
        XML,
        '<DOC><DOCID>1</DOCID><TXT><COREF ID="1">Ann</COREF> and <COREF ID="2" REF="1">she'
        "</COREF></TXT></DOC>\n",
    ),
    ("JSON without clusters", json.dumps([{"m_id": 1}, {"m_id": 2}])),
    ("JSON without clusters", json.dumps({"epochs": 3, "rate": 0.1})),
    ("a table of other columns", "name\tage\nAnn\t7\nBob\t8\n"),
    ("a table of other columns", "ann-1,e7\nann-2,e8\n"),
    ("a table of other columns", "#FORMAT=WebAnno TSV 2\n1-1\tAnn\n"),
    ("plain text", "Ann slept (well).\nShe dreamt.\n"),
    ("plain text", "<text>Ann slept.</text>\n"),
    ("plain text", "it ## would keep -> [1\n"),
)


@pytest.mark.parametrize(("name", "data"), UNREAD)
def test_a_format_that_is_not_read_is_named(name: str, data: bytes | str, tmp_path: Path) -> None:
    path = written(tmp_path / "file", data)
    with pytest.raises(InvalidInput) as raised:
        read(path)
    (finding,) = raised.value.findings
    assert finding.code.id == "E118"
    assert f"this looks like {name} (" in finding.message
    assert re.search("(does not read|you name its format): ", finding.message)


READ = {
    "a.conll": "#begin document x\nAnn\t(1)\n#end document\n",
    "comments.conll": "# sent_id = 1\n# newdoc\n#begin document x\nAnn\t(1)\n#end document\n",
    "a.jsonl": json.dumps(RECORD) + "\n",
    "text.jsonl": json.dumps({**RECORD, "text": "Ann", "document": ["Ann"]}) + "\n",
    "a.json": '{"text": [["m1"]], "y": [[[0, 0]]]}',
    "lines.json": json.dumps({"x": [[[0, 0]]]}, indent=1),
}


RECOGNISED = {
    "corenlp": {"sentences": [], "corefs": {}},
    "maverick": {"tokens": ["Ann"], "clusters_token_offsets": [[[0, 0]]], "doc_id": "x"},
    "wl-coref": {"document_id": "x", "cased_words": ["Ann"], "clusters": []},
    "preco": {"id": "x", "sentences": [["Ann"]], "mention_clusters": []},
    "coref-data": {"id": "x", "sentences": [{"tokens": []}], "coref_chains": []},
    "elit": {"sens": [], "coref": []},
    "allennlp": {"document": ["Ann"], "clusters": [[[0, 0]]]},
    "fastcoref": {"doc_key": "x", "text": "Ann", "clusters": [[[0, 3]]]},
    "subtoken": {**RECORD, "subtoken_map": [0]},
    "jsonl": {"tokens": ["Ann"], "clusters": [[[0, 0]]]},
    "scorch": {"type": "graph", "mentions": ["m"], "links": []},
    "spacy-json": {"text": "Ann", "tokens": [], "spans": {}},
    "stanza": [[{"id": 1, "text": "Ann"}]],
}


# The last fields of a long document are far behind the first bytes of its file.
PACKINGS: dict[str, Callable[[object], str]] = {
    "line": json.dumps,
    "indented": partial(json.dumps, indent=2),
    "array": lambda value: json.dumps(value if isinstance(value, list) else [value]),
    "long": partial(json.dumps, separators=(",", ":" + " " * LOOK)),
    "long and indented": partial(json.dumps, indent=2, separators=(",", ":" + " " * LOOK)),
}


@pytest.mark.parametrize("packing", PACKINGS)
@pytest.mark.parametrize("name", RECOGNISED)
def test_json_formats_are_recognised_by_their_fields(
    name: str, packing: str, tmp_path: Path
) -> None:
    path = Path(written(tmp_path / "file.txt", PACKINGS[packing](RECOGNISED[name])))
    found = recognise(Source(name="file", path=path))
    assert isinstance(found, Format) and found.name == name


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("stanza-conllu", "# text = Ann\n" + CONLLU.format("coref_chains=unit-id0")),
        ("corefud", "# newdoc id = x\n" + CONLLU.format("SpaceAfter=No")),
        ("pairs", "mention_id\tcluster_id\nm\te\n"),
        ("pairs", "1-3\tann\n7-7\tbob\n27-27\tann\n"),
        ("pairs", "1-3,ann\r\n7-7,bob\r\n27-27,ann\r\n"),
        ("pairs", '1-3;"ann"\n27-27;"ann"\n'),
        ("pairs", "document,cluster_id,mention_id\nx,e,m\n"),
        ("pairs", "name,record_id,entity_id,age\nAnn,1,e,3\n"),
        ("pairs", "id;cluster\n1;a\n"),
        ("pairs", "doc\tmention\tentity\nx\tm\te\n"),
        ("pairs", '"id_a","id_b","same"\n"a","b","1"\n'),
    ],
)
def test_tables_are_recognised(name: str, text: str, tmp_path: Path) -> None:
    path = Path(written(tmp_path / "file.txt", text))
    found = recognise(Source(name="file", path=path))
    assert isinstance(found, Format) and found.name == name


@pytest.mark.parametrize(
    "text",
    [
        "m1\tann\nm2\tann\n",
        "1-3\tann\n7-7\tbob\n",
        "1-3\tann\n1-3\tbob\n7-7\tbob\n",
        "1-3,ann\n7-7,ann\nm2,ann\n",
    ],
    ids=["no spans", "no links", "a span twice", "another id"],
)
def test_doubtful_tables_are_refused_with_the_format_to_name(text: str, tmp_path: Path) -> None:
    path = written(tmp_path / "x.csv", text)
    with pytest.raises(ValueError, match=r"table of other columns.*format pairs"):
        read(path)
    assert len(read(path, "pairs")) == 1


CITING = "Coreference is hard [2 3]. Others disagree [12 p. 4], [7: 8].\n\nNora lost the key.\n"
NO_TAGS = {
    "prose.txt": ("plain text", CITING),
    "page.md": ("plain text", f"# Notes\n\n{CITING}"),
    "talk.txt": ("plain text", "At [12:30] Nora lost the key.\n"),
    "places.csv": ("a table of other", 'name,notes\nNora,"see [2 3]"\nIda,"see [12 p. 4]"\n'),
    "days.csv": ("a table of other", "name;notes\nNora;stayed [3 days]\nIda;left\n"),
    "answers.csv": ("a table of other", 'doc,answer\nharbour,"[Nora](#1) lost [it](#2)."\n'),
}


@pytest.mark.parametrize("name", NO_TAGS)
def test_numbers_in_brackets_and_tables_are_no_answers(name: str, tmp_path: Path) -> None:
    kind, text = NO_TAGS[name]
    path = written(tmp_path / name, text)
    with pytest.raises(ValueError, match=f"this looks like {kind}.*E118"):
        read(path)


def test_numbers_in_brackets_beside_tags_are_mentions(tmp_path: Path) -> None:
    path = written(tmp_path / "a.txt", "[1 Nora] left in [2 1998]. [1 She] slept.\n")
    assert sum(map(len, read(path)["a"].entities)) == 3


def test_columns_of_spans_and_cells_are_no_pairs(tmp_path: Path) -> None:
    path = written(tmp_path / "a.conll", "1-3\t(1)\n4-5\t-\n7-9\t-\n")
    with pytest.raises(ValueError, match=r"CoNLL columns without any '#begin document' line"):
        read(path)


@pytest.mark.parametrize("name", READ)
def test_own_formats_are_not_taken_for_others(name: str, tmp_path: Path) -> None:
    assert not codes(read(written(tmp_path / name, READ[name])))


def test_columns_without_begin_line(tmp_path: Path) -> None:
    path = written(tmp_path / "a.conll", "Ann\t(1)\nslept\t-\n")
    with pytest.raises(ValueError, match=r"CoNLL columns without any '#begin document' line"):
        read(path)


def test_requested_reader_says_what_is_missing(tmp_path: Path) -> None:
    path = written(tmp_path / "a.txt", "Ann slept (well).\nShe dreamt.\n")
    with pytest.raises(ValueError, match=r"text without columns or a '#begin document' line"):
        read(path, "conll")
    path = written(tmp_path / "b.jsonl", json.dumps({"text": "Ann", "clusters": [["Ann"]]}))
    assert refusal(lambda: read(path, "jsonl")) == [("E112", 1)]


def test_every_unread_file_of_directory_is_named(tmp_path: Path) -> None:
    for name in ("a.jsonl", "b.json"):
        written(tmp_path / name, json.dumps([{"m_id": 1}, {"m_id": 2}]))
    written(tmp_path / "c.conll", READ["a.conll"])
    assert refusal(lambda: read(str(tmp_path))) == [("E118", None), ("E118", None)]


SETTINGS = {
    "a figure": '{"rate": 0.1}',
    "figures": '{"muc": {"f1": 0.5}}',
    "a list of names": '{"architectures": ["BertModel"], "hidden_size": 768}',
    "a list of objects": '{"log_history": [{"epoch": 1, "loss": 2}]}',
    "names alone": '["a", "b"]',
    "numbers alone": "[1, 2.5]",
    "an empty object": "{}",
}


@pytest.mark.parametrize("figures", SETTINGS.values(), ids=SETTINGS)
def test_settings_and_figures_beside_documents_are_ignored(figures: str, tmp_path: Path) -> None:
    written(tmp_path / "c.conll", READ["a.conll"])
    written(tmp_path / "settings.json", figures)
    written(tmp_path / "loss.csv", "step,loss\n1,0.5\n")
    corpus = read(str(tmp_path))
    assert len(corpus) == 1
    (finding,) = corpus.findings
    assert finding.code.id == "W109" and "loss.csv, settings.json" in finding.message
    assert refusal(lambda: read(str(tmp_path / "settings.json"))) == [("E118", None)]


def test_lines_of_figures_beside_documents_are_ignored(tmp_path: Path) -> None:
    written(tmp_path / "c.conll", READ["a.conll"])
    written(tmp_path / "times.jsonl", '{"step": 1, "s": 0.2}\n{"step": 2, "s": 0.3}\n')
    corpus = read(str(tmp_path))
    assert len(corpus) == 1 and [finding.code.id for finding in corpus.findings] == ["W109"]
    written(tmp_path / "empty.jsonl", "")
    assert refusal(lambda: read(str(tmp_path))) == [("W109", None), ("E105", 1)]


@pytest.mark.parametrize("ending", ["json", "jsonl"])
def test_a_minority_of_settings_among_json(ending: str, tmp_path: Path) -> None:
    for name in ("config", "x"):
        record = {"doc_key": name, "sentences": [["it", "it"]], "clusters": [[[0, 0], [1, 1]]]}
        written(tmp_path / f"{name}.{ending}", json.dumps(record))
    written(tmp_path / f"args.{ending}", SETTINGS["a list of names"])
    corpus = read(str(tmp_path))
    assert corpus.document_names == ("config", "x")
    assert [finding.code.id for finding in corpus.findings] == ["W109"]
    assert "args." in corpus.findings[0].message
    for name in ("config", "y"):
        written(tmp_path / f"{name}.{ending}", SETTINGS["a list of names"])
    assert refusal(lambda: read(str(tmp_path))) == [("E118", None)] * 3


def test_tagged_text_with_a_nul_byte_is_no_xml(tmp_path: Path) -> None:
    path = written(tmp_path / "x.txt", '<m id="1">Ann</m> sat.\n<m id="1">Sh\0e</m> slept.\n')
    assert refusal(lambda: read(path)) == [("E107", 2)]


PAGE = "# Tool\n\nSee [usage](#usage) and [the guide](docs/guide.md).\n\n## Usage\n\nRun it.\n"


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("README.md", PAGE),
        ("README", "# Tool\n\nSee [usage](#usage) and [limits](#limits).\n\n## Usage\n"),
        ("README.md", PAGE + '```json\n{"muc": ["recall", "precision"]}\n```\n'),
        ("tags.md", '# Tags\n\n```\n<m id="0">Ida</m> saw <m id="0">her</m>.\n```\n'),
        ("tags.md", "# Tags\n\n| a | b |\n|---|---|\n| [Ida](#0) | [She](#0) |\n"),
        ("usage.rst", 'Usage\n=====\n\n::\n\n  {"names": ["Ida", "Eve"]}\n'),
        ("pyproject.toml", '[tool.x]\npattern = "[a](#1)"\n[tool.y]\nname = "x"\n'),
    ],
)
def test_pages_and_programs_are_no_tagged_text(name: str, text: str, tmp_path: Path) -> None:
    path = written(tmp_path / name, text)
    with pytest.raises(ValueError, match=r"a page of documentation or a file of a program.*E118"):
        read(path)
    assert len(read(path, "tagged")) >= 1


SAMPLES_OF_FORMATS = {
    "conll": "#begin document (x); part 000\nx 0 0 Ann (0)\nx 0 1 She (0)\n#end document",
    "ua": "# global.columns = ID FORM IDENTITY\n1 Ann (EntityID=1|MarkableID=m1)",
    "corefud": "# newdoc id = x\n# global.Entity = eid-etype\n1\tAnn" + "\t_" * 7 + "\tEntity=(a-)",
    "cdcr": "#begin document x\n1\t1_1\tdoc\t0\t0\tAnn\tTrue\t(0)",
    "brat": "T1\tPER 0 3\tAnn\n*\tEquiv T1 T2",
    "litbank": "MENTION\tT1\t0\t0\t0\t0\tAnn\tPER\tPROP",
    "sacr": '{anna:type="PER" Ann} slept.',
}


@pytest.mark.parametrize("name", ["README.md", "README", "formats.md"])
@pytest.mark.parametrize("format", SAMPLES_OF_FORMATS)
def test_a_page_about_a_format_is_not_of_the_format(format: str, name: str, tmp_path: Path) -> None:
    sample = SAMPLES_OF_FORMATS[format]
    text = f"# My tool\n\nIt writes this:\n\n```text\n{sample}\n```\n\n## Usage\n\nRun it.\n"
    path = written(tmp_path / name, text)
    with pytest.raises(ValueError, match=r"looks like a page of documentation.*E118"):
        read(path)
    assert not isinstance(recognise(Source(name=name, path=tmp_path / name)), Format)
    alone = Source(name=name, path=Path(written(tmp_path / "sample", f"{sample}\n")))
    found = recognise(alone)
    assert isinstance(found, Format) and found.name == format


def test_a_page_that_mentions_a_format_is_plain_text(tmp_path: Path) -> None:
    text = "# My tool\n\nEach file has a line `#begin document NAME` for each document.\n"
    with pytest.raises(ValueError, match=r"looks like plain text.*E118"):
        read(written(tmp_path / "page.md", text))


def test_comments_before_the_first_document_are_no_page(tmp_path: Path) -> None:
    text = "# A corpus\n# Free to use\n" + SAMPLES_OF_FORMATS["conll"] + "\n```\n"
    found = recognise(Source(name="x", path=Path(written(tmp_path / "x.conll", text))))
    assert isinstance(found, Format) and found.name == "conll"


@pytest.mark.parametrize(
    "text",
    [
        "# Chapter 1\n\n[Ann](#0) slept. [She](#0) snored.\n\n# Chapter 2\n\n[Bob](#1) woke.\n",
        "## Answer\n\n[Ann](#ann) slept. [She](#ann) snored. [Bob](#bob) woke [her](#ann).\n",
        "[Ann](#ann) met [Bob](#bob).\n",
    ],
)
def test_tagged_text_in_markdown_is_read(text: str, tmp_path: Path) -> None:
    for name in ("a.md", "a.txt"):
        found = recognise(Source(name=name, path=Path(written(tmp_path / name, text))))
        assert isinstance(found, Format) and found.name == "tagged"


def test_json_that_quotes_a_cell_of_another_format(tmp_path: Path) -> None:
    """As the native copy of a file does whose cells were odd."""
    odd = (
        "# global.columns = ID FORM IDENTITY\n# newdoc id = x\n1\tAnn\t(EntityID=1|MarkableID=a)b\n"
    )
    corpus = read(written(tmp_path / "odd.conllua", odd))
    assert "W103" in codes(corpus)
    write(corpus, tmp_path / "copy.jsonl", "native")
    assert read(tmp_path / "copy.jsonl").document_names == ("x",)


def test_tables_of_other_things_name_the_formats_of_tables(tmp_path: Path) -> None:
    for header in ("name,age", "id,entity,sentence", "mention\tentity\tsalience"):
        path = written(tmp_path / "table.csv", f"{header}\n1,2,3\n")
        with pytest.raises(
            InvalidInput, match=r"or the format pairs \(tables, if it is giant\)"
        ) as raised:
            read(path)
        assert raised.value.findings[0].remedy is Remedy.NAME_FORMAT
