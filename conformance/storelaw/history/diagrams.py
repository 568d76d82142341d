"""A contradiction as a picture: a lane for each writer, time downwards."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from .acts import Act
from .witnesses import Anomaly, named

#: How many tags are written out before the others are left out.
FEW: Final = 4

_ENDS: Final = {"ok": "ok", "failed": "refused", "unknown": "no answer"}


@dataclass(frozen=True, slots=True)
class _Moment:
    """The begin or the end of an act, in its lane."""

    ticket: float
    act: Act
    text: str


def lanes(anomaly: Anomaly) -> str:
    """The acts of an anomaly as ASCII: two lines for each, and a head line.

    Each writer has a lane; ``|`` stands where its act is under way. Tickets are those of the
    history. Tags that have no part in the contradiction are left out where there are many.
    """
    columns = _columns(anomaly.acts)
    moments = sorted(_moments(anomaly), key=lambda each: each.ticket)
    accused = max(moments, key=lambda each: (each.act.do == "load", each.ticket))
    several = len({each.session for each in anomaly.acts}) > 1
    rows = [["ticket", *(_head(column[0], several) for column in columns), ""]]
    for moment in moments:
        cells = [_cell(moment, column) for column in columns]
        ticket = str(moment.ticket) if isinstance(moment.ticket, int) else "-"
        rows.append([ticket, *cells, f"<-- {anomaly.mark}" if moment is accused else ""])
    return "\n".join(_aligned(rows))


def drawing(anomaly: Anomaly) -> dict[str, Any]:
    """The acts of an anomaly as data (``harness/drawing``): the lanes, and what is in each."""
    columns = _columns(anomaly.acts)
    accused = max(anomaly.acts, key=_told_last)
    return {
        "kind": "lanes",
        "lanes": [
            {
                "worker": column[0].worker,
                "handle": column[0].handle,
                "session": _session(column[0]),
                "acts": [_drawn(act, anomaly.tags, act is accused) for act in column],
            }
            for column in columns
        ],
        "tags": list(anomaly.tags),
        "mark": anomaly.mark,
    }


def _told_last(act: Act) -> tuple[bool, float]:
    """What picks the act that shows a contradiction: a load rather than an append, the last."""
    return act.do == "load", float("inf") if act.ended is None else act.ended


def _drawn(act: Act, tags: Sequence[str], accused: bool) -> dict[str, Any]:
    ended = {} if act.ended is None else {"ended": act.ended}
    said = f"append {_listed(act.sent, tags)}" if act.do == "append" else "load"
    return {
        "do": act.do,
        "says": said,
        "came": _end(act, tags),
        "began": act.began,
        **ended,
        "accused": accused,
    }


def _session(act: Act) -> str:
    return act.session if isinstance(act.session, str) else "/".join(act.session)


def _columns(acts: Sequence[Act]) -> list[list[Act]]:
    """The acts in lanes: a writer has a second one where its acts overlap."""
    columns: list[list[Act]] = []
    for act in acts:
        free = (each for each in columns if each[-1].writer == act.writer and each[-1].before(act))
        column = next(free, None)
        if column is None:
            columns.append([act])
        else:
            column.append(act)
    return columns


def _moments(anomaly: Anomaly) -> Iterator[_Moment]:
    for act in anomaly.acts:
        sent = _listed(act.sent, anomaly.tags)
        yield _Moment(act.began, act, f"append {sent}" if act.do == "append" else "load")
        ended = float("inf") if act.ended is None else act.ended
        yield _Moment(ended, act, _end(act, anomaly.tags))


def _end(act: Act, tags: Sequence[str]) -> str:
    if act.seen is not None:
        return f"saw {_listed(act.seen, tags)}"
    return "no end seen" if act.ended is None else _ENDS[act.outcome]


def _listed(given: Sequence[str], tags: Sequence[str]) -> str:
    """Tags in their order, those without a part in the contradiction as dots."""
    few = len(given) <= FEW
    words = [named(each) if few or each in tags else ".." for each in given]
    told = [
        word
        for index, word in enumerate(words)
        if word != ".." or words[index - 1 : index] != [".."]
    ]
    if told == [".."]:
        return f"{len(given)} others"
    return " ".join(told) or "nothing"


def _head(act: Act, several: bool) -> str:
    more = f", session {named(_session(act))}" if several else ""
    return f"{named(act.worker)}, handle {act.handle}{more}"


def _cell(moment: _Moment, column: Sequence[Act]) -> str:
    if moment.act in column:
        return f"+ {moment.text}"
    under_way = (
        each.began < moment.ticket and (each.ended is None or moment.ticket < each.ended)
        for each in column
    )
    return "|" if any(under_way) else ""


def _aligned(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for first, *cells in rows:
        padded = (cell.ljust(width) for cell, width in zip(cells, widths[1:], strict=True))
        yield f"{first.rjust(widths[0])}  {'   '.join(padded)}".rstrip()
