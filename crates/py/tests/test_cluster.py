"""Local clusters of Dask and Ray with two workers say what one process says, in whatever batches."""

import astragal as ag
import pandas as pd
import pytest

PROGRAM = "cofd.action(pool, again: a).successes >= n"


@pytest.fixture(scope="module")
def points():
    combinations = [(pool, a, n) for pool in range(1, 9) for a in (8, 9, 10) for n in range(1, 6)]
    return pd.DataFrame(combinations, columns=["pool", "a", "n"])


@pytest.fixture(scope="module")
def program():
    return ag.compile(PROGRAM, pool=5, a=10, n=1)


@pytest.fixture(scope="module")
def serial(program, points):
    return ag.sweep_rows(program, points, exact=True)


def test_the_sweep_says_the_same(serial, program):
    table = ag.sweep(program, pool=range(1, 9), a=(8, 9, 10), n=range(1, 6))
    assert [str(chance) for chance in table["chance"]] == list(serial.chance)


def test_dask(points, program, serial):
    dd = pytest.importorskip("dask.dataframe")
    distributed = pytest.importorskip("dask.distributed")
    with (
        distributed.LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None) as cluster,
        distributed.Client(cluster),
    ):
        meta = points.iloc[:0].assign(chance=pd.Series(dtype="object"))
        parts = dd.from_pandas(points, npartitions=6)
        found = parts.map_partitions(
            lambda part: ag.sweep_rows(program, part, exact=True, threads=1), meta=meta
        ).compute()
    assert list(found.chance) == list(serial.chance)
    assert list(found.pool) == list(points.pool)


def test_ray(points, program, serial):
    ray = pytest.importorskip("ray")
    import ray.data

    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False, logging_level="ERROR")
    try:
        ray.data.DataContext.get_current().enable_progress_bars = False
        batches = ray.data.from_pandas(points).repartition(6).map_batches(
            lambda batch: ag.sweep_rows(program, batch, exact=True, threads=1), batch_format="numpy"
        )
        found = pd.DataFrame(batches.take_all())
    finally:
        ray.shutdown()
    order = ["pool", "a", "n"]
    found = found.sort_values(order).reset_index(drop=True)
    assert found.chance.tolist() == serial.sort_values(order).chance.tolist()
