"""Lock files with one field changed, as somebody does it by hand."""

import os
import re
import shutil

from .home import TempHome
from .program import Program


class LockText:
    """A lock file in its tables. The kinds of table are "file", "extension" and "artifact"; those of one kind are
    counted from 0."""

    def __init__(self, text: str) -> None:
        self._tables: list[tuple[str, list[str]]] = []
        for block in text.rstrip("\n").split("\n\n"):
            head = re.match(r"\[\[(?:extension\.)?(\w+)\]\]", block)
            self._tables.append((head.group(1) if head else "file", block.split("\n")))

    def fields(self) -> set[tuple[str, str]]:
        """(kind, name) of every field that is there."""
        return {
            (kind, line.split(" = ")[0])
            for kind, lines in self._tables
            for line in lines
            if " = " in line and not line.startswith("#")
        }

    def index(self, kind: str, field: str, value: str) -> int:
        """The first table of the kind whose field has this value (TOML text)."""
        tables = [lines for each, lines in self._tables if each == kind]
        return next(i for i, lines in enumerate(tables) if f"{field} = {value}" in lines)

    def edited(self, kind: str, field: str, value: str | None, index: int = 0) -> str:
        """The file with another value (TOML text); None takes the line away. A field that the table does not have is
        added at its end."""
        counted, texts = -1, []
        for each, lines in self._tables:
            counted += each == kind
            if (each, counted) == (kind, index):
                kept = [line for line in lines if not line.startswith(f"{field} = ")]
                new = [] if value is None else [f"{field} = {value}"]
                place = next((i for i, line in enumerate(lines) if line.startswith(f"{field} = ")), len(lines))
                lines = kept[:place] + new + kept[place:]
                counted += 1  # only this one
            texts.append("\n".join(lines))
        return "\n\n".join(texts) + "\n"

    def without(self, kind: str, index: int) -> str:
        """The file without that table."""
        places = [i for i, (each, _) in enumerate(self._tables) if each == kind]
        kept = [lines for i, (_, lines) in enumerate(self._tables) if i != places[index]]
        return "\n\n".join("\n".join(lines) for lines in kept) + "\n"


class EditedLock:
    """For tests that have `self.home`, `self.curupira` and `self.text`, the lock file that was written."""

    @property
    def lock(self):
        return self.home.curupira / "curupira.lock"

    def state(self) -> dict:
        """What a refused command must leave as it was: not what is known of registries, which is newer afterwards."""
        return {file: content for file, content in self.home.state().items() if not file.startswith("trust/")}

    def fresh_home(self, text: str) -> None:
        """The same home with nothing but the settings and a lock file."""
        settings = self.home.curupira / "settings.toml"
        kept = settings.read_bytes() if settings.exists() else None
        if self.home.curupira.exists():
            for folder, _, _ in os.walk(self.home.curupira):
                os.chmod(folder, 0o700)
            shutil.rmtree(self.home.curupira)
        self.home.curupira.mkdir()
        if kept is not None:
            settings.write_bytes(kept)
        self.lock.write_text(text)

    def refused(self, text: str, error: str, *words: str) -> None:
        """`sync` names the error and says the words; nothing is installed and nothing stays in the store."""
        self.assertNotEqual(text, self.text, "nothing was edited")
        self.fresh_home(text)
        before = self.state()
        result = self.curupira("plugins", "sync", "--frozen")
        self.assertIn(result.code, (1, 2), result)
        for word in (f"error[{error}]", *words):
            self.assertIn(word, result.stderr)
        self.assertEqual(self.state(), before)
        self.assertEqual(self.home.installed(), [])

    def all_refused(self, edits: dict[tuple[str, str], list[tuple]]) -> None:
        """`edits`: for each field of the lock file, by (kind, name), a list of (index, value, error, words…).
        A field that has none is a failure: the format has grown."""
        lock = LockText(self.text)
        self.assertEqual(set(edits), lock.fields())
        for (kind, field), changes in edits.items():
            for index, value, error, *words in changes:
                with self.subTest(f"{kind} {field} = {value}"):
                    self.refused(lock.edited(kind, field, value, index), error, *words)

    def nothing_changes(self, edits: dict[tuple[str, str], list[tuple]]) -> None:
        """The same edits where all is installed already: refused, or nothing to do, and all of it stays as it is."""
        self.fresh_home(self.text)
        self.curupira("plugins", "sync", "--frozen").expect(0)
        lock = LockText(self.text)
        for (kind, field), changes in edits.items():
            for index, value, *_ in changes:
                with self.subTest(f"{kind} {field} = {value}"):
                    self.lock.write_text(lock.edited(kind, field, value, index))
                    before = self.state()
                    self.curupira("plugins", "sync", "--frozen")
                    self.assertEqual(self.state(), before)


class EditedClosure(EditedLock):
    """For classes of tests that have `text`, `extension` (what it locks), `configure(home)` and `edits()`: every field of
    a closure from a registry, each test in a home of its own."""

    def setUp(self):
        self.home = TempHome.of(self)
        self.configure(self.home)
        self.curupira = Program(self.home)
        self.locked = LockText(self.text)

    def artifact(self, package: str) -> int:
        return self.locked.index("artifact", "package", f'"{package}"')

    def test_as_it_is(self):
        self.fresh_home(self.text)
        self.curupira("plugins", "sync", "--frozen").expect(0)
        self.assertEqual(self.home.installed(), [self.extension])
        self.assertEqual(self.lock.read_text(), self.text)

    def test_each_field(self):
        self.all_refused(self.edits())

    def test_where_all_is_installed(self):
        self.nothing_changes(self.edits())
