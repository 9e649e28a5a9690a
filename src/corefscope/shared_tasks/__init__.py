"""Official figures of shared tasks, computed as their scorers compute them."""
