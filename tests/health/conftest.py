"""Lets the tests of this folder import its helpers, health_trainings and health_overhead."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
