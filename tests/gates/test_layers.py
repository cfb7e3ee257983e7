"""Every #include against the table of modules (ARCHITECTURE.md), and every library in its one place."""

import re
import tempfile
import unittest
from pathlib import Path

from curupira_testing import REPOSITORY, main

#: Module → the modules whose headers it may include, beside its own.
MAY_INCLUDE = {
    "base": set(),
    "manifest": {"base"},
    "registry": {"base", "manifest", "tuf"},
    "serve": {"base"},
    "launcher": {"base", "manifest"},
    "installer": {"base", "manifest", "registry", "launcher"},
    "agents": {"base", "manifest"},
    "templates": {"base"},
    "tuf": {"base"},
    "runtime": {"base", "manifest", "launcher", "agents", "templates"},
    "cli": {"base", "manifest", "registry", "serve", "launcher", "installer", "agents", "templates", "runtime"},
}

#: Start of an include → the files that may have it, and how many may. tl::expected is Result<T>, and in every file.
LIBRARIES = {
    r"toml(\+\+|plusplus)?[./]": (r"base/toml\.cpp", 1),
    r"nlohmann/": (r"base/json\.cpp", 1),
    r"curl/": (r"base/http_\w+\.cpp", 4),
    r"openssl/": (r"base/(digest|signature|private_key)\.cpp", 3),
    r"zlib\.h": (r"base/gzip_writer\.cpp", 1),
    r"archive(_entry)?\.h": (r"installer/archive_reader\.cpp", 1),
    r"seccomp\.h": (r"launcher/\w+\.cpp", 1),
    r"CLI/": (r"cli/\w+\.cpp", 99),
    r"tl/expected\.hpp": (r"base/result\.h", 1),
}

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]', re.MULTILINE)


def violations(root: Path) -> list[str]:
    """What breaks the table below `root`, one line each."""
    found = []
    library_files: dict[str, set[str]] = {pattern: set() for pattern in LIBRARIES}
    for module, permitted in MAY_INCLUDE.items():
        for file in sorted((root / module).glob("**/*")):
            if file.suffix not in (".h", ".cpp"):
                continue
            name = str(file.relative_to(root))
            for quote, include in INCLUDE.findall(file.read_text(encoding="utf-8")):
                target = include.split("/")[0]
                if target in MAY_INCLUDE and target != module and target not in permitted:
                    found.append(f"{name} includes {include}: {module} may use {sorted(permitted)}")
                for pattern, (place, _) in LIBRARIES.items():
                    if re.match(pattern, include):
                        library_files[pattern].add(name)
                        if not re.fullmatch(place, name):
                            found.append(f"{name} includes {include}: only {place} may")
                if quote == '"' and target not in MAY_INCLUDE:
                    found.append(f"{name} includes {include}: own headers are written from the root")
    for pattern, (place, most) in LIBRARIES.items():
        if len(library_files[pattern]) > most:
            found.append(f"{pattern} is included by {sorted(library_files[pattern])}: {most} of {place} may")
    return found


class Layers(unittest.TestCase):
    def test_every_include_is_permitted(self):
        self.assertEqual(violations(REPOSITORY), [])

    def test_every_module_folder_is_in_the_table(self):
        modules = re.findall(r"curupira_module\(NAME (\w+)", (REPOSITORY / "CMakeLists.txt").read_text())
        self.assertEqual(sorted(modules), sorted(MAY_INCLUDE))

    def test_the_links_are_the_table(self):
        text = (REPOSITORY / "CMakeLists.txt").read_text()
        for name, dependencies in re.findall(r"curupira_module\(NAME (\w+)(?: DEPS ([a-z ]+))?", text):
            self.assertEqual(set(dependencies.split()), MAY_INCLUDE[name], f"DEPS of {name}")


class TheGateItself(unittest.TestCase):
    def violation_of(self, file: str, text: str) -> list[str]:
        with tempfile.TemporaryDirectory() as folder:
            (Path(folder) / file).parent.mkdir(parents=True)
            (Path(folder) / file).write_text(text)
            return violations(Path(folder))

    def test_refuses_a_module_above(self):
        self.assertEqual(len(self.violation_of("runtime/x.cpp", '#include "installer/store.h"\n')), 1)

    def test_refuses_a_library_elsewhere(self):
        self.assertEqual(len(self.violation_of("installer/x.cpp", "#  include <nlohmann/json.hpp>\n")), 1)

    def test_refuses_a_library_in_a_header(self):
        self.assertEqual(len(self.violation_of("base/toml.h", "#include <toml++/toml.h>\n")), 1)

    def test_refuses_a_relative_include(self):
        self.assertEqual(len(self.violation_of("base/x.cpp", '#include "../base/json.h"\n')), 1)

    def test_accepts_what_the_table_permits(self):
        self.assertEqual(self.violation_of("installer/x.cpp", '#include <map>\n#include "registry/source.h"\n'), [])


if __name__ == "__main__":
    main()
