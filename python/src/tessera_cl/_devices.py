"""The devices of this machine."""

from __future__ import annotations

from . import _core
from ._repr import devices as _html


class DeviceList(list[_core.Device]):
    """A list of devices, which Jupyter shows as a table."""

    def _repr_html_(self) -> str:
        return _html(self)


def devices() -> DeviceList:
    """Returns all devices of all platforms; an empty list if there are none.

    >>> import tessera_cl as ts
    >>> ts.devices()[0].type in ("cpu", "gpu", "accelerator", "other")
    True
    """
    return DeviceList(_core.list_devices())
