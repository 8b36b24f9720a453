"""These tests need TensorFlow, which is installed only where `make test-tensorflow` runs them."""

import importlib.util
import os

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
os.environ["CUDA_VISIBLE_DEVICES"] = ""
# elsewhere than on the newest processors TensorFlow has no way back through dilations
os.environ["TF_ENABLE_ONEDNN_OPTS"] = "1"
collect_ignore_glob = [] if importlib.util.find_spec("tensorflow") else ["test_*.py"]
