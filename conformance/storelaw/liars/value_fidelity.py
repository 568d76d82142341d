"""Liars about nulls, empty values, booleans, numbers, odd characters, and depth."""

from collections.abc import Callable
from typing import Any

from storelaw.aspects import is_list
from storelaw.liars.honest import HonestMedium, HonestStore
from storelaw.liars.registry import liar
from storelaw.values import Entry, copied, is_object


def mapped(value: Any, change: Callable[[Any], Any]) -> Any:
    """A JSON value with every leaf changed, empty lists and objects among them."""
    if is_object(value) and value:
        return {key: mapped(each, change) for key, each in value.items()}
    if is_list(value) and value:
        return [mapped(each, change) for each in value]
    return change(value)


def pruned(value: Any, doomed: Callable[[Any], bool]) -> Any:
    """A JSON value without the members and items that are doomed."""
    if is_object(value):
        return {k: pruned(v, doomed) for k, v in value.items() if not doomed(v)}
    if is_list(value):
        return [pruned(each, doomed) for each in value if not doomed(each)]
    return value


class Changing(HonestStore):
    """Changes leaves on their way in; subclasses say how."""

    def changed(self, leaf: Any) -> Any:
        """What becomes of a leaf."""

    def kept(self, entry: Entry) -> Entry:
        changed: Entry = mapped(entry, self.changed)
        return changed


@liar(
    "null_members_are_kept",
    kinds=["F48"],
    mutants=["null members vanish"],
    most=2,
)
class DropsNulls(HonestMedium):
    """Skips unset fields when it encodes."""

    class store(HonestStore):
        def kept(self, entry: Entry) -> Entry:
            return pruned(entry, lambda each: each is None)  # type: ignore[no-any-return]


@liar("empty_values_are_kept", kinds=["F48"], mutants=["empty containers vanish"], most=2)
class DropsEmpties(HonestMedium):
    """Leaves out empty lists and objects."""

    class store(HonestStore):
        def kept(self, entry: Entry) -> Entry:
            return pruned(entry, lambda each: each in ([], {}))  # type: ignore[no-any-return]


@liar("empty_values_are_kept", kinds=["F48"], most=2)
class EmptyTextIsNull(HonestMedium):
    """Stores an empty text as null, as one SQL engine does."""

    class store(Changing):
        def kept(self, entry: Entry) -> Entry:
            return super().kept(entry) if entry.get("type") == "custom" else copied(entry)

        def changed(self, leaf: Any) -> Any:
            return None if leaf == "" else leaf


@liar(
    "booleans_stay_booleans",
    kinds=["F45"],
    mutants=["booleans become 0 and 1"],
    most=2,
)
class BooleansAreNumbers(HonestMedium):
    """Has no boolean column."""

    class store(Changing):
        def changed(self, leaf: Any) -> Any:
            return int(leaf) if isinstance(leaf, bool) else leaf


@liar(
    "integers_stay_integers",
    kinds=["F46"],
    mutants=["ints come back as floats"],
    most=2,
)
class IntegersAreFloats(HonestMedium):
    """Has one number type."""

    class store(Changing):
        def changed(self, leaf: Any) -> Any:
            return float(leaf) if type(leaf) is int and abs(leaf) <= 2**53 else leaf


@liar(
    "whole_floats_stay_floats",
    kinds=["F46"],
    most=2,
)
class WholeFloatsAreIntegers(HonestMedium):
    """Writes a float in its shortest form."""

    class store(Changing):
        def changed(self, leaf: Any) -> Any:
            whole = isinstance(leaf, float) and leaf.is_integer() and abs(leaf) < 1e16
            return int(leaf) if whole else leaf


@liar("whole_floats_stay_floats", kinds=["F46"], most=2)
class ZeroHasNoSign(HonestMedium):
    """Loses the sign of zero."""

    class store(Changing):
        def changed(self, leaf: Any) -> Any:
            return abs(leaf) if isinstance(leaf, float) and not leaf else leaf


@liar("floats_keep_their_digits", kinds=["F46"], most=2)
class FifteenDigits(HonestMedium):
    """Writes floats with fifteen digits."""

    class store(Changing):
        def changed(self, leaf: Any) -> Any:
            return float(f"{leaf:.14e}") if isinstance(leaf, float) else leaf


@liar(
    "integers_beyond_2_53_are_kept_or_refused",
    kinds=["F46"],
    mutants=["integers above 2^53 rounded"],
    most=2,
)
class BigIntegersAreRounded(HonestMedium):
    """Reads every number through a 64-bit float."""

    class store(Changing):
        def changed(self, leaf: Any) -> Any:
            return int(float(leaf)) if type(leaf) is int else leaf


@liar("nul_characters_are_kept_or_refused", kinds=["F41"], mutants=["strings cut at NUL"], most=2)
class CutsAtNul(HonestMedium):
    """Hands texts to a C library."""

    class store(Changing):
        def changed(self, leaf: Any) -> Any:
            return leaf.split("\x00")[0] if isinstance(leaf, str) else leaf


@liar("nul_characters_are_kept_or_refused", kinds=["F41"], most=2)
class CutsNamesAtNul(HonestMedium):
    """Hands the names of members to a C library."""

    class store(HonestStore):
        def kept(self, entry: Entry) -> Entry:
            return renamed(copied(entry))  # type: ignore[no-any-return]


def renamed(value: Any) -> Any:
    """A value whose names end at a NUL, one level of objects after the other."""
    if not is_object(value):
        return value
    return {name.split("\x00")[0]: renamed(each) for name, each in value.items()}


@liar("nul_characters_are_kept_or_refused", kinds=["F43"], most=2)
class WritesNulAsAnEscape(HonestMedium):
    """Writes the six characters of an escape in the place of a NUL."""

    class store(Changing):
        def changed(self, leaf: Any) -> Any:
            return leaf.replace("\x00", "\\u0000") if isinstance(leaf, str) else leaf


@liar(
    "lone_surrogates_are_kept_or_refused",
    kinds=["F42"],
    mutants=["lone surrogates replaced"],
    most=2,
)
class ReplacesSurrogates(HonestMedium):
    """Encodes with a replacement character."""

    class store(Changing):
        def changed(self, leaf: Any) -> Any:
            if not isinstance(leaf, str):
                return leaf
            return leaf.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


@liar("lone_surrogates_are_kept_or_refused", kinds=["F42"], most=2)
class FailsAtSurrogatesLater(HonestMedium):
    """Accepts lone surrogates and can't encode its answer with them."""

    class store(HonestStore):
        def given(self, entry: Entry) -> Entry:
            repr(entry).encode("ascii", "backslashreplace")
            mapped(entry, lambda each: each.encode() if isinstance(each, str) else each)
            return super().given(entry)


class _Shallow(HonestStore):
    """Writes a text in the place of what lies below a level."""

    deepest = 0

    def kept(self, entry: Entry) -> Entry:
        return self.cut(entry, self.deepest)  # type: ignore[no-any-return]

    def cut(self, value: Any, left: int) -> Any:
        """The value down to so many levels."""
        if left == 0:
            return "..."
        if is_object(value):
            return {key: self.cut(each, left - 1) for key, each in value.items()}
        if is_list(value):
            return [self.cut(each, left - 1) for each in value]
        return value


@liar("values_of_a_hundred_levels_are_kept", also=["deeper_values_are_kept_or_refused"], most=2)
class SixtyFourLevels(HonestMedium):
    """Walks values down to sixty-four levels."""

    class store(_Shallow):
        deepest = 64


@liar("deeper_values_are_kept_or_refused", kinds=["F45"], most=2)
class HundredAndTwentyEightLevels(HonestMedium):
    """Walks values down to a hundred and twenty-eight levels and says nothing of the rest."""

    class store(_Shallow):
        deepest = 128
