"""TensorFlow's dialect: minitape has its names, so only the module differs."""

from dataclasses import replace

from .minitape import MINITAPE

TENSORFLOW = replace(MINITAPE, module="tensorflow")
