"""The protocols of the CorefUD scorer, and those of the shared tasks of CRAC."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from corefscope.corpus import Corpus
from corefscope.matching.matching import Matching
from corefscope.metrics import Metric
from corefscope.official import Counted, OfficialScorer, OwnCounts
from corefscope.options import Options
from corefscope.profiles import Profile
from corefscope.scoring.scores import Scores


class CorefudScorer(OfficialScorer, frozen=True, kw_only=True):
    """The CorefUD scorer, whose figures are ours but for some documents."""

    def count(
        self, matching: Matching, profile: Profile, metrics: Sequence[Metric], own: OwnCounts
    ) -> Counted:
        """Return its counts, and where they differ from ours."""
        from corefscope.extensions.corefud_scorer.faults import (
            official_counts,
            refused_by_scorer,
        )

        counts = own(metrics)
        official, findings = official_counts(matching, profile.singletons, metrics, counts)
        return official, [*refused_by_scorer(matching), *findings]


class CracScorer(CorefudScorer, frozen=True, kw_only=True):
    """The same, which also puts answers of language models into the file of the key."""

    def response(
        self, path: str, format: str | None, key: Corpus, options: Options
    ) -> Corpus | None:
        """Return an answer in text or JSON in the file of the key; None for other files."""
        from corefscope.extensions.corefud_scorer.crac.route import answer_of

        return answer_of(path, format, key, options)

    def completed(self, scores: Scores, matching: Matching, options: Options) -> Scores:
        """Return the scores of an answer with what else can be made of it."""
        from corefscope.extensions.corefud_scorer.crac.route import with_other_readings

        return with_other_readings(scores, matching, options)


OLD = (
    "these are the figures of version 1.2 of the scorer; version {} of CRAC {} looked up the best "
    "counterpart of each mention by itself, so that two mentions could have the same one"
)
RULES = "the CorefUD scorer's own rules and faults"
COREFUD = Profile(
    name="corefud",
    meaning="the CorefUD scorer v1.2 with its defaults, and its faults: mentions are matched by "
    "head, zeros by what they depend on, and singletons are dropped",
    used_by="the CorefUD scorer",
    scorer=CorefudScorer(name="corefud", rules=RULES, ignores_words=True, joins_names=True),
    match="head",
    zeros="dependent",
    singletons="drop",
    blanc="both",
)
PROFILES = (
    replace(
        COREFUD,
        name="corefud-exact",
        meaning="the CorefUD scorer with -x: exact matching; zeros are matched by what they "
        "depend on, and singletons are dropped",
        used_by="CRAC shared tasks, as a secondary score",
        match="exact",
    ),
    COREFUD,
    replace(
        COREFUD,
        name="crac-2022",
        meaning="the CorefUD scorer with the settings of CRAC 2022: partial matching, zeros by "
        "position, no singletons",
        used_by="CRAC 2022",
        limits=OLD.format("1.0", "2022"),
        match="partial",
        zeros="linear",
    ),
    replace(
        COREFUD,
        name="crac-2023",
        meaning="the CorefUD scorer with the settings of CRAC 2023: head matching, zeros by "
        "position, no singletons",
        used_by="CRAC 2023",
        limits=OLD.format("1.1", "2023"),
        zeros="linear",
    ),
    replace(COREFUD, name="crac-2024", meaning="the same as corefud", used_by="CRAC 2024"),
    *(
        replace(
            COREFUD,
            name=f"crac-{year}",
            meaning="the same as corefud; answers of language models, in text or JSON, are put "
            "into the file of the key as the organisers do it",
            used_by=f"CRAC {year}",
            scorer=CracScorer(
                name="corefud",
                rules=RULES,
                ignores_words=True,
                joins_names=True,
                takes_answers=True,
            ),
        )
        for year in (2025, 2026)
    ),
)
