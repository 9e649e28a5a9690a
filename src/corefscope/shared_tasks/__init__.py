"""The figures of the official scorers of shared tasks, where these differ from our own."""
