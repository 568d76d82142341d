"""The recordings that a store is held to, as vectors of the laws that are about them."""

from collections.abc import Iterable, Iterator
from pathlib import Path

from storelaw.errors import Misconfigured
from storelaw.program import program
from storelaw.recordings import FIXTURE, LAWS, Recording, appended, read, read_back, restored
from storelaw.vectors import Vector


def read_all(folder: Path, profile: str) -> tuple[Recording, ...]:
    """The recording in a folder, or those in its folders, by name; all are of one profile.

    Raises :class:`~storelaw.errors.Misconfigured`, also where there is none.
    """
    homes = [folder] if (folder / FIXTURE).is_file() else sorted(folder.glob(f"*/{FIXTURE}"))
    found = tuple(read(each if each.is_dir() else each.parent) for each in homes)
    if not found:
        raise Misconfigured(
            f"configuration: there is no recording in {folder}; "
            f"make one by: storelaw record TARGET {folder}/VERSION"
        )
    for each in found:
        if each.profile != profile:
            raise Misconfigured(
                f"configuration: {each.folder} was recorded from a store of the profile "
                f"{each.profile}, and this one is of the profile {profile}"
            )
    return found


def vectors(recordings: Iterable[Recording]) -> Iterator[Vector]:
    """The programs by which the laws hold a store to recordings."""
    for each in recordings:
        name = "backend" if each.profile == "turns" else "store"
        reading, appending = LAWS[name]
        first = restored(folder=str(each.folder.absolute()))
        for law, make in ((reading, read_back), (appending, appended)):
            steps = make(list(each.kept.sessions), name)
            yield Vector(law, program(first, *steps), each.folder.name)
