"""Docstrings exist for every public name, and their examples and those of the page are right."""

import doctest
import pathlib

import numpy as np
import pytest

import tessera_cl as ts

PAGE = pathlib.Path(__file__).parents[2] / "docs" / "python.md"
OPTIONS = doctest.NORMALIZE_WHITESPACE


def documented() -> dict[str, str]:
    """The docstring of each public name and of each public member of a class."""
    texts = {"tessera_cl": ts.__doc__}
    for name in ts.__all__:
        value = getattr(ts, name)
        if isinstance(value, str):
            continue
        texts[name] = value.__doc__
        if isinstance(value, type) and value.__module__ == "tessera_cl._core":
            for member, own in vars(value).items():
                if not member.startswith("_"):
                    texts[f"{name}.{member}"] = own.__doc__
    return texts


def run(name: str, text: str) -> int:
    test = doctest.DocTestParser().get_doctest(text, {"ts": ts, "np": np}, name, name, 0)
    runner = doctest.DocTestRunner(optionflags=OPTIONS)
    result = runner.run(test)
    assert result.failed == 0, name
    return result.attempted


def test_every_name_is_documented():
    texts = documented()
    assert len(texts) > 100
    assert [name for name, text in texts.items() if not text] == []


def test_version_is_the_librarys():
    assert ts.__version__ == ts._core.__version__


def test_examples():
    assert sum(run(name, text) for name, text in documented().items() if text) > 30


@pytest.mark.skipif(not PAGE.exists(), reason="the source tree is not around the tests")
def test_page():
    assert run("python.md", PAGE.read_text()) > 15


def test_stub_has_the_docstrings():
    stub = pathlib.Path(ts.__file__).parent / "_core.pyi"
    text = stub.read_text()
    assert "class Matrix:" in text and "def multiply(" in text
    assert "tessera_py" not in text and "nanobind" not in text.replace("nanobind.stubgen", "")
