"""What is read equals what was accepted: nulls, empty values, booleans, numbers, depth."""

from typing import Any, Final

from storelaw.aspects import Path, judge_aspect, judge_aspect_or_refused
from storelaw.clauses import law
from storelaw.manifest import Manifest
from storelaw.narrative import Words
from storelaw.program import Program
from storelaw.samples import custom
from storelaw.strategies.logs import each_holding, guarded, holding, logs_of
from storelaw.strategies.values import (
    BIG_FLOATS,
    BIG_INTEGERS,
    FLOATS,
    INTEGERS,
    ODD_TEXTS,
    WHOLE_FLOATS,
    noted,
    numbers,
    odd_texts,
    spoken,
)
from storelaw.trace import Trace
from storelaw.values import Entry, brief

#: Integers up to this size are exact in a 64-bit float.
EXACT_INTEGER: Final = 2**53
LEGAL_DEPTH: Final = 100
DEEP: Final = 20


def noting(id: str, value: Any) -> Entry:
    """A custom entry with a value one level down, under ``data``."""
    return custom(id, data={"value": value})


def is_null(path: Path, value: Any) -> bool:
    return value is None


def is_empty(path: Path, value: Any) -> bool:
    return isinstance(value, str | list | dict) and not value


def is_boolean(path: Path, value: Any) -> bool:
    return isinstance(value, bool)


def is_integer(path: Path, value: Any) -> bool:
    return type(value) is int and abs(value) <= EXACT_INTEGER


def is_big_integer(path: Path, value: Any) -> bool:
    return type(value) is int and abs(value) > EXACT_INTEGER


def is_whole_float(path: Path, value: Any) -> bool:
    return isinstance(value, float) and value.is_integer() and abs(value) < 1e16


def is_other_float(path: Path, value: Any) -> bool:
    return isinstance(value, float) and not is_whole_float(path, value)


def has_nul(path: Path, value: Any) -> bool:
    return any("\x00" in each for each in (*path, value) if isinstance(each, str))


def has_surrogate(path: Path, value: Any) -> bool:
    return any(_is_unpaired(each) for each in (*path, value) if isinstance(each, str))


def _is_unpaired(text: str) -> bool:
    return any("\ud800" <= each <= "\udfff" for each in text)


def is_deep(path: Path, value: Any) -> bool:
    return DEEP < len(path) <= LEGAL_DEPTH


def is_too_deep(path: Path, value: Any) -> bool:
    return len(path) > LEGAL_DEPTH


@law(
    family="fidelity",
    source=["kit-values"],
    incidents=["F48"],
    battery=each_holding(noting("a", None), custom("b", data={"list": ["x", None, "y"]})),
)
def null_members_are_kept(trace: Trace) -> None:
    """A null comes back as a null: neither left out nor made an empty value.

    Encoders that skip unset fields lose the difference between *no answer* and *not asked*.
    """
    judge_aspect(trace, is_null, "a null that was appended comes back as a null.")


@law(
    family="fidelity",
    source=["kit-values"],
    incidents=["F48"],
    battery=each_holding(noting("a", ""), noting("b", []), noting("c", {})),
)
def empty_values_are_kept(trace: Trace) -> None:
    """Empty text, empty lists and empty objects come back as what they are.

    Column stores and marshallers of tagged fields leave them out, or give null for them.
    """
    judge_aspect(trace, is_empty, "an empty text, list or object comes back as what it is.")


@law(
    family="fidelity",
    source=["kit-values"],
    incidents=["F45"],
    battery=each_holding(noting("a", True), noting("b", False)),
)
def booleans_stay_booleans(trace: Trace) -> None:
    """True and false come back as booleans, not as 1 and 0.

    Engines without a boolean column store a number, and a comparison in Python doesn't
    notice, since there ``True == 1``.
    """
    judge_aspect(trace, is_boolean, "true and false come back as booleans.")


@law(
    family="fidelity",
    source=["kit-values"],
    incidents=["F46"],
    battery=each_holding(*(noting(f"i{index}", each) for index, each in enumerate(INTEGERS))),
    programs=lambda manifest: logs_of(noted(numbers()), manifest),
    weight=1,
)
def integers_stay_integers(trace: Trace) -> None:
    """Integers up to 2^53 in size come back as the same integers.

    A store with one number type gives 1.0 for 1, and 32-bit columns give another number.
    """
    judge_aspect(trace, is_integer, "an integer comes back as the same integer.")


@law(
    family="fidelity",
    source=["kit-values"],
    incidents=["F46"],
    battery=each_holding(*(noting(f"w{index}", each) for index, each in enumerate(WHOLE_FLOATS))),
)
def whole_floats_stay_floats(trace: Trace) -> None:
    """Floats without a fraction stay floats: 1.0 is not 1, and -0.0 keeps its sign.

    Encoders that write the shortest form turn 1.0 into 1; others lose the sign of zero.
    """
    judge_aspect(trace, is_whole_float, "a float without a fraction comes back as that float.")


def _fractions(manifest: Manifest) -> list[Program]:
    floats = FLOATS if "big-floats" in manifest.refuses else (*FLOATS, *BIG_FLOATS)
    entries = [noting(f"f{index}", each) for index, each in enumerate(floats)]
    return [guarded(manifest, each) for each in entries]


@law(family="fidelity", source=["kit-values"], incidents=["F46"], battery=_fractions)
def floats_keep_their_digits(trace: Trace) -> None:
    """Floats come back with all their digits, from the smallest to the largest.

    Text forms with 15 digits, 32-bit columns and decimal types change them.
    """
    judge_aspect(trace, is_other_float, "a float comes back with all its digits.")


@law(
    family="fidelity",
    source=["kit-refusals"],
    incidents=["F46"],
    battery=each_holding(*(noting(f"n{index}", each) for index, each in enumerate(BIG_INTEGERS))),
)
def integers_beyond_2_53_are_kept_or_refused(trace: Trace) -> str | None:
    """An integer beyond 2^53 comes back exactly, or its append raises and leaves nothing.

    A parser that reads every number as a 64-bit float gives a neighbour of it instead.
    """
    because = "an integer beyond 2^53 comes back exactly, or its append raises."
    return judge_aspect_or_refused(trace, is_big_integer, because)


@law(
    family="fidelity",
    source=["kit-refusals"],
    incidents=["F41", "F43"],
    battery=each_holding(
        noting("a", "a\x00b"),
        noting("b", "\x00"),
        noting("c", {"x\x00y": "z"}),
        noting("d", "\\u0000\x00"),
    ),
    programs=lambda manifest: logs_of(spoken(odd_texts()), manifest),
    weight=1,
)
def nul_characters_are_kept_or_refused(trace: Trace) -> str | None:
    """U+0000 in a text or a name comes back, or its append raises and leaves nothing.

    C strings end at it, jsonb columns refuse it after the call has returned, and sanitisers
    drop it or write something in its place.
    """
    because = "a NUL character comes back where it was, or the append raises."
    return judge_aspect_or_refused(trace, has_nul, because)


@law(
    family="fidelity",
    source=["kit-refusals"],
    incidents=["F42"],
    battery=each_holding(
        *(noting(f"s{index}", each) for index, each in enumerate(ODD_TEXTS) if "\x00" not in each),
        noting("name", {"x\ud800y": "z"}),
    ),
    programs=lambda manifest: logs_of(spoken(odd_texts()), manifest),
    weight=1,
)
def lone_surrogates_are_kept_or_refused(trace: Trace) -> str | None:
    """Half of a surrogate pair comes back, or its append raises and leaves nothing.

    JSON can write it and UTF-8 can't, so it is replaced, or accepted and found unreadable
    at the next load of the whole session.
    """
    because = "a lone surrogate comes back as it was, or the append raises."
    return judge_aspect_or_refused(trace, has_surrogate, because)


def _told_depth(path: Path, value: Any) -> Words:
    return Words(f"{brief(value)} at level {len(path)}")


def nested(depth: int) -> Any:
    """A value whose only leaf lies ``depth`` levels down, lists and objects in turns."""
    value: Any = "leaf"
    for level in range(depth):
        value = {"in": value} if (depth - level) % 2 else [value]
    return value


def _deepest(manifest: Manifest) -> list[Program]:
    depth = min(LEGAL_DEPTH, manifest.max_depth or LEGAL_DEPTH)
    return [guarded(manifest, custom("deep", data=nested(max(depth - 2, 1))))]


@law(family="fidelity", source=["kit-values"], incidents=["F45"], battery=_deepest)
def values_of_a_hundred_levels_are_kept(trace: Trace) -> None:
    """Values come back whole from up to a hundred levels of lists and objects.

    Walkers with a fixed depth put a text or a null in the place of what lies below.
    """
    because = "a value of up to a hundred levels comes back whole."
    judge_aspect(trace, is_deep, because, anchor=1, tell=_told_depth)


@law(
    family="fidelity",
    source=["kit-refusals"],
    incidents=["F45"],
    battery=holding(custom("deeper", data=nested(180))),
)
def deeper_values_are_kept_or_refused(trace: Trace) -> str | None:
    """A value of more than a hundred levels comes back whole, or its append raises.

    An encoder may accept what the decoder of the same store refuses at the next load.
    """
    because = "a value of more than a hundred levels comes back whole, or its append raises."
    return judge_aspect_or_refused(trace, is_too_deep, because, anchor=1, tell=_told_depth)
