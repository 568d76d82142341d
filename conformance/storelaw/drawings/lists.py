"""Two lists side by side: which item of the one stands for which of the other."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final

from storelaw.narrative import Names
from storelaw.values import is_array, is_object, same

from .words import said

#: How many items of each list are drawn.
MOST: Final = 24

#: How many alike items stay before the first difference of longer lists.
AHEAD: Final = 3


def lists(expected: object, observed: object, names: Names) -> dict[str, Any] | None:
    """The drawing of two lists, ``None`` where a side is none."""
    if not (is_array(expected) and is_array(observed)):
        return None
    begin = _begin(expected, observed)
    left, right = expected[begin : begin + MOST], observed[begin : begin + MOST]
    to = _paired(left, right)
    kept, back = _kept(to), {place: index for index, place in to.items()}
    marks = [_mark(left, right, to, kept, index) for index in range(len(left))]
    return {
        "kind": "lists",
        "before": begin,
        "expected": [
            _item(names, each, marks[index], to.get(index)) for index, each in enumerate(left)
        ],
        "observed": [
            _item(names, each, marks[back[place]], back[place])
            if place in back
            else _item(names, each, _surplus(left, each), None)
            for place, each in enumerate(right)
        ],
        "after": {
            "expected": max(0, len(expected) - begin - MOST),
            "observed": max(0, len(observed) - begin - MOST),
        },
    }


def _begin(expected: Sequence[object], observed: Sequence[object]) -> int:
    """Where to begin, so that the first difference is in view."""
    shortest = min(len(expected), len(observed))
    pairs = enumerate(zip(expected, observed, strict=False))
    first = next((index for index, (left, right) in pairs if not same(left, right)), shortest)
    longest = max(len(expected), len(observed))
    return max(0, first - AHEAD) if longest > MOST else 0


def _paired(left: Sequence[object], right: Sequence[object]) -> dict[int, int]:
    """The place on the right for each on the left that has one: by id, by value, by place."""
    to: dict[int, int] = {}
    for alike in (_same_id, same):
        _pair(left, right, to, alike)
    taken = set(to.values())
    for index in range(min(len(left), len(right))):
        if index not in to and index not in taken and not _named(left[index], right[index]):
            to[index] = index
    return to


def _pair(
    left: Sequence[object],
    right: Sequence[object],
    to: dict[int, int],
    alike: Callable[[object, object], bool],
) -> None:
    free = [each for each in range(len(right)) if each not in to.values()]
    for index, item in enumerate(left):
        place = next((each for each in free if alike(item, right[each])), None)
        if index not in to and place is not None:
            to[index] = place
            free.remove(place)


def _same_id(left: object, right: object) -> bool:
    return bool(name_of(left)) and name_of(left) == name_of(right)


def _named(left: object, right: object) -> bool:
    """Whether two items have ids, so that only an equal id makes them the same."""
    return bool(name_of(left)) and bool(name_of(right))


def name_of(item: object) -> str:
    """The id of an item, empty where it has none."""
    found = item.get("id") if is_object(item) else None
    return found if isinstance(found, str) else ""


def _kept(to: Mapping[int, int]) -> set[int]:
    """The places on the left that keep their order: a longest run of them."""
    runs: dict[int, list[int]] = {}
    for index, place in sorted(to.items()):
        before = [run for last, run in runs.items() if to[last] < place]
        runs[index] = [*_longest(before), index]
    return set(_longest(runs.values()))


def _longest(runs: Iterable[list[int]]) -> list[int]:
    """The first of the longest runs, and none where there are none."""
    return max(([], *runs), key=lambda each: len(each))


def _mark(
    left: Sequence[object],
    right: Sequence[object],
    to: Mapping[int, int],
    kept: set[int],
    index: int,
) -> str:
    if index not in to:
        return "lost"
    if not same(left[index], right[to[index]]):
        return "changed"
    return "same" if index in kept else "moved"


def _surplus(left: Sequence[object], item: object) -> str:
    return "repeated" if any(same(each, item) for each in left) else "extra"


def _item(names: Names, item: object, mark: str, to: int | None) -> dict[str, Any]:
    name = names.name(item) or name_of(item)
    data: dict[str, Any] = {"name": name, "says": said(item), "mark": mark}
    return data if to is None else {**data, "to": to}
