"""Results of corpora without the warnings that the public functions give."""

from __future__ import annotations

from corefscope import Corpus
from corefscope.choices import Singletons
from corefscope.error_analysis import Analysis, ErrorOptions, Mode
from corefscope.evaluation import Evaluation
from corefscope.explanation import Explanation, explain_document
from corefscope.inputs import System
from corefscope.matching.matching import match_corpora
from corefscope.named_entities import Nec, NecOptions, NecSettings
from corefscope.named_entities.heads import Name
from corefscope.named_entities.names_file import NamesOfFile
from corefscope.options import Options, make_options


def analysis_of(
    key: Corpus, response: Corpus, *, mode: Mode = "standard", singletons: Singletons = "drop"
) -> Analysis:
    """Return the errors of a response."""
    evaluation = Evaluation(
        key=key,
        key_path="key",
        systems=[System("response", "response", response)],
        options=make_options(),
        error_options=ErrorOptions(mode, singletons),
    )
    return evaluation["response"].errors


def nec_of(
    key: Corpus, response: Corpus, options: NecOptions, names: dict[str, list[Name]] | None = None
) -> Nec:
    """Return the named entity coreference of a response."""
    evaluation = Evaluation(
        key=key,
        key_path="key",
        systems=[System("response", "response", response)],
        options=make_options(),
        nec_settings=NecSettings(options=options),
        names=None if names is None else NamesOfFile(names, None),
    )
    return evaluation["response"].named_entities


def explanation_of(metric: str, key: Corpus, response: Corpus, options: Options) -> Explanation:
    """Return a metric of the only document, worked out."""
    return explain_document(metric, match_corpora(key, response, options.matching), options.profile)
