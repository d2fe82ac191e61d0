"""The line that shows the progress of a tuning."""

from __future__ import annotations

from typing import TYPE_CHECKING, TextIO

if TYPE_CHECKING:
    from ._core import TuneProgress

_WIDTH = 20


def line_of(state: TuneProgress) -> str:
    """Returns the state as one line."""
    share = min(1.0, state.elapsed / state.budget) if state.budget > 0 else 1.0
    bar = "#" * round(_WIDTH * share)
    text = f"[{bar:<{_WIDTH}}] {state.elapsed:.0f} of {state.budget:.0f} s, {state.stage}"
    text += f", {state.tried} of {state.space} kernels"
    if state.best_seconds is not None:
        text += f", best {1e3 * state.best_seconds:.3g} ms"
        if state.default_seconds is not None:
            text += f" ({state.default_seconds / state.best_seconds:.2f} x the default's speed)"
    return text


class ProgressBar:
    """Draws the state on one line of a stream, again and again."""

    def __init__(self, stream: TextIO) -> None:
        self._stream: TextIO = stream
        self._length: int = 0

    def __call__(self, state: TuneProgress) -> None:
        line = line_of(state)
        self._stream.write("\r" + line.ljust(self._length))
        self._stream.flush()
        self._length = len(line)

    def __enter__(self) -> ProgressBar:
        return self

    def __exit__(self, *_: object) -> None:
        if self._length:
            self._stream.write("\n")
            self._stream.flush()
