"""The layers of CoNLL-U text."""

from __future__ import annotations

from pathlib import Path

import pytest

from corefscope import Corpus, read
from corefscope.corpus.layers import MentionAttributes
from formats.corefud.contents import conllu, written

TEXT = """# newdoc id = x
# global.Entity = eid-etype-head-other
1-2\tAnns\t_\t_\t_\t_\t_\t_\t_\t_
1\tAnn\tAnn\tPROPN\tNNP\tNumber=Sing\t3\tnmod\t_\tEntity=(a-person-1)(b-object-2
2\tcat\tcat\tNOUN\tNN\t_\t3\tnsubj\t_\tEntity=b)
3\tsat\tsit\tVERB\tVBD\tTense=Past\t0\troot\t_\t_
3.1\t_\t_\tPRON\t_\t_\t_\t_\t3:obj|2:x\tEntity=(a-person-1)

1\tIt\tit\tPRON\tPRP\t_\t2\tnsubj\t_\tEntity=(b[1/2]-object-1)
2\tslept\tsleep\tVERB\tVBD\t_\t0\troot\t_\t_
3\ttoo\ttoo\tADV\tRB\t_\t9\tadvmod\t_\tEntity=(b[2/2]-object-1)
"""


@pytest.fixture
def corpus(tmp_path: Path) -> Corpus:
    return read(written(tmp_path, TEXT))


def test_layers(corpus: Corpus) -> None:
    document = corpus["x"]
    assert document.words == ["Ann", "cat", "sat", "_", "It", "slept", "too"]
    assert document.lemmas == ["Ann", "cat", "sit", "_", "it", "sleep", "too"]
    assert document.tags == ["PROPN", "NOUN", "VERB", "PRON", "PRON", "VERB", "ADV"]
    assert document.layer("xpos") == ["NNP", "NN", "VBD", "_", "PRP", "VBD", "RB"]
    assert document.layer("feats") == ["Number=Sing", "_", "Tense=Past", "_", "_", "_", "_"]
    assert document.sentences == [range(4), range(4, 7)]
    assert document.layer("parse") is None


def test_heads_are_numbers_of_tokens(corpus: Corpus) -> None:
    """An empty node hangs where DEPS says first; a head that is not there is none."""
    assert corpus["x"].layer("heads") == ["2", "2", "-1", "2", "5", "-1", "-1"]
    relations = ["nmod", "nsubj", "root", "obj", "nsubj", "root", "advmod"]
    assert corpus["x"].layer("deprels") == relations


def test_types_and_levels(corpus: Corpus) -> None:
    assert dict(corpus["x"].attributes or {}) == {
        (0, 0): MentionAttributes("person", "NAM"),
        (0, 1): MentionAttributes("object", "NOM"),
        (3, 3): MentionAttributes("person", "PRO"),
        (4, 6): MentionAttributes("object", "PRO"),
    }


def test_a_column_of_nothing_is_no_layer(tmp_path: Path) -> None:
    document = read(written(tmp_path, conllu(["(a)", ""])))["x"]
    assert document.words == ["w1", "w2"]
    assert [document.layer(name) for name in ("tags", "lemmas", "xpos", "feats", "deprels")] == [
        None
    ] * 5
    assert not document.attributes


def test_each_document_has_its_own_text(tmp_path: Path) -> None:
    text = TEXT + "\n" + TEXT.replace("= x", "= y").replace("cat", "dog")
    corpus = read(written(tmp_path, text))
    assert [corpus[name].words[1] for name in ("y", "x", "y")] == ["dog", "cat", "dog"]  # type: ignore[index]
    assert corpus["y"].attributes == corpus["x"].attributes


def test_documents_across_blocks_have_their_text(tmp_path: Path) -> None:
    long = "# text = " + "x" * 700_000 + "\n"
    text = "".join(
        TEXT.replace("= x", f"= {name}").replace("cat", name).replace("1\tIt", f"{long}1\tIt")
        for name in "abcd"
    ).replace("# newdoc", "\n# newdoc")
    corpus = read(written(tmp_path, text))
    assert [document.words for document in corpus] == [
        ["Ann", name, "sat", "_", "It", "slept", "too"] for name in "abcd"
    ]
