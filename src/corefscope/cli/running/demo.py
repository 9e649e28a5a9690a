"""What ``corefscope demo`` does."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from corefscope.cli.demo import PAGE, DemoOptions
from corefscope.cli.printing import as_bytes, emit
from corefscope.corpus import Corpus
from corefscope.demo import KEY, RESPONSES
from corefscope.evaluation import Evaluation
from corefscope.formats import read
from corefscope.options import make_options
from corefscope.output import OutputFolder
from corefscope.rendering.comparison.record import to_dict as comparison_dict
from corefscope.rendering.comparison.systems import Compared
from corefscope.rendering.errors import Analysed, AnalysedSystem
from corefscope.rendering.errors.result import to_dict as errors_dict
from corefscope.rendering.named_entities import NecResult, NecSystem
from corefscope.rendering.named_entities import to_dict as nec_dict
from corefscope.rendering.scores import Result, render
from corefscope.rendering.scores import System as ScoredSystem
from corefscope.rendering.table import as_json
from corefscope.report import Contents, title_of
from corefscope.report import render as render_page
from corefscope.scoring import System

DOCUMENT = "(demo/news/harbour); part 000"


def run(options: DemoOptions) -> int:
    """Evaluate the example corpus; write it, the results and the page; print the scores."""
    folder = Path(options.output)
    evaluation = _evaluation(folder)
    paths = [system.path for system in evaluation]
    again = ["corefscope", "report", evaluation.key_path, *paths, "-o", str(folder / PAGE)]
    contents = Contents(
        evaluation=evaluation, title=title_of(evaluation), command=shlex.join(again)
    )
    with OutputFolder(folder) as files:
        for file in (KEY, *RESPONSES.values()):
            files.write(file.name, file.read_bytes())
        for name, text in _results(evaluation).items():
            files.write(f"{name}.json", as_bytes(text))
        files.write(PAGE, as_bytes(render_page(contents)))
    emit(render(_scores(evaluation), "table") + _next_steps(folder), None)
    return 0


def _evaluation(folder: Path) -> Evaluation:
    """Evaluate the files of the package as if they were already in the folder."""
    key = str(folder / KEY.name)
    return Evaluation(
        key=_read_as(KEY, key),
        key_path=key,
        systems=[
            System(name, str(folder / file.name), _read_as(file, str(folder / file.name)))
            for name, file in RESPONSES.items()
        ],
        options=make_options(),
    )


def _read_as(file: Path, path: str) -> Corpus:
    """Read a file of the package as if it were already where it is going to be."""
    corpus = read(file)
    files = corpus.document_files
    return replace(corpus, path=path, document_files=files and [path for _ in files])


def _results(evaluation: Evaluation) -> Mapping[str, str]:
    """Return what the commands say of the corpus as JSON."""
    key, systems = evaluation.key_path, list(evaluation)
    files = {s.name: [s.path] for s in systems}
    analysed = Analysed(key, [AnalysedSystem(s.name, s.path, s.errors) for s in systems])
    measured = NecResult(key, [NecSystem(s.name, s.path, s.named_entities) for s in systems])
    return {
        "scores": render(_scores(evaluation), "json", per_document=True),
        "comparison": as_json(comparison_dict(Compared(key, files, evaluation.comparison))) + "\n",
        "errors": as_json(errors_dict(analysed)) + "\n",
        "nec": as_json(nec_dict(measured)) + "\n",
    }


def _scores(evaluation: Evaluation) -> Result:
    systems = [ScoredSystem(s.name, s.path, s.scores) for s in evaluation]
    return Result(evaluation.key_path, systems)


def _next_steps(folder: Path) -> str:
    return (
        f"\nWrote report.html, and scores, comparison, errors and nec as JSON, to {folder}.\n"
        f"Open {folder}/report.html in a browser. Try next:\n"
        f"  corefscope score {folder}/key.conll {folder}/sieve.conll\n"
        f"  corefscope compare {folder}/key.conll {folder}/recency.conll {folder}/sieve.conll\n"
        f"  corefscope errors {folder}/key.conll {folder}/sieve.conll --groups\n"
        f"  corefscope nec {folder}/key.conll {folder}/sieve.conll\n"
        f"  corefscope explain muc {folder}/key.conll {folder}/sieve.conll "
        f"--document '{DOCUMENT}'\n"
        f"  corefscope stats {folder}/key.conll\n"
    )
