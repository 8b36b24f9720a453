"""What little there is to configure: everything runs on one CPU. Source: `tf.config`."""

from collections import namedtuple

from .api.function import functions_run_eagerly, run_functions_eagerly

PhysicalDevice = namedtuple("PhysicalDevice", "name device_type")


def list_physical_devices(device_type=None):
    """Return the CPU, or nothing where another kind of device is asked for. Source: `tf.config.list_physical_devices`."""
    return [PhysicalDevice("/physical_device:CPU:0", "CPU")] if device_type in (None, "CPU") else []


__all__ = ["functions_run_eagerly", "list_physical_devices", "run_functions_eagerly"]
