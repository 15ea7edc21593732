"""Ray: the cluster that ``RAY_ADDRESS`` names, or one on this machine that ends with the run."""

import logging
import os
from collections.abc import Iterator
from contextlib import contextmanager

# Ray reads both when it is imported or starts: nothing is sent anywhere, and devices stay as they are
os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")

try:
    import ray
    import ray.rllib
except ImportError as missing:
    raise ImportError('backend: rllib needs Ray: pip install "reynard[rllib]"') from missing

from ...envs.errors import InvalidOption

# it says at every start that the new API stack is used, which is what is wanted
logging.getLogger("ray.rllib.algorithms.algorithm_config").setLevel(logging.ERROR)

OBJECT_STORE = 500_000_000  # bytes; an update's games are far smaller


@contextmanager
def cluster(wanted: int | None, games: int) -> Iterator[int]:
    """Be connected to a cluster for a while.

    Args:
        wanted: Env runners; ``None``: one for each CPU of the cluster.
        games: Games played at once; there are never more runners than games.

    Yields:
        How many env runners there are to be.

    Raises:
        InvalidOption: The cluster has fewer CPUs than runners were asked for, or cannot be reached.
    """
    mine = not ray.is_initialized()
    if mine:
        _connect(wanted)
    try:
        cpus = int(ray.cluster_resources().get("CPU", 1))
        if wanted is not None and wanted > cpus:
            raise InvalidOption(f"threads asks for {wanted} env runners, but the cluster has {cpus} CPUs")
        yield min(wanted or cpus, games)
    finally:
        if mine:
            ray.shutdown()


def _connect(wanted: int | None) -> None:
    address, quiet = os.environ.get("RAY_ADDRESS"), {"log_to_driver": False, "logging_level": "ERROR"}
    if not address:
        cpus = max(wanted or 0, os.cpu_count() or 1)
        ray.init("local", num_cpus=cpus, object_store_memory=OBJECT_STORE, include_dashboard=False, **quiet)
        return
    try:
        ray.init(address, **quiet)
    except (ConnectionError, RuntimeError) as error:
        raise InvalidOption(f"no Ray cluster answers at RAY_ADDRESS={address}: {error}") from None
