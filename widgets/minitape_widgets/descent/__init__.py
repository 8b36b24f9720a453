"""Walks down a loss, and the ground on which they are seen: what `valleys.py` shows."""
