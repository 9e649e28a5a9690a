"""A metric for torchmetrics and Lightning. Install ``corefscope[torchmetrics]``."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Sequence
from typing import Any, ClassVar

import torch
from torchmetrics import Metric

from corefscope.exceptions import CorefscopeWarning
from corefscope.metrics import conll_average, metric_named
from corefscope.options import make_options
from corefscope.scoring import Scorer


class Coref(Metric):  # type: ignore[misc] # torchmetrics may be absent when types are checked
    """Scores of coreference resolution over all documents of an epoch, on all processes.

    Parameters
    ----------
    metrics
        The ids of metrics.
    profile
        A profile of corefscope.
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
        metrics: Sequence[str] = ("muc", "b3", "ceafe"),
        profile: str = "conll-2012",
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        if make_options(profile=profile, metrics=list(metrics)).profile.average == "macro":
            raise ValueError("profiles that average over documents cannot be added up; use Scorer")
        self.ids = tuple(metrics)
        self.scorer = Scorer(metrics=list(metrics), profile=profile)
        for id in self.ids:
            width = len(self._counts_of([], [])[id])
            zeros = torch.zeros(width, dtype=torch.float64)
            self.add_state(f"counts_{id}", default=zeros, dist_reduce_fx="sum")

    def _counts_of(self, gold: Any, predicted: Any) -> dict[str, Any]:
        self.scorer.reset()
        self.scorer.update(gold, predicted)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", CorefscopeWarning)
            return {id: rows[0] for id, rows in self.scorer.compute().counts.items()}

    def update(self, predicted: Iterable[Any], gold: Iterable[Any]) -> None:
        """Add documents: the clusters of each, predicted and gold."""
        for response, key in zip(predicted, gold, strict=True):
            for id, row in self._counts_of(key, response).items():
                counts = getattr(self, f"counts_{id}")
                counts += torch.as_tensor(row, dtype=counts.dtype, device=counts.device)

    def compute(self) -> dict[str, torch.Tensor]:
        """Return recall, precision and F1 of each metric, and the CoNLL score."""
        scores = {
            id: metric_named(id).score(getattr(self, f"counts_{id}").cpu().numpy())
            for id in self.ids
        }
        found = {
            f"{id}_{name}": getattr(score, name)
            for id, score in scores.items()
            for name in ("recall", "precision", "f1")
        }
        mean = conll_average(scores)
        found |= {} if mean is None else {"conll": mean}
        return {name: torch.tensor(value, dtype=torch.float64) for name, value in found.items()}

    def set_dtype(self, dst_type: Any) -> Coref:
        """Keep the counts as they are: in single precision they would lose digits."""
        return self

    def _apply(self, fn: Any, *args: Any, **kwargs: Any) -> Any:
        """Move the counts to another device, but never to another type."""

        def keep(tensor: torch.Tensor) -> torch.Tensor:
            moved = fn(tensor)
            return tensor.to(moved.device) if moved.dtype != tensor.dtype else moved

        return super()._apply(keep, *args, **kwargs)
