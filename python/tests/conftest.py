"""One engine for all tests, without profiles of this machine."""

import os

import pytest

os.environ.setdefault("TESSERA_PROFILE", "off")

import tessera_cl as ts  # noqa: E402


@pytest.fixture(scope="session")
def engine() -> ts.Engine:
    return ts.default_engine()
