"""Evaluate coreference resolution.

>>> import corefscope as cs
>>> scores = cs.score([{"a", "b", "c"}, {"d", "e"}], [{"a", "b"}, {"c", "d", "e"}])
>>> round(scores.conll, 4)
0.7333

Importing this package is fast: numpy and other libraries are loaded when they are first used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from corefscope.version import __version__

if TYPE_CHECKING:
    from corefscope.agreement import Agreement, agree
    from corefscope.corpus import Corpus, Document, Entity, Mention
    from corefscope.error_analysis import Analysis, ErrorRecord, ErrorType, Operation
    from corefscope.evaluation import (
        Evaluation,
        analyze,
        compare,
        describe,
        evaluate,
        explain,
        nec,
        score,
    )
    from corefscope.exceptions import (
        CannotExpress,
        CannotWrite,
        CorefscopeError,
        CorefscopeWarning,
        IncompleteResponse,
        InvalidInput,
        OutputIsInput,
        UnknownName,
        WorkerLost,
        WouldDestroy,
        WrongArgument,
    )
    from corefscope.extensions.toolkits.live import heads_as_spans
    from corefscope.findings import Finding
    from corefscope.formats import read
    from corefscope.formats.reading.limits import Limits
    from corefscope.formats.writing.files import write
    from corefscope.metrics import Score
    from corefscope.named_entities import Nec
    from corefscope.report import Report, make_report
    from corefscope.scoring.scorer import Scorer
    from corefscope.scoring.scores import Scores
    from corefscope.statistics import Difference, Estimate, SystemComparison
    from corefscope.transfer.answers import ReadAnswer, read_answer

_HOME = {
    "agreement": ("Agreement", "agree"),
    "corpus": ("Corpus", "Document", "Entity", "Mention"),
    "error_analysis": ("Analysis", "ErrorRecord", "ErrorType", "Operation"),
    "evaluation": (
        "Evaluation",
        "analyze",
        "compare",
        "describe",
        "evaluate",
        "explain",
        "nec",
        "score",
    ),
    "exceptions": (
        "CannotExpress",
        "CannotWrite",
        "CorefscopeError",
        "CorefscopeWarning",
        "IncompleteResponse",
        "InvalidInput",
        "OutputIsInput",
        "UnknownName",
        "WorkerLost",
        "WouldDestroy",
        "WrongArgument",
    ),
    "findings": ("Finding",),
    "formats": ("read",),
    "formats.writing.files": ("write",),
    "formats.reading.limits": ("Limits",),
    "extensions.toolkits.live": ("heads_as_spans",),
    "metrics": ("Score",),
    "named_entities": ("Nec",),
    "report": ("Report", "make_report"),
    "scoring.scorer": ("Scorer",),
    "scoring.scores": ("Scores",),
    "statistics": ("Difference", "Estimate", "SystemComparison"),
    "transfer.answers": ("ReadAnswer", "read_answer"),
}
_MODULE_OF = {name: module for module, names in _HOME.items() for name in names}

__all__ = [
    "Agreement",
    "Analysis",
    "CannotExpress",
    "CannotWrite",
    "CorefscopeError",
    "CorefscopeWarning",
    "Corpus",
    "Difference",
    "Document",
    "Entity",
    "ErrorRecord",
    "ErrorType",
    "Estimate",
    "Evaluation",
    "Finding",
    "IncompleteResponse",
    "InvalidInput",
    "Limits",
    "Mention",
    "Nec",
    "Operation",
    "OutputIsInput",
    "ReadAnswer",
    "Report",
    "Score",
    "Scorer",
    "Scores",
    "SystemComparison",
    "UnknownName",
    "WorkerLost",
    "WouldDestroy",
    "WrongArgument",
    "__version__",
    "agree",
    "analyze",
    "compare",
    "describe",
    "evaluate",
    "explain",
    "heads_as_spans",
    "make_report",
    "nec",
    "read",
    "read_answer",
    "score",
    "write",
]


def __getattr__(name: str) -> Any:
    if name not in _MODULE_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f"{__name__}.{_MODULE_OF[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
