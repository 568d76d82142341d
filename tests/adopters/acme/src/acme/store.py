"""The store."""

import json
from pathlib import Path
from typing import Any

Entry = dict[str, Any]


class Store:
    """Keeps each session in a file of its own, an entry on each line."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)

    def append(self, session: str, entries: list[Entry]) -> None:
        """Put entries at the end of a session, which begins with the first of them."""
        lines = [json.dumps(each, allow_nan=False) + "\n" for each in entries]
        if lines:
            with self._file(session).open("a", encoding="ascii") as file:
                file.write("".join(lines))

    def load(self, session: str) -> list[Entry]:
        """The entries of a session, oldest first."""
        file = self._file(session)
        if not file.exists():
            return []
        return [json.loads(line) for line in file.read_text(encoding="ascii").splitlines()]

    def list_sessions(self) -> list[str]:
        """The sessions, those among them that were deleted."""
        names = ("".join(each.relative_to(self.folder).parts) for each in self.folder.rglob("*-"))
        return [bytes.fromhex(each[:-1]).decode("utf-8", "surrogatepass") for each in names]

    def delete(self, session: str) -> None:
        """Forget the entries of a session."""
        file = self._file(session)
        if file.exists():
            file.write_text("", encoding="ascii")

    def _file(self, session: str) -> Path:
        """The file of a session: its name in hexadecimal digits, in parts that fit a folder."""
        name = session.encode("utf-8", "surrogatepass").hex() + "-"
        file = self.folder.joinpath(*(name[at : at + 200] for at in range(0, len(name), 200)))
        file.parent.mkdir(parents=True, exist_ok=True)
        return file
