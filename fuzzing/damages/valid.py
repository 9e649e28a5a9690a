"""Changes of samples that nobody can notice, because what comes out is another valid file."""

from __future__ import annotations

import re
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ValidChange:
    """Damages that leave a valid file, by format, name and place, each a regular expression."""

    formats: str
    damages: str
    places: str
    why: str


LESS = "a mention, a link or an entity less is another annotation"
FREE = "an id is any text or number, and nothing says which ones there are"
UNCHECKED = "the position is inside the text, and no string says what stands there"
EMPTY = "a document without entities is valid"
CLUSTERS = (
    r"\.(clusters|predicted_clusters|coref|coref_chains|mention_clusters|span_clusters|bakery"
    r"|lighthouse)"
)
"""The fields with clusters of positions."""
IN_JSON = "allennlp|coref-data|elit|fastcoref|json|jsonl|preco|subtoken|wl-coref"

VALID: tuple[ValidChange, ...] = (
    ValidChange(IN_JSON, "drop-an-item", rf"{CLUSTERS}(\[\]){{1,2}}", LESS),
    ValidChange(IN_JSON, "empty-a-list", CLUSTERS, EMPTY),
    ValidChange(IN_JSON, "add-one", rf"{CLUSTERS}(\[\])+", UNCHECKED),
    ValidChange(
        "json",
        "put-a-value-into-a-list",
        rf"{CLUSTERS}(\[\])?",
        "a list of spans is a mention with gaps",
    ),
    ValidChange("native", "drop-an-item", r"\.entities\[\](\.mentions\[\])?", LESS),
    ValidChange("native", "empty-a-list", r"\.entities", EMPTY),
    ValidChange("native", "add-one", r"\.entities\[\]\.mentions\[\]\.span\[\]", UNCHECKED),
    ValidChange("cdcr-json", "drop-an-item", r"\[\]", LESS),
    ValidChange(
        "cdcr-json", "add-one|negate-a-number|write-a-large-number", r"\[\]\.cluster_id", FREE
    ),
    ValidChange(
        "cdcr-json",
        "add-one",
        r"\[\]\.tokens_ids\[\]",
        "there are no words, only as many strings as positions",
    ),
    ValidChange("corenlp", "drop-an-item", r"\.corefs\.#\[\]", LESS),
    ValidChange("corenlp", "drop-a-field-of-json", r"\.corefs\.#", LESS),
    ValidChange("corenlp", "empty-a-list", r"\.corefs", EMPTY),
    ValidChange("corenlp-xml", "drop-an-element", "mention|coreference", LESS),
    ValidChange("label-studio", "drop-an-item", r"\[\]\.annotations\[\]\.result\[\]", LESS),
    ValidChange("label-studio", "empty-a-list", r"\[\]\.annotations\[\]\.result", EMPTY),
    ValidChange("scorch", "drop-a-field-of-json|drop-an-item", r"\.(clusters|links).*", LESS),
    ValidChange("scorch", "empty-a-list", r"\.(clusters|links)", EMPTY),
    ValidChange("scorch", "lose-a-character-of-text", r"\.clusters\..*", FREE),
    ValidChange(
        "spacy-json", "drop-a-field-of-json|drop-an-item", r"\.spans\.coref_clusters_\d.*", LESS
    ),
    ValidChange("spacy-json", "drop-a-field-of-json|empty-a-list", r"\.spans", EMPTY),
    ValidChange("spacy-json", "add-one", r"\.spans\.coref_clusters_\d\[\]\.(start|end)", UNCHECKED),
    ValidChange("stanza", "add-one|write-a-large-number", r".*\.coref_chains\[\]\.index", FREE),
    ValidChange(
        "stanza",
        "drop-an-item|empty-a-list|write-null",
        r".*\.coref_chains(\[\])?",
        "a word of one mention less; null is no chain",
    ),
    ValidChange("strings", "drop-a-field-of-json|drop-an-item", r"\.clusters\..*", LESS),
    ValidChange(
        "strings",
        "lose-a-character-of-text",
        r"\.clusters\..*",
        "what is left may be another word of the text; W256 says which strings are in it",
    ),
    ValidChange(
        "strings",
        "swap-two-items",
        r"\.clusters\..*",
        "W256 says that the order of strings decides, also of the undamaged file",
    ),
    ValidChange(
        "strings",
        "repeat-an-item",
        r"\.clusters\..*",
        "a string that is listed twice means its next occurrence",
    ),
    ValidChange("elit|preco", "swap-two-items", rf"{CLUSTERS}(\[\])+", UNCHECKED),
    ValidChange("coref-data", "swap-two-items", r"\.coref_chains(\[\])+", UNCHECKED),
    ValidChange("ecb", "change-a-number-of-an-attribute", "token_anchor@t_id", UNCHECKED),
    ValidChange(
        "stanza-conllu",
        "change-a-number-of-any-cell",
        r"row 9.*",
        "a word is in another chain",
    ),
    ValidChange("ecb", "drop-an-element", "CROSS_DOC_COREF|source|[A-Z]{3}", LESS),
    ValidChange(
        "ecb", "drop-an-element", "token_anchor", "a markable with fewer words is another one"
    ),
    ValidChange(
        "ecb",
        "change-a-number-of-an-attribute",
        "target@m_id",
        "two relations may have the same target",
    ),
    ValidChange(
        "ecb",
        "change-a-number-of-an-attribute",
        "source@m_id",
        "another markable in a relation is another annotation",
    ),
    ValidChange("mmax2", "drop-an-element", "markable", LESS),
    ValidChange("mmax2", "change-a-number-of-an-attribute", "markable@coref_class", FREE),
    ValidChange("mmax2", "change-a-number-of-an-attribute", "markable@span", UNCHECKED),
    ValidChange("booknlp|pairs", "delete-any-line|cut-the-file", "(row)?", LESS),
    ValidChange("brat", "delete-any-line", "row.*", LESS),
    ValidChange(
        "brat",
        "change-a-number-of-any-cell",
        r"row 1 T\+1",
        "a link may name any annotation there is",
    ),
    ValidChange("booknlp", "change-a-number-of-any-cell", r"row 0 .*", FREE),
    ValidChange(
        "stanza-conllu",
        "cut-any-line|lose-a-character-of-any-cell",
        "row( 9)?",
        "the number of a chain is another one, or what is left of the last column has no chains",
    ),
    ValidChange(
        "litbank|pairs",
        "(blank|lose-a-character-of|change-a-number-of)-any-cell",
        "row (COREF )?2.*",
        FREE,
    ),
    ValidChange(
        "litbank|pairs",
        "cut-any-line",
        "row( COREF)?",
        "a part of the name of a chain is another name",
    ),
    ValidChange("pairs", "lose-a-character-of-any-cell", "row 1", FREE),
    ValidChange("pairs", "change-a-number-of-any-cell", r"row 1 .*", FREE),
    ValidChange(
        "conll|cdcr|corefud|ua", "change-a-number-of-any-cell", r"(row|header) \d+ .*", FREE
    ),
    ValidChange("conll|cdcr|corefud|ua", "lose-a-character-of-any-cell", r"(row|header) \d+", FREE),
    ValidChange(
        "cdcr|conll",
        "blank-any-cell",
        "(row|header) (7|11)",
        "a token without a mention has '-'",
    ),
    ValidChange(
        "corefud|stanza-conllu|ua",
        "blank-any-cell",
        "(row|header) [29]",
        "a word without annotations has '_'",
    ),
    ValidChange(
        "answers|crac-text|sacr|tagged", "lose-a-character(-of-text)?", r"(\.output)?", FREE
    ),
    ValidChange("answers|tagged", "repeat-a-sign-of-a-tag", "#", FREE),
)


def valid_change(format: str, damage: str, place: str) -> ValidChange | None:
    """Return the entry that allows a damage of a format at a place, if there is one."""
    for each in VALID:
        patterns = (each.formats, format), (each.damages, damage), (each.places, place)
        if all(re.fullmatch(pattern, text) for pattern, text in patterns):
            return each
    return None
