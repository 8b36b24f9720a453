"""What little there is to configure: everything runs on one CPU. Source: `tf.config`."""

from __future__ import annotations

from typing import NamedTuple

from .api.function import functions_run_eagerly, run_functions_eagerly
from .api.missing import offer


class PhysicalDevice(NamedTuple):
    """A device of this computer: the CPU."""

    name: str
    device_type: str


def list_physical_devices(device_type: str | None = None) -> list[PhysicalDevice]:
    """Return the CPU, or nothing where another kind of device is asked for. Source:
    `tf.config.list_physical_devices`.
    """
    return [PhysicalDevice("/physical_device:CPU:0", "CPU")] if device_type in (None, "CPU") else []


__all__ = ["functions_run_eagerly", "list_physical_devices", "run_functions_eagerly"]
offer(__name__)
