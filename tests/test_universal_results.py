"""Errors, named entities and scores of texts that are read by Universal Dependencies."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec import to_builtins

import corefscope as cs
from corefscope.choices import LanguageChoice
from corefscope.demo import KEY
from corefscope.demo import RESPONSES as DEMO
from corefscope.error_analysis import Analysis
from corefscope.error_analysis.selection import Condition, select
from corefscope.error_analysis.tables.entities import compositions, entity_matches, parts
from corefscope.error_analysis.tables.mentions import mention_types
from corefscope.evaluation import Evaluation
from corefscope.inputs import System
from corefscope.named_entities import NecOptions, NecSettings
from corefscope.named_entities.record import nec_result
from corefscope.named_entities.tables import detail, table_4
from corefscope.options import make_options
from universal_examples import KEYS, corpus

pytestmark = pytest.mark.filterwarnings("ignore::corefscope.CorefscopeWarning")

RESPONSES = {
    # The second zero is with the brother, and his pronoun is missing.
    "spanish": [[(0, 0), (5, 5), (8, 8), (11, 11)], [(11, 12), (14, 14)], [(2, 6)]],
    # The zero is missing.
    "czech": [[(0, 1), (3, 3)], [(3, 4), (8, 8)]],
    # Her possessive is with the cats.
    "german": [[(0, 3), (8, 8)], [(3, 3)], [(5, 5), (10, 15), (14, 14)]],
}


def response_of(key: cs.Corpus) -> cs.Corpus:
    return key.with_clusters({name: RESPONSES[name] for name in key.document_names})


def analysed(*languages: str, language: LanguageChoice = "auto", without: Any = ()) -> Analysis:
    key = corpus({name: KEYS[name] for name in languages or KEYS}, without)
    return cs.analyze(key, response_of(key), singletons="keep", language=language)


def evaluation_of(*languages: str) -> Evaluation:
    key = corpus({name: KEYS[name] for name in languages})
    systems = [System("ours", "ours", response_of(key))]
    return Evaluation(key=key, key_path="key", systems=systems, options=make_options())


def test_types_of_mentions_in_errors() -> None:
    found = {(e.type.value, e.document, e.text): e.mention_type for e in analysed().records}
    assert found["missing_mention", "spanish", "él"] == "pronoun"
    assert found["conflated_entities", "spanish", "∅"] == "zero"
    assert found["divided_entity", "spanish", "∅"] == "zero"
    assert found["divided_entity", "german", "ihren"] == "pronoun"


def test_zeros_are_counted_in_compositions() -> None:
    (error,) = (e for e in analysed("spanish").records if e.type == "divided_entity")
    parts = error.to_dict()
    assert parts["part"]["zeros"] == 1  # type: ignore[index,call-overload]
    assert parts["rest"]["zeros"] == 1  # type: ignore[index,call-overload]
    (missing,) = (e for e in analysed("czech").records if e.type == "missing_entity")
    assert missing.to_dict()["composition"] == {
        "names": 0,
        "nominals": 0,
        "pronouns": 1,
        "zeros": 1,
    }


def test_an_entity_of_pronouns_and_zeros_is_an_entity_error() -> None:
    """The pronoun rule holds for what is not said as well."""
    key = corpus({"spanish": KEYS["spanish"]})
    response = key.with_clusters({"spanish": [[(5, 5), (8, 8), (14, 14)]]})
    found = cs.analyze(key, response)
    assert found.errors["missing_entity"] == 2 and found.errors["missing_mention"] == 0


def test_agreement_by_features() -> None:
    """The zero agrees with Marta; the brother's pronoun agrees with the brother."""
    errors = [e.to_dict() for e in analysed("spanish").records if e.type == "missing_mention"]
    assert [(e["text"], e["gender_agreement"], e["number_agreement"]) for e in errors] == [
        ("él", "matches", "matches")
    ]


def test_entity_types_of_the_file() -> None:
    errors = [e for e in analysed("spanish").records if e.type == "missing_mention"]
    assert [e.entity_type for e in errors] == ["person"]
    assert "W401" not in {finding.code.id for finding in analysed("spanish").findings}


def test_what_was_used_is_said() -> None:
    found = analysed()
    assert found.sources.languages == {"universal": 3}
    assert found.signature.endswith("|heads:dependencies|language:universal")
    assert not {"W401", "W408"} & {finding.code.id for finding in found.findings}
    english = cs.analyze(KEY, DEMO["sieve"])
    assert "language" not in english.signature
    assert english.sources.languages == {"english": 10}


def test_english_tables_may_be_chosen() -> None:
    """Zeros are zeros all the same; heads come from the translated tags."""
    found = analysed("spanish", language="english")
    assert found.signature.endswith("|heads:tags")
    assert found.sources.zeros == 4


def test_without_universal_tags_there_is_an_error() -> None:
    with pytest.raises(cs.InvalidInput, match="no universal part-of-speech tags") as caught:
        analysed("german", language="universal", without=("tags",))
    assert [finding.code.id for finding in caught.value.findings] == ["E402"]


def test_a_language_that_is_no_choice() -> None:
    with pytest.raises(cs.UnknownName, match="language"):
        analysed("german", language="german")  # type: ignore[arg-type]


def test_short_documents_are_judged_together() -> None:
    """Many short texts without any layer but tags, in a language that is not English."""
    plain = ("feats", "heads", "deprels")
    german = {f"text {n}": KEYS["german"] for n in range(20)}
    for count, language in ((20, "universal"), (5, "english")):
        some = corpus(dict(list(german.items())[:count]), plain)
        assert cs.analyze(some, some).sources.languages == {language: count}


def test_tables_show_zeros_where_there_are_any() -> None:
    spanish, german = evaluation_of("spanish"), evaluation_of("german")
    assert [row[0] for row in mention_types(spanish).rows][:4] == [
        *("Proper name", "Nominal", "Pronoun", "Zero")
    ]
    assert "Zero" not in [row[0] for row in mention_types(german).rows]
    assert compositions(spanish).names[:4] == ["names", "nominals", "pronouns", "zeros"]
    assert compositions(german).names[:4] == ["names", "nominals", "pronouns", "extra"]
    assert "Zero" in {row[1] for row in entity_matches(spanish).rows}
    assert "Zero" not in {row[1] for row in entity_matches(german).rows}
    assert "part: Ze" in parts(spanish).names and "part: Ze" not in parts(german).names


def test_listing_has_columns_for_zeros_where_there_are_any() -> None:
    for language, has_zeros in (("spanish", True), ("german", False)):
        assert ("part.zeros" in analysed(language)._rows()[0]) == has_zeros


def test_zeros_can_be_selected() -> None:
    chosen = select(analysed("spanish").records, (), [Condition.parse("mention_type=zero")])
    assert {error.text for error in chosen} == {"∅"}


def named(**options: Any) -> cs.Nec:
    key = corpus({name: KEYS[name] for name in ("spanish", "german")})
    return cs.nec(key, response_of(key), types={"person": "PER"}, **options)


def test_named_entities_by_types_of_the_file() -> None:
    """Marta is a person with a name; her brother has none. One of her two zeros is found."""
    found = named()
    (row,) = found.rows
    assert (row.chain.type, row.chain.variants) == ("PER", [("Marta",)])
    assert (row.overlap, row.size, row.best_size) == (4, 5, 4)
    assert {str(type): f1 for type, f1 in row.by_type.items()} == {
        "name": 1,
        "nominal": None,
        "pronoun": 1,
        "zero": pytest.approx(2 / 3),
    }
    assert found.heads == "attributes" and "|nec:attributes|language:universal|" in found.signature


def test_zeros_in_the_results_of_named_entities() -> None:
    by_type = named()["PER"].by_mention_type
    assert {str(type): each.chains for type, each in by_type.items()} == {
        "name": 1,
        "nominal": 0,
        "pronoun": 1,
        "zero": 1,
    }
    key = corpus({"spanish": KEYS["spanish"]})
    evaluation = Evaluation(
        key=key,
        key_path="key",
        systems=[System("ours", "ours", response_of(key))],
        options=make_options(),
        nec_settings=NecSettings(options=NecOptions(types={"person": "PER"})),
    )
    assert table_4(evaluation).names[1:] == ["PER name", "PER pronoun", "PER nominal", "PER zero"]
    assert "zero" in detail(evaluation).names
    assert "by_mention_type_zero_f1" in evaluation["ours"].named_entities._rows()[0]
    record = to_builtins(nec_result("key", evaluation, with_detail=True))["systems"][0]
    assert record["types"]["PER"]["by_mention_type"]["zero"] == {
        "f1": pytest.approx(2 / 3),
        "chains": 1,
    }
    assert record["detail"][0]["zero"] == pytest.approx(2 / 3)


def test_types_that_are_not_measured_are_explained() -> None:
    key = corpus({"spanish": KEYS["spanish"]})
    messages = [f.message for f in cs.nec(key, key).findings if f.code.id == "W409"]
    assert len(messages) == 1 and "such as 'person' to 'PER'" in messages[0]


def test_antecedents_are_told_by_universal_types() -> None:
    """All ten mentions after a nominal infer it; the Czech pair of pronouns has no nominal."""
    key = corpus(KEYS)
    scores = cs.score(key, key, metrics="inferred")
    assert scores["inferred"].recall_counts == (10, 10)
