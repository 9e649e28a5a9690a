"""The metrics of the CorefUD scorer beside those that all scores have."""

from __future__ import annotations

from corefscope.extensions.corefud_scorer.mor import MOR
from corefscope.extensions.corefud_scorer.zero import ZERO
from corefscope.metrics.metric import MetricGroup

COREFUD = ("muc", "b3", "ceafe", "ceafm", "blanc", "lea", MOR.id, ZERO.id)
"""What the scorer prints, in its order."""
METRICS = (MOR, ZERO)
GROUPS = (MetricGroup("corefud", COREFUD),)
