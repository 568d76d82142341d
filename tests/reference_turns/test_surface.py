"""The public surface, that the reference stands alone, and where each known defect is met."""

from __future__ import annotations

import ast
import importlib
import pkgutil
from pathlib import Path

import pytest

from storelaw_reference import turns

MODULES = [module.name for module in pkgutil.iter_modules(turns.__path__)]
SOURCES = sorted(Path(turns.__path__[0]).glob("*.py"))

DEFECTS = {
    1: "test_appender::test_a_wide_index_reads_back_in_order",
    2: "test_appender::test_what_would_not_read_back_is_refused",
    3: "test_appender::test_only_one_spelling_claims_a_turn",
    4: "test_timeline::test_only_a_whole_outer_envelope_comes_off",
    5: "A memory has one backend, so there is no second half for a retry to miss.",
    6: "test_memory::test_nothing_is_shared_with_the_caller",
    7: "test_provenance::test_a_copy_keeps_tags_and_verifies",
    8: "test_memory::test_what_is_no_entry_is_refused",
    9: "test_memory::test_another_entry_is_a_conflict",
    10: "test_provenance::test_a_huge_gap_is_one_finding",
    11: "test_memory::test_what_is_no_entry_is_refused",
    12: "OA-V9 is a MUST and says so; a writer keeps words and results in separate turns (OA-S8).",
    13: "OA-I4 is a MUST: the price of never losing a message is to show it twice after a crash.",
    14: "test_memory::test_two_memories_on_one_backend_write_once",
    15: "test_appender::test_a_racing_writer_gets_the_same_errors",
}


def test_every_export_is_there_once() -> None:
    """No submodule hides an export, whatever is imported in which order."""
    for name in MODULES:
        importlib.import_module(f"{turns.__name__}.{name}")
    assert len(turns.__all__) == len(set(turns.__all__))
    assert not set(turns.__all__) & set(MODULES)
    assert all(hasattr(turns, name) for name in turns.__all__)


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


@pytest.mark.parametrize("number", range(1, 16))
def test_each_known_defect_has_its_test_or_its_reason(number: int) -> None:
    """Every D-OA item names a test that is there, or says why there is none."""
    module, _, name = DEFECTS[number].partition("::")
    if name:
        source = Path(__file__).with_name(f"{module}.py").read_text("utf-8")
        assert f"def {name}(" in source
    else:
        assert module.endswith(".")
