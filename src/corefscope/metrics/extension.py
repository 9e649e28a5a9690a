"""What the core itself brings as an extension does: the metrics that few scores have."""

METRICS = GROUPS = "corefscope.metrics.rare"
