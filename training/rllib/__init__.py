"""Self-play on Ray RLlib: the same configuration as :mod:`reynard.training.trainer`, on many machines."""
