"""The CorefUD scorer, and the shared tasks of CRAC that use it."""

from __future__ import annotations

from corefscope.corpus.offsets import DEFAULT
from corefscope.formats.detection import Head, is_declared_only
from corefscope.formats.reading.options import OF_TOKENS
from corefscope.formats.registry import OF_JSON, Format, Tier
from corefscope.formats.writing.abilities import (
    ALL,
    BLANKS,
    LABELS,
    NAMES,
    OVERLAPS,
    WORDS,
    Feature,
    Writing,
)


def is_crac_json(head: Head) -> str | None:
    """Recognise documents with tokens and strings; those of xCoRe are lists of documents."""
    fields = {"tokens", "clusters_token_offsets", "clusters_text_mentions"}
    if not head.is_json or not head.fields >= fields:
        return None
    tokens = head.object.get("tokens")
    is_one = isinstance(tokens, list) and not any(isinstance(each, list) for each in tokens)
    return "the fields tokens and clusters_text_mentions" if is_one else None


OF_CRAC = {
    "zeros": ("drop", "keep"),
    "ids": ("file", "sequential"),
    "tags": ("keep", "none"),
    "forms": ("keep", "drop"),
}
"""The options of the exporter of the shared task."""
BESIDE_TAGS = ALL - OVERLAPS - {Feature.GAPS}
"""What nobody expects in a text with tags: it is left out, and said."""

METRICS = GROUPS = "corefscope.extensions.corefud_scorer.metrics"
CODES = "corefscope.extensions.corefud_scorer.crac.codes"
PROFILES = "corefscope.extensions.corefud_scorer.profiles"
RESULTS = "corefscope.extensions.corefud_scorer.crac.records"
FORMATS = (
    Format(
        name="crac-json",
        title="JSON of CRAC's track for language models",
        module="corefscope.extensions.corefud_scorer.crac.json",
        test=is_crac_json,
        endings=OF_JSON,
        options=OF_TOKENS,
        convention=DEFAULT,
        writing=Writing(
            module="corefscope.extensions.corefud_scorer.crac.json",
            features=OVERLAPS,
            left_out=BESIDE_TAGS,
            layers=frozenset({WORDS, NAMES, BLANKS}),
            kept_in_part=frozenset({Feature.GAPS}),
            options=OF_CRAC,
        ),
    ),
    Format(
        name="crac-text",
        title="Text of CRAC's track for language models",
        module="corefscope.extensions.corefud_scorer.crac.text",
        is_nameless=True,
        tier=Tier.REST,
        test=is_declared_only,
        endings=(".txt",),
        writing=Writing(
            module="corefscope.extensions.corefud_scorer.crac.text",
            features=frozenset(),
            left_out=BESIDE_TAGS,
            layers=frozenset({WORDS, LABELS, BLANKS}),
            kept_in_part=frozenset({Feature.GAPS}),
            options=OF_CRAC,
        ),
    ),
)
