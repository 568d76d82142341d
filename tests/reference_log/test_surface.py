"""The public surface, and that the reference stands alone."""

from __future__ import annotations

import ast
import importlib
import pkgutil
from pathlib import Path

from storelaw_reference import log

MODULES = [module.name for module in pkgutil.iter_modules(log.__path__)]
SOURCES = sorted(Path(log.__path__[0]).glob("*.py"))


def test_every_export_is_there_once() -> None:
    """No submodule hides an export, whatever is imported in which order."""
    for name in MODULES:
        importlib.import_module(f"{log.__name__}.{name}")
    assert len(log.__all__) == len(set(log.__all__))
    assert not set(log.__all__) & set(MODULES)
    assert all(hasattr(log, name) for name in log.__all__)


def test_the_reference_imports_nothing_of_the_kit() -> None:
    """The specification is readable, and right, without `storelaw`."""
    roots = {
        (node.module or "").split(".")[0]
        for source in SOURCES
        for node in ast.walk(ast.parse(source.read_text("utf-8")))
        if isinstance(node, ast.ImportFrom)
    }
    assert "storelaw_reference" in roots
    assert "storelaw" not in roots


def test_public_functions_and_methods_say_what_they_do() -> None:
    """Every public name of a module, class or method has a docstring."""
    bare = [
        f"{source.name}: {node.name}"
        for source in SOURCES
        for node in ast.walk(ast.parse(source.read_text("utf-8")))
        if isinstance(node, ast.FunctionDef | ast.ClassDef)
        and not node.name.startswith("_")
        and not ast.get_docstring(node)
    ]
    assert bare == []


def test_exports_are_sorted() -> None:
    """Constants, then classes, then functions, each in the order of the alphabet."""
    kinds = [[n for n in log.__all__ if n.isupper()], [n for n in log.__all__ if n.islower()]]
    assert all(kind == sorted(kind) for kind in kinds)
