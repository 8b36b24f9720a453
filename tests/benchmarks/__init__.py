"""The benchmark: minitape beside NumPy by hand and the peers that happen to be installed.

Run it with `make bench`. `rows.py` says what is compared and what is to be reached, `programs/` has
every program in every library, `race.py` lets the candidates of a row run in turn, and `worker.py`
is the process in which one of them lives.
"""
