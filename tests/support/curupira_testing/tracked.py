"""The files of the project: what Git knows or would add."""

import subprocess
from pathlib import Path

from .paths import REPOSITORY

#: Not written here, or made to be broken.
_LEFT_OUT = ("fuzz/corpus/",)


def project_files() -> list[Path]:
    """Every file that is committed or would be, as absolute paths; also in a copy without Git's folder."""
    git = ["git", "-c", f"safe.directory={REPOSITORY}", "-C", str(REPOSITORY), "ls-files", "-z", "--cached"]
    listed = subprocess.run([*git, "--others", "--exclude-standard"], capture_output=True, text=True)
    if listed.returncode == 0:
        names = listed.stdout.split("\0")
    else:
        every = (file.relative_to(REPOSITORY) for file in REPOSITORY.rglob("*"))
        names = [str(file) for file in every if file.parts[0] not in ("build", ".git", ".cache")]
    files = (REPOSITORY / name for name in names if name and not name.startswith(_LEFT_OUT))
    return sorted(file for file in files if file.is_file() and not file.is_symlink())


def source_files(*suffixes: str) -> list[Path]:
    """Those with one of the suffixes, and scripts without a suffix in scripts/ and .ci/."""
    scripts = (REPOSITORY / "scripts", REPOSITORY / ".ci")
    return [each for each in project_files() if each.suffix in suffixes or each.parent in scripts]


def text_files() -> list[tuple[Path, str]]:
    """Files with their text; those that are not UTF-8 are not text."""
    result = []
    for file in project_files():
        try:
            result.append((file, file.read_text(encoding="utf-8")))
        except UnicodeDecodeError:
            continue
    return result
