"""Writes that end early: where to cut what was added to a file, and the copies to show for it."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from storelaw.errors import MediumFault
from storelaw.wreckage import Cut, Tail

#: Up to so many bytes every place is tried; of more, so many places.
MOST: Final = 160

#: How many places are tried with NUL bytes behind the cut, too.
PADDED: Final = 12

#: How many blanks make a blank tail.
BLANKS: Final = 8

#: How many bytes on either side of a cut are kept to be shown.
NEAR: Final = 64

#: The contents of files, by their paths below a medium's directory.
Files = Mapping[str, bytes]


def held(workdir: Path) -> dict[str, bytes]:
    """What lies below a directory."""
    paths = (each for each in sorted(workdir.rglob("*")) if each.is_file())
    return {each.relative_to(workdir).as_posix(): each.read_bytes() for each in paths}


def laid_out(files: Files, workdir: Path) -> None:
    """Put files below a directory."""
    for name, content in files.items():
        path = workdir / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)


def named(paths: Sequence[Path], workdir: Path) -> list[str]:
    """The names of a medium's own files; :class:`MediumFault` for one that lies elsewhere."""
    for each in paths:
        if not each.is_relative_to(workdir):
            raise MediumFault(
                f"medium: files() gave {str(each)!r}, which isn't below the medium's workdir"
            )
    return [each.relative_to(workdir).as_posix() for each in paths]


@dataclass(frozen=True, slots=True)
class Tear:
    """What one write added to one file, and the places at which it may have ended."""

    file: str
    before: bytes | None
    added: bytes

    def places(self) -> list[int]:
        """How many bytes are kept: every number below all, or a sample of them."""
        size = len(self.added)
        if size <= MOST:
            return list(range(1, size))
        return sorted(self._telling() | set(range(1, size, -(-size // (MOST // 2)))))

    def _telling(self) -> set[int]:
        """The begin and the end, the bytes around line ends, and the insides of characters."""
        size, each = len(self.added), self.added
        lines = [at for at in range(size) if each[at] == 0x0A][: MOST // 8]
        wide = [at for at in range(size) if 0x80 <= each[at] < 0xC0][: MOST // 8]
        near = {at + shift for at in lines for shift in (0, 1, 2)} | set(wide)
        edges = {*range(1, MOST // 16), *range(size - MOST // 16, size)}
        return {at for at in near | edges if 0 < at < size}

    def cuts(self) -> Iterator[Cut]:
        """The copies to make, without what is seen there."""
        places = self.places()
        for kept in places:
            yield self._cut(kept, "")
        for kept in (0, *places[:: -(-len(places) // PADDED) or 1]):
            yield self._cut(kept, "nul")
        if self.added.endswith(b"\n"):
            yield self._cut(0, "blank")
        if self.before is None:
            yield self._cut(0, "")

    def _cut(self, kept: int, tail: Tail) -> Cut:
        left = (
            self.added[:kept]
            + {
                "": b"",
                "nul": bytes(len(self.added) - kept),
                "blank": b" " * BLANKS,
            }[tail]
        )
        ended, created = self.added.endswith(b"\n"), self.before is None
        before = self.before or b""
        return Cut(
            self.file,
            kept,
            len(self.added),
            tail,
            created=created,
            ended=ended,
            left=left,
            at=len(before),
            near=before[-NEAR:],
            lost=self.added[kept : kept + NEAR],
        )

    def content(self, cut: Cut) -> bytes:
        """The file as the cut leaves it."""
        return (self.before or b"") + cut.left


def tears(old: Files, new: Files, names: Sequence[str]) -> list[Tear]:
    """What was added to each of the named files; one that was rewritten is left out."""
    found = [Tear(each, old.get(each), new[each]) for each in names if each in new]
    return [
        Tear(each.file, each.before, each.added[len(each.before or b"") :])
        for each in found
        if each.added.startswith(each.before or b"") and len(each.added) > len(each.before or b"")
    ]


def surroundings(old: Files, new: Files, torn: str) -> dict[str, Files]:
    """The other files as they may lie beside a torn one: as the write left them, or found them."""
    beside = {name: each for name, each in new.items() if name != torn}
    earlier = {name: each for name, each in old.items() if name != torn}
    return {"new": beside} if beside == earlier else {"new": beside, "old": earlier}
