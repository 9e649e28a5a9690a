"""The analysis as its users call it: modes, missing layers, singletons, several documents."""

from __future__ import annotations

from pathlib import Path

import pytest

import corefscope as cs
from corefscope.demo import KEY, RESPONSES
from corefscope.error_analysis import Analysis
from corefscope.findings import AnyCode, Code
from evaluations import analysis_of

quiet = pytest.mark.filterwarnings("ignore::corefscope.CorefscopeWarning")

COLUMNS = """#begin document (a); part 000
a 0 0 The DT (S(NP* - - - - * {0}
a 0 1 mayor NN *) - - - - * {1}
a 0 2 of IN (PP* - - - - * {2}
a 0 3 Arle NNP (NP*)) - - - - (GPE) {3}
a 0 4 left VBD (VP*)) - - - - * {4}

a 0 0 She PRP (S(NP*) - - - - * {5}
a 0 1 likes VBZ (VP* - - - - * {6}
a 0 2 it PRP (NP*))) - - - - * {7}
#end document
"""


def written(path: Path, text: str, *cells: str) -> cs.Corpus:
    path.write_text(text.format(*cells), encoding="utf-8")
    return cs.read(path)


def codes(analysis: Analysis) -> list[AnyCode]:
    return [finding.code for finding in analysis.findings]


def columns_only(text: str, *kept: int) -> str:
    """Put ``-`` into all columns but some, the first four and the last."""
    lines = []
    for line in text.splitlines():
        fields = line.split()
        if fields and not line.startswith("#"):
            last = len(fields) - 1
            fields = [f if i < 4 or i in (*kept, last) else "-" for i, f in enumerate(fields)]
            line = " ".join(fields)
        lines.append(line)
    return "\n".join(lines) + "\n"


SHE = ("(1", "1)", "-", "(2)", "-", "(1)", "-", "(2)")
"""The mayor is she; Arle is it."""
MIXED = ("(1", "1)", "-", "(1)", "-", "(1)", "-", "-")
"""The mayor, Arle and she are one; it is missing."""


def test_a_small_document(tmp_path: Path) -> None:
    key = written(tmp_path / "key.conll", COLUMNS, *SHE)
    response = written(tmp_path / "response.conll", COLUMNS, *MIXED)
    analysis = cs.analyze(key, response)
    assert analysis.operations == {
        "alter_span": 0,
        "split": 2,
        "remove": 0,
        "introduce": 1,
        "merge": 2,
    }
    assert {type: n for type, n in analysis.errors.items() if n} == {
        "conflated_entities": 1,
        "missing_mention": 1,
    }
    conflated, missing = analysis.records
    assert [str(m) for m in conflated.mentions] == ["Arle"]
    assert (conflated.entity, conflated.label) == ("R1", "1")
    assert conflated.other == "K2"  # type: ignore[attr-defined]
    assert missing.id == "(a); part 000/missing_mention/7-7"
    assert analysis.sources.heads == "parse"
    assert analysis.findings == ()
    assert analysis.signature.endswith("docs:1|errors:standard|heads:parse")


class TestLayers:
    """What is not there is said, and the rest is analysed."""

    def test_no_parse(self, tmp_path: Path) -> None:
        text = columns_only(COLUMNS.format(*SHE), 4, 10)
        key = written(tmp_path / "key.conll", text)
        response = written(tmp_path / "response.conll", COLUMNS, *MIXED)
        analysis = analysis_of(key, key)
        assert codes(analysis) == [Code.NO_TEXT_LAYER]
        assert analysis.sources.heads == "tags"
        # The response has the trees that the key lacks.
        analysis = analysis_of(key, response)
        sources = analysis.sources
        assert (sources.heads, dict(sources.borrowed)) == ("response-parse", {"parse": 1})
        assert analysis.signature.endswith("|heads:response-parse")
        assert codes(analysis) == [Code.NO_TEXT_LAYER]

    def test_no_tags(self, tmp_path: Path) -> None:
        text = columns_only(COLUMNS.format(*SHE), 10)
        key = written(tmp_path / "key.conll", text)
        analysis = analysis_of(key, key)
        assert codes(analysis) == [Code.NO_TEXT_LAYER, Code.NO_TEXT_LAYER]
        assert analysis.sources.heads == "words"

    def test_no_names(self, tmp_path: Path) -> None:
        text = columns_only(COLUMNS.format(*SHE), 4, 5)
        analysis = analysis_of(*[written(tmp_path / "key.conll", text)] * 2)
        assert codes(analysis) == [Code.NO_TEXT_LAYER]

    @pytest.mark.parametrize("kept", [(), (4,), (4, 5)])
    def test_pronouns_are_known_by_any_layer(self, tmp_path: Path, kept: tuple[int, ...]) -> None:
        """An entity of which only a pronoun is right is missing, whatever tells the pronoun."""
        cells = ("(1", "1)", "-", "(1)", "-", "(1)", "-", "-")
        key = written(tmp_path / "key.conll", columns_only(COLUMNS.format(*cells), *kept))
        only_pronouns = ("-", "-", "-", "-", "-", "(1)", "-", "(1)")
        response = written(
            tmp_path / "response.conll", columns_only(COLUMNS.format(*only_pronouns), *kept)
        )
        errors = analysis_of(key, response).errors
        assert (errors["missing_entity"], errors["divided_entity"]) == (1, 1)

    def test_no_words(self) -> None:
        key = {"x": [[(0, 1), (3, 3), (5, 5)], [(7, 7), (8, 8)]]}
        response = {"x": [[(0, 1), (3, 3)], [(7, 7), (9, 9)]]}
        with pytest.warns(cs.CorefscopeWarning, match="no words"):
            analysis = cs.analyze(key, response)
        assert analysis.sources.heads == "nothing"
        assert {t: n for t, n in analysis.errors.items() if n} == {
            "extra_mention": 1,
            "missing_mention": 2,
        }
        error = next(e for e in analysis.records if e.type is cs.ErrorType.EXTRA_MENTION)
        record = error.to_dict()
        assert (record["mention_type"], record["text"], record["same_text"]) == (
            "unknown",
            None,
            None,
        )
        assert (record["sentence"], record["left"], record["right"]) == (None, "", "")
        assert record["mentions"] == [{"start": 9, "end": 9, "text": None}]

    @quiet
    def test_mentions_that_are_no_spans(self) -> None:
        analysis = cs.analyze([["a", "b", "c"], ["d", "e"]], [["a", "b"], ["c", "d", "x"]])
        assert analysis.operations["split"] == 3
        assert {t: n for t, n in analysis.errors.items() if n} == {
            "conflated_entities": 1,
            "extra_mention": 1,
            "divided_entity": 1,
            "missing_mention": 1,
        }
        assert analysis.corrected("missing_entity", cumulative=True).mention_ids

    @quiet
    def test_ids_of_several_kinds_and_of_none(self) -> None:
        key = cs.Corpus.from_rows(("document",), [([3], ["a", 1, None])])
        analysis = cs.analyze(key, [["a", (2, "x")]])
        assert analysis.errors["missing_entity"] == 0
        assert analysis.operations["introduce"] == 2

    def test_text_from_response_when_key_has_none(self, tmp_path: Path) -> None:
        (tmp_path / "key.json").write_text(
            '{"(a); part 000": [[[0, 1], [5, 5]], [[3, 3], [7, 7]]]}', encoding="utf-8"
        )
        response = written(tmp_path / "response.conll", COLUMNS, *MIXED)
        analysis = analysis_of(cs.read(tmp_path / "key.json"), response)
        assert analysis.sources.heads == "response-parse"
        layers = ("words", "tags", "parse", "names")
        assert dict(analysis.sources.borrowed) == dict.fromkeys(layers, 1)
        assert codes(analysis) == [Code.NO_TEXT_LAYER] * 4, "one a layer"
        assert [str(m) for m in analysis.records[0].mentions] == ["Arle"]

    @quiet
    def test_a_mention_beyond_the_text(self, tmp_path: Path) -> None:
        key = written(tmp_path / "key.conll", COLUMNS, *SHE)
        longer = COLUMNS.replace("#end", "a 0 3 . . *) - - - - * (1)\n#end")
        response = written(tmp_path / "response.conll", longer, *SHE)
        analysis = cs.analyze(key, response, tokens="ignore")
        assert {t: n for t, n in analysis.errors.items() if n} == {"extra_mention": 1}
        assert analysis.records[0].mentions[0].text is None

    def test_a_tree_that_cannot_be_read(self, tmp_path: Path) -> None:
        text = COLUMNS.replace("mayor NN *)", "mayor NN *))))")
        key = written(tmp_path / "key.conll", text, *SHE)
        analysis = analysis_of(key, key)
        (finding,) = analysis.findings
        assert finding.code is Code.BAD_LAYER
        assert finding.file == str(tmp_path / "key.conll")
        assert "token" in finding.message
        assert analysis.sources.heads == "parse", "of the other sentence"


class TestModes:
    """Each difference between the published tool and our rules."""

    TWO = COLUMNS + COLUMNS.replace("(a)", "(b)").replace("\na ", "\nb ")

    def analysed(self, tmp_path: Path, key: str, response: str) -> tuple[Analysis, Analysis]:
        corpora = (
            written(tmp_path / "key.conll", key),
            written(tmp_path / "response.conll", response),
        )
        return analysis_of(*corpora), analysis_of(*corpora, mode="berkeley")

    def test_a_document_that_the_response_lacks(self, tmp_path: Path) -> None:
        key = COLUMNS.format(*SHE) + COLUMNS.replace("(a)", "(b)").format(*SHE)
        ours, published = self.analysed(tmp_path, key, COLUMNS.format(*SHE))
        assert ours.errors["missing_entity"] == 2
        assert len(ours.documents) == 2
        assert sum(published.errors.values()) == 0
        assert len(published.documents) == 1
        assert codes(ours) == codes(published) == [Code.MISSING]
        assert "left out" in published.findings[0].message

    def test_a_mention_over_two_sentences(self, tmp_path: Path) -> None:
        over = ("(1", "1)", "-", "(2", "-", "(1)|2)", "-", "(2)")
        ours, published = self.analysed(tmp_path, COLUMNS.format(*over), COLUMNS.format(*SHE))
        assert ours.operations["introduce"] == 1
        assert published.operations["introduce"] == 0
        assert Code.AS_PUBLISHED in codes(published)
        assert "spans sentences" in published.findings[0].message

    def test_which_copy_of_a_mention_is_kept(self, tmp_path: Path) -> None:
        """Entity 1 opens first, entity 2 closes first."""
        twice = ("(1|(2", "2)|1)", "-", "-", "-", "(1)", "-", "(2)")
        first = ("(1", "1)", "-", "-", "-", "(1)", "-", "-")
        second = ("(2", "2)", "-", "-", "-", "-", "-", "(2)")
        ours, _ = self.analysed(tmp_path, COLUMNS.format(*twice), COLUMNS.format(*first))
        _, published = self.analysed(tmp_path, COLUMNS.format(*twice), COLUMNS.format(*second))
        assert sum(ours.errors.values()) == 0
        assert sum(published.errors.values()) == 0
        assert codes(ours) == [Code.REPEATED]
        # What is left of entity 1 is a singleton that the response lacks.
        assert codes(published) == [Code.AS_PUBLISHED, Code.AS_PUBLISHED]
        assert "the published tool stops there" in published.findings[-1].message

    def test_spurious_mention_left_by_corrections(self, tmp_path: Path) -> None:
        """The mayor, whom the key does not know, is the main piece of all three."""
        key = ("-", "-", "-", "(1)", "(1)", "(2)", "(2)", "-")
        response = ("(9", "9)", "-", "(9)", "-", "(9)", "-", "-")
        ours, published = self.analysed(tmp_path, COLUMNS.format(*key), COLUMNS.format(*response))
        assert ours.errors == published.errors
        assert ours.errors["conflated_entities"] == 2
        last = [
            {(m.start, m.end) for entity in corpus["(a); part 000"].entities for m in entity}
            for corpus in (
                analysis.corrected("missing_entity", cumulative=True)
                for analysis in (ours, published)
            )
        ]
        assert last[1] - last[0] == {(0, 1)}

    def test_mentions_that_differ_at_their_edges(self, tmp_path: Path) -> None:
        text = (
            COLUMNS.replace("The DT", "the DT")
            .replace("mayor NN", ", ,")
            .replace("of IN", "cat NN")
        )
        key = text.format("(1", "-", "1)", "-", "-", "(1)", "-", "-")
        response = text.format("-", "(1", "(1)|1)", "-", "-", "(1)", "-", "-")
        ours, published = self.analysed(tmp_path, key, response)
        assert ours.errors == published.errors
        assert ours.errors["span_error"] == 1
        assert [e.spans() for e in ours.records if e.type is cs.ErrorType.SPAN_ERROR] == [
            ((1, 2), (0, 2))
        ]
        assert Code.AS_PUBLISHED in codes(published)
        assert Code.AS_PUBLISHED not in codes(ours)


class TestSingletons:
    KEY = ("(1", "1)", "-", "(2)", "-", "(1)", "-", "-")
    RESPONSE = ("(1", "1)", "-", "-", "-", "(1)", "(3)", "-")

    def test_they_are_dropped(self, tmp_path: Path) -> None:
        key = written(tmp_path / "key.conll", COLUMNS, *self.KEY)
        response = written(tmp_path / "response.conll", COLUMNS, *self.RESPONSE)
        analysis = analysis_of(key, response)
        assert sum(analysis.operations.values()) == 0
        assert "singletons:drop" in analysis.signature

    @pytest.mark.parametrize("mode", ["standard", "berkeley"])
    def test_kept_ones_are_operations_but_no_errors(
        self, tmp_path: Path, mode: cs.errors.Mode
    ) -> None:
        key = written(tmp_path / "key.conll", COLUMNS, *self.KEY)
        response = written(tmp_path / "response.conll", COLUMNS, *self.RESPONSE)
        analysis = analysis_of(key, response, mode=mode, singletons="keep")
        assert {o: n for o, n in analysis.operations.items() if n} == {
            "split": 1,
            "remove": 1,
            "introduce": 1,
        }
        assert sum(analysis.errors.values()) == 0

    def test_only_entity_repairs_touch_kept_singletons(self, tmp_path: Path) -> None:
        key = written(tmp_path / "key.conll", COLUMNS, *self.KEY)
        response = written(tmp_path / "response.conll", COLUMNS, *self.RESPONSE)
        analysis = analysis_of(key, response, singletons="keep")
        sizes = {
            type: len(analysis.corrected(type).mention_entity)
            for type in ("none", "divided_entity", "extra_entity", "missing_entity")
        }
        assert sizes == {"none": 3, "divided_entity": 3, "extra_entity": 2, "missing_entity": 4}


class TestCorpora:
    def test_a_corpus_is_the_sum_of_its_documents(self) -> None:
        key, response = cs.read(KEY), cs.read(RESPONSES["recency"])
        whole = analysis_of(key, response)
        parts = [analysis_of(key.only(n), response.only(n)) for n in key.document_names]
        for type in cs.ErrorType:
            assert whole.errors[type] == sum(part.errors[type] for part in parts)
        assert whole.records == [error for part in parts for error in part.records]
        assert whole.errors == _tally(whole)

    def test_the_order_of_documents_does_not_matter(self, tmp_path: Path) -> None:
        text = RESPONSES["recency"].read_text(encoding="utf-8")
        documents = [f"#begin{part}" for part in text.split("#begin")[1:]]
        (tmp_path / "turned.conll").write_text("".join(reversed(documents)), encoding="utf-8")
        key = cs.read(KEY)
        before = analysis_of(key, cs.read(RESPONSES["recency"]))
        after = analysis_of(key, cs.read(tmp_path / "turned.conll"))
        assert after.records == before.records
        assert after.operations == before.operations

    def test_trees_are_not_kept(self) -> None:
        analysis = cs.analyze(KEY, RESPONSES["sieve"])
        assert all(document.transformation.pair.text is None for document in analysis.documents)

    def test_ids_tell_errors_apart(self) -> None:
        analysis = cs.analyze(KEY, RESPONSES["recency"])
        assert len({error.id for error in analysis.records}) == len(analysis.records)

    def test_unknown_choices_are_refused(self) -> None:
        with pytest.raises(cs.UnknownName, match="did you mean berkeley"):
            cs.analyze(KEY, RESPONSES["sieve"], mode="berkley")  # type: ignore[arg-type]
        with pytest.raises(cs.UnknownName, match="singletons"):
            cs.analyze(KEY, RESPONSES["sieve"], singletons="maybe")  # type: ignore[arg-type]
        analysis = cs.analyze(KEY, RESPONSES["sieve"])
        with pytest.raises(cs.UnknownName, match="error type"):
            analysis.corrected("missing")
        with pytest.raises(cs.UnknownName, match="metric"):
            analysis.impact("mucs")

    def test_impact_equals_score_of_corrected_response(self) -> None:
        analysis = cs.analyze(KEY, RESPONSES["recency"])
        key = cs.read(KEY)
        impact = analysis.impact("muc,b3,ceafe")
        before = cs.score(analysis.corrected("missing_entity", cumulative=True), key)
        assert before.muc.precision == 1
        for type in cs.ErrorType:
            reference = analysis.corrected("missing_entity", cumulative=True)
            scores = cs.score(reference, analysis.corrected(type), metrics="muc,b3,ceafe")
            assert {id: scores[id] for id in scores} == dict(impact.alone[type])

    def test_steps_add_up(self) -> None:
        impact = cs.analyze(KEY, RESPONSES["recency"]).impact()
        for id, before in impact.before.items():
            gained = sum(gains[id].f1 for gains in impact.steps().values())
            assert before.f1 + gained == pytest.approx(1)


def _tally(analysis: Analysis) -> dict[str, int]:
    return {t.value: sum(e.type is t for e in analysis.records) for t in cs.ErrorType}


def test_ids_beside_a_key_without_mentions(tmp_path: Path) -> None:
    """Mentions that are ids have no place, even if the key is a text; the fuzzer found this."""
    key, response = tmp_path / "key.conll", tmp_path / "response.json"
    key.write_text("#begin document x\nAnn\t-\n#end document\n")
    response.write_text('{"x": [["m1", "m2"]]}')
    with pytest.warns(cs.CorefscopeWarning):
        found = cs.analyze(str(key), str(response))
    assert found.errors["extra_entity"] == 1
    assert [record.sentence for record in found.records] == [None]
