"""Liars: stores, sessions and views that break one law each, on purpose.

Each is a medium with a manifest of its own, and a liar only under it. ``storelaw
selftest`` proves that every law can fail: its liar is caught, and by nothing that isn't
in the liar's ``also`` list.
"""

from storelaw.liars.registry import Liar, liar, liars

__all__ = ["Liar", "liar", "liars"]
