"""The server keeps what its document promises: requests made from `openapi.json`, right and wrong ones, by schemathesis.

    ASTRAGAL=target/debug/astragal python -m pytest crates/table/tests/contract.py

`cargo xtask test contract` runs it in an environment of its own.
"""

import atexit
import json
import os
import subprocess
import tempfile
import urllib.request
from pathlib import Path

import schemathesis
from hypothesis import HealthCheck, settings
from schemathesis.specs.openapi.checks import positive_data_acceptance

DOCUMENT = Path(__file__).parent.parent / "openapi.json"

# A request is signed, and a program has a meaning: no document of shapes tells which texts are right ones.
UNTOLD = [positive_data_acceptance]

# Below what the server takes from one address in a second, so that it says something else than "too often".
RATE = "40/s"




def serve():
    """A server of its own, which ends with the tests, and its address."""
    folder = tempfile.TemporaryDirectory()
    data = ["--data", f"{folder.name}/tables", "--listen", "127.0.0.1:0", "--no-open", "--json"]
    server = subprocess.Popen([os.environ["ASTRAGAL"], "table", *data], stdout=subprocess.PIPE)
    atexit.register(folder.cleanup)
    atexit.register(server.wait)
    atexit.register(server.terminate)
    return server, json.loads(server.stdout.readline())["address"].removesuffix("/t/")


def promised(address):
    """The document, asked at a table that there is, by its owner."""
    ask = urllib.request.Request(f"{address}/api/tables", b"{}", {"Content-Type": "application/json"})
    with urllib.request.urlopen(ask) as answer:
        made = json.load(answer)
    config = {
        "base-url": address,
        "rate-limit": RATE,
        "headers": {"Authorization": f"Bearer {made['links']['owner']}"},
        "parameters": {"table": made["table"]},
    }
    return schemathesis.openapi.from_path(DOCUMENT, config=schemathesis.Config.from_dict(config))


# Tests are made from the document before any fixture is, so that this cannot be one.
SERVER, ADDRESS = serve()
SCHEMA = promised(ADDRESS)


# A stream of events does not end; `tests/http.rs` reads it.
@SCHEMA.exclude(path_regex="events$").parametrize()
@settings(max_examples=60, derandomize=True, deadline=None, suppress_health_check=list(HealthCheck))
def test_every_answer_is_one_that_is_told(case):
    case.call_and_validate(excluded_checks=UNTOLD)


def test_the_server_lives_after_all_that():
    assert SERVER.poll() is None
