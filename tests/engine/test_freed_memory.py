"""A tape's large arrays are made in memory that the process kept, unless its owner has set the C
library's own variables.
"""

import os
import subprocess
import sys

import pytest

from minitape.engine.base import allocator

PROGRAM = """
import resource
import numpy as np
import minitape as tf

x = tf.constant(np.ones(10**6, np.float32))

def step():
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.reduce_sum(tf.exp(x) * x)
    return tape.gradient(y, x)

for _ in range(3):
    step()
before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
for _ in range(10):
    step()
print(resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before)
"""


def page_faults(**environment):
    """Return how many page faults ten steps on a million numbers take in a fresh process."""
    inherited = {name: value for name, value in os.environ.items() if name not in allocator.SET}
    result = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        env={**inherited, **environment},
        capture_output=True,
        text=True,
        check=True,
    )
    return int(result.stdout)


@pytest.mark.skipif(allocator.library() is None, reason="only glibc gives memory back so eagerly")
def test_steps_on_large_arrays_find_memory_that_is_there():
    assert page_faults() < 1000
    assert page_faults(MALLOC_TRIM_THRESHOLD_="131072") > 10_000
    assert page_faults(GLIBC_TUNABLES="glibc.rtld.optional_static_tls=2048") < 1000, (
        "which says nothing of memory that is freed"
    )
    assert page_faults(GLIBC_TUNABLES="glibc.malloc.trim_threshold=131072") > 10_000
