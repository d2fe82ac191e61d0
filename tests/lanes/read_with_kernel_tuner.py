"""Reads a cache and T4 results with Kernel Tuner itself: read_with_kernel_tuner.py CACHE T4"""

import json
import sys
from importlib.metadata import version
from math import prod
from pathlib import Path
from shutil import copy
from tempfile import TemporaryDirectory

import jsonschema
import kernel_tuner
from kernel_tuner import file_utils, util

MOST = 1_000_000  # combinations of values that tune_cache goes through in seconds


def times(cache):
    return [entry["time"] for entry in cache["cache"].values() if "__error__" not in entry]


def replay(path, cache, **search):
    """Searches in the file; returns how many configurations were visited, and the best time."""
    before = path.read_bytes()
    results, environment = kernel_tuner.tune_cache(str(path), quiet=True, **search)
    assert path.read_bytes() == before, "tune_cache mended the file"
    assert environment["device_name"] == cache["device_name"]
    assert environment["simulated_time"] > 0
    return len(results), environment["best_config"]["time"]


def check_replay(path, cache):
    good = times(cache)
    combinations = prod(len(values) for values in cache["tune_params"].values())
    if combinations > MOST:
        return f"{combinations} combinations are too many to search in"
    visited, best = replay(path, cache)
    assert visited == len(good) and best == min(good), (visited, best)
    some = max(1, len(good) // 2)
    search = {"strategy": "random_sample", "strategy_options": {"max_fevals": some}}
    visited, best = replay(path, cache, **search)
    assert visited == some and best in good, (visited, best)
    search = {"strategy": "genetic_algorithm", "strategy_options": {"time_limit": 60}}
    visited, best = replay(path, cache, **search)
    assert visited > 0 and best in good, (visited, best)
    return "searched in three times"


def check_cut(path, cache):
    """A file that was cut off is read, and goes on; the end is what Kernel Tuner itself writes."""
    with TemporaryDirectory() as folder:
        cut = Path(copy(path, folder))
        text = cut.read_text()
        cut.write_text(text[: text.rindex("\n", 0, -2)])  # without the last entry
        assert len(util.read_cache(str(cut), open_cache=False)["cache"]) == len(cache["cache"]) - 1
        again = Path(copy(path, Path(folder) / "again.json"))
        opened = util.read_cache(str(again), open_cache=True)
        util.store_cache("new", {"time": 1.0}, str(again), opened["cache"])
        util.close_cache(str(again))
        longer = util.read_cache(str(again), open_cache=False)
        assert list(longer["cache"]) == [*cache["cache"], "new"]


def check_conversion(cache):
    """Kernel Tuner's own T4 of the cache follows the schema, too."""
    converted = file_utils.get_t4_results(list(cache["cache"].values()), cache["tune_params"])
    assert len(converted["results"]) == len(cache["cache"])


def main():
    cache_path, results_path = map(Path, sys.argv[1:])
    cache = util.read_cache(str(cache_path), open_cache=False)
    assert isinstance(cache["objective"], str)
    assert cache_path.read_text().endswith("}\n}")
    assert times(cache) and all(isinstance(time, float) for time in times(cache))
    replayed = check_replay(cache_path, cache)
    if len(cache["cache"]) > 1:
        check_cut(cache_path, cache)
    check_conversion(cache)

    results = json.loads(results_path.read_text())
    _, schema = file_utils.output_file_schema("results")
    jsonschema.validate(results, schema)
    assert results["results"], "no results"
    required = {"compute_api", "platform", "device", "autotuner", "timestamp", "timeunit"}
    assert required <= results["metadata"].keys(), "the metadata that 1.1.0 requires"

    print(
        f"Kernel Tuner {version('kernel_tuner')}: {len(cache['cache'])} configurations read,"
        f" {len(times(cache))} with a time, {replayed}; {len(results['results'])} T4 results valid"
    )


main()
