"""The report of a run as one HTML page that needs no network and no script."""

from .page import rendered, written

__all__ = ["rendered", "written"]
