"""These tests need PyTorch, which is installed only where `make test-torch` runs them."""

import importlib.util

if importlib.util.find_spec("torch"):
    import torch

    torch.set_num_threads(1)
    collect_ignore_glob = []
else:
    collect_ignore_glob = ["test_*.py"]
