"""Measure the agreement of annotators."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from os import PathLike, fspath
from typing import Unpack, cast

from msgspec.structs import replace

from corefscope.agreement.common_texts import NotComparable, common_texts
from corefscope.agreement.pairs import pairs_of, restricted
from corefscope.agreement.result import Agreement
from corefscope.arguments import by_name, keywords, one_of
from corefscope.choices import AgreementOptions, ScoringOptions, Unmarked, takes
from corefscope.corpus import Corpus
from corefscope.exceptions import InvalidInput, warn_of
from corefscope.findings import Code, Finding, some_documents
from corefscope.inputs import Annotation, Files, System
from corefscope.options import Options, make_options
from corefscope.profiles import Profile

SYMMETRIC = ("exact", "head")
"""The criteria of mention matching under which the annotators can change places."""


@takes(AgreementOptions)
def agree(
    annotators: Mapping[str, Annotation] | str | PathLike[str],
    **options: Unpack[AgreementOptions],
) -> Agreement:
    """Measure how far annotators of the same texts agree.

    Parameters
    ----------
    annotators
        The annotations by the name of the annotator. Each can be a path, a corpus,
        ``{document: clusters}``, or the clusters of one document. Or the path of a file or a folder
        that has several annotators.
    **options
        How to score.

        OPTIONS

    Returns
    -------
    Agreement
        ``pairs`` has the scores of each pair, ``mean`` their means, ``alpha`` Krippendorff's α;
        ``disagreements``, ``documents`` and ``disputed_entities()`` say where they disagree.

    Examples
    --------
    >>> anna, ben = [{"a", "b", "c"}, {"d", "e"}], [{"a", "b"}, {"c", "d", "e"}]
    >>> found = agree({"anna": anna, "ben": ben})
    >>> round(found.mean["conll"], 4), round(found.alpha.masi, 4)
    (0.7333, 0.0858)
    """
    given = dict(keywords(options, AgreementOptions, agree))
    unmarked = one_of("unmarked", cast(Unmarked, given.pop("unmarked", "missing")), Unmarked)
    chosen = make_options(**cast(ScoringOptions, given))
    found = measure_agreement(_systems(annotators, chosen), chosen, unmarked)
    warn_of(found.findings)
    return found


def _systems(
    annotators: Mapping[str, Annotation] | str | PathLike[str], options: Options
) -> list[System]:
    if isinstance(annotators, (str, PathLike)):
        # Loaded here because most annotators have files of their own.
        from corefscope.agreement.several import annotators_in

        def read_files(path: str, format: str | None, include: Sequence[str]) -> Corpus:
            files = Files(key_format=format, include=tuple(include), **options.reading)
            return files.corpus(path)

        return annotators_in(fspath(annotators), None, (), read_files)
    given = by_name("annotators", annotators, "{'anna': 'anna.conll', 'ben': 'ben.conll'}")
    return [_annotator(name, each, options) for name, each in given.items()]


def _annotator(name: str, annotation: Annotation, options: Options) -> System:
    path = fspath(annotation) if isinstance(annotation, (str, PathLike)) else name
    what = f"the annotation of {name}"
    return System(name, path, Files(**options.reading).corpus(annotation, what))


def measure_agreement(
    annotators: Sequence[System], options: Options, unmarked: Unmarked = "missing"
) -> Agreement:
    """Measure how far annotators agree.

    Parameters
    ----------
    annotators
        Two or more annotators with different names.
    options
        How to score each pair.
    unmarked
        What an annotator says about a mention that only others marked.

    Raises
    ------
    NotComparable
        If there is only one annotator, or if the options treat the two sides differently.
    InvalidInput
        If annotators have different texts.
    """
    refuse_few(annotators)
    refuse_asymmetric(options.profile)
    texts = common_texts(annotators, options.matching)
    pairs = pairs_of(texts, options)
    place = {each.name: number for number, each in enumerate(annotators)}
    ordered = {
        numbers: pair if place[pair.a] < place[pair.b] else replace(pair, a=pair.b, b=pair.a)
        for numbers, pair in pairs.items()
    }
    return Agreement(
        annotators=[each.name for each in annotators],
        texts=texts,
        by_number=ordered,
        options=options,
        unmarked=unmarked,
    )


def annotated_by_all(
    annotators: Sequence[System], options: Options
) -> tuple[list[System], list[Finding]]:
    """Return annotators on the same tokens, with the documents that all of them have.

    Raises
    ------
    InvalidInput
        If annotators have different texts, or no document is by all of them (``E201``).
    """
    refuse_few(annotators)
    texts = common_texts(annotators, options.matching)
    columns = zip(texts.documents, texts.annotated.T, strict=True)
    names = [name for name, has_annotated in columns if has_annotated.all()]
    left_out = len(texts.documents) - len(names)
    path = texts.annotators[0].response.path
    if not names:
        raise InvalidInput.of(
            Code.NOT_PAIRED,
            f"no document is by all {len(annotators)} annotators",
            expected="one or more",
            file=path,
        )
    findings = [each for each in texts.findings if each.code is not Code.SOME_ANNOTATED]
    if left_out:
        findings.append(
            Finding(
                Code.SOME_ANNOTATED,
                f"{some_documents(left_out, len(texts.documents))} without some of the "
                f"{len(annotators)} annotators left out",
                expected="annotations by all",
                file=path,
            )
        )
    placed = {each.name: each for each in texts.annotators}
    ordered = [placed[each.name] for each in annotators]
    chosen = [replace(each, corpus=restricted(each.response, set(names))) for each in ordered]
    return chosen, findings


def refuse_few(annotators: Sequence[System]) -> None:
    """Raise NotComparable if there are fewer than two annotators."""
    if len(annotators) < 2:
        found = "1 annotator" if annotators else "no annotator"
        raise NotComparable(f"found {found}; expected two or more to compare")


def refuse_asymmetric(profile: Profile) -> None:
    """Raise NotComparable if a profile treats key and response differently."""
    if profile.match not in SYMMETRIC:
        raise NotComparable(
            f"mentions are to be matched by {profile.match!r}, which treats key and response "
            "differently; expected 'exact' or 'head', because annotators are equals"
        )
    if profile.window is not None:
        raise NotComparable(
            f"the profile {profile.name} cuts documents into windows; expected one without windows"
        )
    rules = {profile.singletons, *profile.singletons_in.values()}
    if "drop-response" in rules:
        raise NotComparable(
            f"the profile {profile.name} drops singletons on one side only; expected one that "
            "treats both sides alike, because annotators are equals"
        )
