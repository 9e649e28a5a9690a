"""NEC against its slow reference, on random documents and with any combination of choices."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import astuple

import corefscope as cs
from corefscope.choices import NecPreset
from corefscope.language import HeadScan
from corefscope.language.english import ENGLISH
from corefscope.named_entities import Nec, NecOptions, make_nec_options
from corefscope.named_entities.heads import Name
from evaluations import nec_of
from named_annotated import conll_text, json_line, named_corpora, named_documents
from named_annotated import options as any_options
from nec_reference import NamedDocument, Options, heuristic_head, rows, summary, typed_conll


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("nec")


def ours(options: Options) -> NecOptions:
    """Return the reference's choices as ours."""
    preset: NecPreset = "paper" if options.head_test == "ancestor" else "default"
    return make_nec_options(preset, options.types, options.heads)


def corpora(
    documents: Sequence[NamedDocument], options: Options, folder: Path
) -> tuple[cs.Corpus, cs.Corpus]:
    """Read the text without entities, in the format that has the layer, and put these on it."""
    if options.heads == "constituency":
        path, text = folder / "text.conll", "".join(map(conll_text, documents))
    else:
        path, text = folder / "text.jsonl", "".join(map(json_line, documents))
    path.write_text(text, encoding="utf-8")
    corpus = cs.read(path)
    return (
        corpus.with_clusters({document.name: document.key for document in documents}),
        corpus.with_clusters({document.name: document.response for document in documents}),
    )


def measured(documents: Sequence[NamedDocument], options: Options, folder: Path) -> Nec:
    names = {document.name: [Name(*n) for n in document.names] for document in documents}
    return nec_of(*corpora(documents, options, folder), ours(options), names=names)


def comparable(options: Options) -> Options:
    """Titles in trees are beyond the reference."""
    return options._replace(title_names=options.title_names and options.heads == "dependency")


@given(documents=named_corpora(), options=any_options().map(comparable))
@settings(max_examples=250)
def test_rows_and_figures(documents: list[NamedDocument], options: Options, folder: Path) -> None:
    found = measured(documents, options, folder)
    equal_rows(found, documents, options)
    equal_figures(found, documents, options)


def equal_rows(found: Nec, documents: list[NamedDocument], options: Options) -> None:
    for document, of_document in zip(documents, found.documents, strict=True):
        expected = sorted(rows(document, options), key=lambda row: (row.chain, row.type))
        ordered = sorted(of_document.rows, key=lambda row: (row.chain.number, row.chain.type))
        assert len(ordered) == len(expected)
        for row, reference in zip(ordered, expected, strict=True):
            assert (row.chain.number, row.chain.type) == (reference.chain, reference.type)
            assert [" ".join(v) for v in row.chain.variants] == list(reference.variants)
            assert tuple(row.candidates) == tuple(reference.candidates)
            assert len(row.split) == reference.split
            if options.pairing == "max":
                assert row.best == reference.best
                assert row.f1 == pytest.approx(float(reference.f1))
                assert row.recall == pytest.approx(float(reference.recall))
                assert row.precision == approximately(reference.precision)
                assert {t.value: v for t, v in row.by_type.items()} == {
                    t: approximately(v) for t, v in reference.by_type.items()
                }


def approximately(value: Fraction | None) -> object:
    return None if value is None else pytest.approx(float(value))


def equal_figures(found: Nec, documents: list[NamedDocument], options: Options) -> None:
    expected_figures = summary(documents, options)
    for type, reference in expected_figures.items():
        score = found[type]
        assert score.chains == reference["chains"]
        if options.pairing == "max" or options.aggregate == "macro":
            assert score.f1 == approximately(reference["f1"])
        assert score.not_found == approximately(reference["not_found"])
        assert score.zero_f1 == approximately(reference["zero_f1"])
        if options.pairing == "max":
            assert score.recall == approximately(reference["recall"])
            assert score.precision == approximately(reference["precision"])
            for part in ("recall", "precision", "f1"):
                assert getattr(score.micro, part) == approximately(reference[f"micro_{part}"])  # type: ignore[literal-required]
            for mention, by_type in score.by_mention_type.items():
                expected, count = reference["by_mention_type"][mention.value]
                assert astuple(by_type) == (approximately(expected), count)
        for spread, name in (
            (score.over_split, "over_split"),
            (score.over_combined, "over_combined"),
        ):
            chains, rate, excess = reference[name]  # type: ignore[literal-required]
            assert (spread.chains, spread.rate, spread.excess) == (
                chains,
                approximately(rate),
                excess,
            )
        conll = typed_conll(documents, options, type)
        assert score.conll == (None if conll is None else pytest.approx(conll))
    if options.pairing == "max" or options.aggregate == "macro":
        assert found.macro_f1 == approximately(expected_figures["ALL"]["macro_f1"])


@given(named_documents(), st.booleans())
@settings(max_examples=60)
def test_heads_by_heuristic(document: NamedDocument, tagged: bool) -> None:
    """The head scan of the library; a coordination has no head in NEC."""
    case = document if tagged else replace(document, tags=None)
    inside = {token for first, last, _ in case.names for token in range(first + 1, last)}
    scan = HeadScan(rules=ENGLISH.scan_rules, words=case.words, tags=case.tags, joined=inside)
    for sentence in case.sentences:
        for first in sentence:
            for last in range(first, sentence.stop):
                found = scan.head(first, last)
                expected = None if found.coordination else found.token
                assert heuristic_head(case, (first, last)) == expected
