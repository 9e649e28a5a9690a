"""A metric for torchmetrics and Lightning. Install ``corefscope[torchmetrics]``."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any, ClassVar

import torch
from torchmetrics import Metric

from corefscope.exceptions import WrongArgument
from corefscope.extensions.adapters.documents import Reporter, add_documents, figures_of
from corefscope.scoring.scorer import Scorer
from corefscope.scoring.scores import Scores


class Coref(Metric):  # type: ignore[misc] # torchmetrics may be absent when types are checked
    """Scores of coreference resolution over all documents of an epoch, on all processes.

    Parameters
    ----------
    metrics
        The ids of metrics, as for :class:`corefscope.Scorer`.
    profile
        A profile of corefscope; not one that averages over documents.
    **kwargs
        Those of :class:`torchmetrics.Metric`.

    Examples
    --------
    >>> metric = Coref()
    >>> metric.update([[[(0, 0), (2, 2)]]], [[[(0, 0), (2, 2)]]])
    >>> float(metric.compute()["conll"])
    1.0
    """

    is_differentiable: ClassVar[bool] = False
    higher_is_better: ClassVar[bool] = True
    full_state_update: ClassVar[bool] = False

    def __init__(
        self,
        metrics: str | Iterable[str] = ("muc", "b3", "ceafe"),
        profile: str = "conll-2012",
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        self.scorer = Scorer(metrics=metrics, profile=profile)
        """The documents of this process since the last reset, from which findings come."""
        chosen = self.scorer.options
        if chosen.profile.average == "macro":
            raise WrongArgument(
                "profiles that average over documents cannot be added up; use Scorer"
            )
        # Metrics in a collection share states if the states have equal names and values, so the
        # profile has to be part of the names.
        self.states = {
            metric.id: re.sub(r"\W", "_", f"counts_{profile}_{metric.id}")
            for metric in chosen.metrics
        }
        self.profile = profile
        for metric in chosen.metrics:
            zeros = torch.zeros(metric.width, dtype=torch.float64)
            self.add_state(self.states[metric.id], default=zeros, dist_reduce_fx="sum")
        self.reporter = Reporter()
        self._is_batch = False

    def update(self, predicted: Iterable[Any], gold: Iterable[Any]) -> None:
        """Add documents: the clusters of each, predicted and gold.

        If one of them cannot be scored, an error is raised and nothing is added.
        """
        batch = Scorer(metrics=tuple(self.states), profile=self.profile)
        add_documents(batch, predicted, gold)
        for id, rows in batch.compute(warn=False).counts.items():
            counts = getattr(self, self.states[id])
            counts += torch.as_tensor(rows.sum(axis=0), device=counts.device)
        self.scorer.merge(batch)

    def compute(self) -> dict[str, torch.Tensor]:
        """Return recall, precision and F1 of each metric, and the CoNLL score."""
        if not self._is_batch:
            # Frames of torchmetrics are between this method and its caller.
            self.reporter.report(self.scorer.findings, stacklevel=3)
        counts = {id: getattr(self, name).cpu().numpy() for id, name in self.states.items()}
        scores = Scores(
            counts={id: row[None] for id, row in counts.items()},
            document_names=("all documents",),
            profile=self.scorer.options.profile,
        )
        dtype = precision_on(self.device)
        return {
            name: torch.tensor(value, dtype=dtype, device=self.device)
            for name, value in figures_of(scores).items()
        }

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        """Add documents, and return their own scores."""
        # torchmetrics resets the metric to score a batch, and restores it afterwards.
        self._is_batch = True
        try:
            return super().forward(*args, **kwargs)
        finally:
            self._is_batch = False

    def reset(self) -> None:
        """Remove all documents."""
        super().reset()
        if not self._is_batch:
            self.scorer.reset()

    def merge_state(self, incoming_state: Any) -> None:
        """Add the documents of another metric with the same metrics and profile."""
        if isinstance(incoming_state, Coref):
            self.scorer.merge(incoming_state.scorer)
        super().merge_state(incoming_state)

    def set_dtype(self, dst_type: Any) -> Coref:
        """Keep the counts as they are: in single precision they would lose digits."""
        return self

    def _apply(self, fn: Any, *args: Any, **kwargs: Any) -> Any:
        """Move the counts to another device, but never to another type.

        They stay where they are if the device has no double precision, as the GPUs of Apple.
        """

        def keep(tensor: torch.Tensor) -> torch.Tensor:
            try:
                moved = fn(tensor)
            except TypeError:
                if tensor.dtype != torch.float64:
                    raise
                return tensor
            return tensor.to(moved.device) if moved.dtype != tensor.dtype else moved

        self._computed = None  # Figures that are kept would stay on the old device.
        return super()._apply(keep, *args, **kwargs)


def precision_on(device: Any) -> Any:
    """Return the type of figures on a device: double precision, if the device has it."""
    return torch.float32 if device.type == "mps" else torch.float64
