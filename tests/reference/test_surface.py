"""The public surface, and that the reference stands alone."""

from __future__ import annotations

import ast
import importlib
import pkgutil
from pathlib import Path

from storelaw_reference import transcript

MODULES = [module.name for module in pkgutil.iter_modules(transcript.__path__)]
SOURCES = sorted(Path(transcript.__path__[0]).glob("*.py"))


def test_every_export_is_there_once() -> None:
    """No submodule hides an export, whatever is imported in which order."""
    for name in MODULES:
        importlib.import_module(f"{transcript.__name__}.{name}")
    assert len(transcript.__all__) == len(set(transcript.__all__))
    assert not set(transcript.__all__) & set(MODULES)
    assert all(hasattr(transcript, name) for name in transcript.__all__)


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
