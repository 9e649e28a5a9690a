"""What the writers of formats with characters write, to the last sign."""

from __future__ import annotations

import json
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

import corefscope as cs
from corefscope.demo import KEY
from corefscope.extensions.toolkits.spacy_docbin import _sentence_starts, record_of
from corefscope.formats.registry import writings
from formats.contents import written
from formats.sample_documents import DOCUMENTS, SAMPLES

ROOT = Path(__file__).parents[2]
NATIVE = ROOT / SAMPLES / "native/both.jsonl"


def files(format: str, path: Path = NATIVE) -> dict[str, str]:
    return {name: data.decode() for name, data in writings()[format].write(cs.read(path))}


def test_brat() -> None:
    found = files("brat")
    assert set(found) == {f"{name}.{ending}" for name in DOCUMENTS for ending in ("ann", "txt")}
    for name, document in DOCUMENTS.items():
        assert found[f"{name}.txt"] == document.text
    assert found["lighthouse.ann"].splitlines()[:3] == [
        "T1\tPER 0 11\tNora Lind's",
        "T2\tPER 67 71\tNora",
        "T3\tPER 0 22\tNora Lind's sister Ida",
    ]
    assert found["lighthouse.ann"].splitlines()[-4:] == [
        "*\tEquiv T1 T2",
        "*\tEquiv T3 T4",
        "*\tEquiv T5 T6 T7",
        "#1\tAnnotatorNotes T8\tentity of one mention",
    ]
    assert "T8\tLOC 47 56\tGull Rock" in found["lighthouse.ann"], "a singleton has no link"


def test_brat_writes_gaps(tmp_path: Path) -> None:
    record = {"doc_key": "x", "sentences": [["a", "bc", "d"]], "clusters": [[[[0, 0], [2, 2]]]]}
    path = written(tmp_path / "in.jsonl", json.dumps(record))
    found = files("brat", Path(path))
    assert found["x.txt"] == "a bc d\n"
    assert found["x.ann"].splitlines()[0] == "T1\tUntyped 0 1;5 6\ta d"


@pytest.mark.filterwarnings("ignore::corefscope.CorefscopeWarning")
def test_brat_keeps_entities_of_one_mention(tmp_path: Path) -> None:
    """Also if nothing of their type is linked."""
    corpus = cs.read(NATIVE)
    cs.write(corpus, tmp_path / "brat", "brat", lossy=True)
    again = cs.read(tmp_path / "brat")
    assert not again.findings
    assert cs.score(corpus, again).mentions.f1 == 1 == cs.score(corpus, again).b3.f1
    chosen = cs.read(tmp_path / "brat", "brat:types=PER+FAC+OBJ")
    assert len(chosen.mention_entity) == len(again.mention_entity) - 1


@pytest.mark.filterwarnings("ignore::corefscope.CorefscopeWarning")
def test_brat_keeps_a_mark_at_the_beginning(tmp_path: Path) -> None:
    """A byte-order mark at the beginning of a text file is no character of the text."""
    record = {"doc_key": "x", "sentences": [["\ufeffa", "b"]], "clusters": [[[0, 0], [1, 1]]]}
    path = Path(written(tmp_path / "in.jsonl", json.dumps(record)))
    assert files("brat", path)["x.txt"] == "\n\ufeffa b\n"
    cs.write(cs.read(path), tmp_path / "brat", "brat")
    assert cs.score(cs.read(path), cs.read(tmp_path / "brat")).mentions.f1 == 1


@pytest.mark.filterwarnings("ignore::corefscope.CorefscopeWarning")
@pytest.mark.parametrize("format", ["brat", "spacy"])
def test_spellings_of_tokenisers_are_read_back(format: str, tmp_path: Path) -> None:
    """Words are written as they are: ( instead of -LRB- would not be the same word."""
    if format == "spacy":
        pytest.importorskip("spacy")
    words = ["``", "Ann", "-LRB-", "the", "''", "boss", "''", "-RRB-", "said", "1\\/2", "."]
    spans = [[[1, 7], [9, 9]], [[0, 1], [4, 6]], [[2, 2], [7, 7]], [[3, 5]]]
    record = {"doc_key": "nw/x", "sentences": [words, ["She", "left"]], "clusters": spans}
    corpus = cs.read(written(tmp_path / "in.jsonl", json.dumps(record)))
    cs.write(corpus, tmp_path / "out", format)
    again = cs.read(tmp_path / "out")
    scores = cs.score(corpus, again, pair_by="position")
    assert scores.mentions.f1 == scores.b3.f1 == scores.lea.f1 == 1
    assert "".join(again[again.document_names[0]].words or ()) == "".join([*words, "She", "left"])
    # CoNLL does not keep where the tokens are in the text.
    cs.write(again, tmp_path / "back.conll", lossy=True)
    assert cs.score(corpus, tmp_path / "back.conll", pair_by="position").mentions.f1 == 1


@pytest.mark.filterwarnings("ignore::corefscope.CorefscopeWarning")
@pytest.mark.parametrize("format", ["spacy"])
def test_no_value_of_conll_is_no_lemma_or_tag(format: str, tmp_path: Path) -> None:
    if format == "spacy":
        pytest.importorskip("spacy")
    rows = [("She", "PRP", "-"), ("-", ":", "-"), ("left", "VBD", "leave"), ("now", "-", "-")]
    lines = [
        f"x 0 {number} {word} {tag} * {lemma} - - - * {'(1)' if word == 'She' else '-'}\n"
        for number, (word, tag, lemma) in enumerate(rows)
    ]
    text = f"#begin document (x); part 000\n{''.join(lines)}\n#end document\n"
    corpus = cs.read(written(tmp_path / "in.conll", text))
    cs.write(corpus, tmp_path / "out", format)
    (again,) = cs.read(tmp_path / "out")
    assert again.lemmas == ["", "-", "leave", ""], "the lemma of - stays"
    assert again.tags == ["PRP", ":", "VBD", ""]
    cs.write(cs.read(tmp_path / "out"), tmp_path / "back.conll")
    (back,) = cs.read(tmp_path / "back.conll")
    (given,) = corpus
    assert (back.lemmas, back.tags) == (given.lemmas, given.tags)


@pytest.mark.parametrize("format", ["spacy"])
def test_a_layer_without_values_is_not_written(format: str, tmp_path: Path) -> None:
    pytest.importorskip("spacy")
    text = "#begin document (x); part 000\nx 0 0 She - * - - - - * (1)\n\n#end document\n"
    cs.write(cs.read(written(tmp_path / "in.conll", text)), tmp_path / "out", format)
    (again,) = cs.read(tmp_path / "out")
    assert again.lemmas is None and again.tags is None


@pytest.mark.skipif(find_spec("spacy") is None, reason="make test installs spaCy")
def test_docbin(tmp_path: Path) -> None:
    before = cs.read(NATIVE)
    cs.write(before, tmp_path / "both.spacy", lossy=True)
    corpus = cs.read(tmp_path / "both.spacy")
    assert corpus.document_names == before.document_names
    for one, other in zip(corpus, before, strict=True):
        assert (one.words, one.text, one.sentences) == (other.words, other.text, other.sentences)
    assert cs.score(before, corpus).conll == 1
    assert corpus.mention_heads is not None and before.mention_heads is not None
    assert corpus.mention_heads.tolist() == before.mention_heads.tolist()


@pytest.mark.skipif(find_spec("spacy") is None, reason="make test installs spaCy")
def test_sentences_of_a_docbin_are_those_of_spacy(tmp_path: Path) -> None:
    """They are set all at once, because spaCy takes quadratic time for them."""
    from spacy.tokens import Doc
    from spacy.vocab import Vocab

    corpus = with_blanks(tmp_path, "a \n\t b")
    for document in (*corpus, *cs.read(NATIVE), *cs.read(KEY)):
        record = record_of(document)
        theirs = Doc(Vocab()).from_json(record)
        ours = _sentence_starts(record["sents"], record["tokens"])
        assert (
            ours.astype("int64").tolist() == theirs.to_array("SENT_START").astype("int64").tolist()
        )


BLANKS = {"a  b": [" "], "a   b": ["  "], "a\n\n b": ["\n\n "], "a \n\t b": ["\n\t "], "a b": []}


def with_blanks(folder: Path, text: str) -> cs.Corpus:
    """A document of two words."""
    record = {
        "corefscope": "0.1.0",
        "schema": "corpus/1",
        "name": "x",
        "tokens": 2,
        "text": text,
        "characters": [[0, 1], [len(text) - 1, len(text)]],
        "layers": {"words": ["a", "b"]},
        "entities": [{"label": "0", "mentions": [{"span": [0, 0]}, {"span": [1, 1]}]}],
    }
    return cs.read(written(folder / "in.native.jsonl", json.dumps(record)))


@pytest.mark.parametrize("text", BLANKS)
def test_blanks_of_spacy(text: str, tmp_path: Path) -> None:
    """Blanks after the first space are one token without a space of its own, as in spaCy."""
    corpus = with_blanks(tmp_path, text)
    record: Any = record_of(next(iter(corpus)))
    tokens = [text[token["start"] : token["end"]] for token in record["tokens"]]
    assert tokens == ["a", *BLANKS[text], "b"]
    if find_spec("spacy"):
        cs.write(corpus, tmp_path / "out.spacy")
        (document,) = cs.read(tmp_path / "out.spacy")
        assert (document.text, document.words) == (text, ["a", "b"])


def test_folders(tmp_path: Path) -> None:
    """A folder is written whole."""
    corpus = cs.read(NATIVE)
    cs.write(corpus, tmp_path / "out", "brat", lossy=True)
    assert sorted(f.name for f in (tmp_path / "out").iterdir()) == [
        ".corefscope-files",
        *(f"{name}.{ending}" for name in ("bakery", "lighthouse") for ending in ("ann", "txt")),
    ]
    with pytest.raises(cs.CannotExpress, match="several files"):
        cs.write(corpus, "-", "brat", lossy=True)


def test_names_of_files(tmp_path: Path) -> None:
    names = ["(bn/0001); part 000", "a.txt", "A_", "a_", "../x", ""]
    lines = [{"doc_key": n, "sentences": [["a"]], "clusters": [[[0, 0]]]} for n in names]
    path = written(tmp_path / "in.jsonl", "".join(json.dumps(line) + "\n" for line in lines))
    found = [name for name in files("brat", Path(path)) if name.endswith(".ann")]
    assert len({name.lower() for name in found}) == len(names)
    assert not any("/" in name or name.startswith(".") for name in found)


def lossy_case(tmp_path: Path) -> tuple[cs.Corpus, Any]:
    record = {
        "doc_key": "x",
        "sentences": [["a", "b", "c", "d", "e"]],
        "clusters": [[[0, 2], [1, 3], [3, 4]], [[[0, 0], [2, 2]], [4, 4]]],
        "mention_heads": [[0, None, 3], [None, 4]],
    }
    return cs.read(written(tmp_path / "in.jsonl", json.dumps(record))), tmp_path / "out.conll"


def test_lossy_drops_exactly_what_is_listed(tmp_path: Path) -> None:
    corpus, out = lossy_case(tmp_path)
    with pytest.raises(cs.CannotExpress) as refused:
        cs.write(corpus, out)
    assert [finding.code.id for finding in refused.value.findings] == ["E301", "E302", "E302"]
    assert "(1, 3) of entity 0, which crosses (0, 2)" in refused.value.findings[0].message
    assert not out.exists()
    messages = [finding.message for finding in cs.write(corpus, out, lossy=True)]
    assert [message.partition(" (")[0] for message in messages] == [
        "crossing mentions of one entity",
        "mentions with gaps",
        "heads of mentions",
    ]
    assert "(3)" in messages[2]
    (document,) = cs.read(out)
    found = sorted(sorted(m.id for m in entity) for entity in document.entities)  # type: ignore
    assert found == [[(0, 2), (3, 4)], [(4, 4)]]
