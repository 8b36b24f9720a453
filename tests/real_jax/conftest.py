"""These tests need JAX, which is installed only where `make test-jax` runs them."""

import importlib.util

if importlib.util.find_spec("jax"):
    import jax

    # thousands of small functions are compiled, and each runs once
    jax.config.update("jax_disable_most_optimizations", True)
    collect_ignore_glob = []
else:
    collect_ignore_glob = ["test_*.py"]
