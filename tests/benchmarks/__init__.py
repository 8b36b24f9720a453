"""The benchmark: minitape beside hand-written NumPy and the peers that happen to be installed.

Run it with `make bench`, or `python -m tests.benchmarks [part of a row's name ...]`. All candidates of one row run in
turn, round after round, in one process and on one thread, so that a noisy machine disturbs them alike; what counts is
the ratio.
"""
