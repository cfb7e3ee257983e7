"""Git repositories of the tests."""

import subprocess
from pathlib import Path

from .home import TempHome


def bare_repository(folder: Path, name: str = "acme/api", files: dict[str, str] = {}) -> Path:
    """A bare repository `<folder>/<name>.git` with one commit on `main`, of `files` by name; its forge identity is
    `name`."""
    bare = folder / f"{name}.git"
    bare.mkdir(parents=True)
    settings = {
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_CONFIG_GLOBAL": "/dev/null",
        "GIT_AUTHOR_NAME": "Tester",
        "GIT_AUTHOR_EMAIL": "tester@example.org",
        "GIT_AUTHOR_DATE": "2024-01-01T00:00:00Z",
        "GIT_COMMITTER_NAME": "Tester",
        "GIT_COMMITTER_EMAIL": "tester@example.org",
        "GIT_COMMITTER_DATE": "2024-01-01T00:00:00Z",
        "PATH": "/usr/local/bin:/usr/bin:/bin",
    }

    def git(*arguments: str, stdin: str = "") -> str:
        command = ["git", f"--git-dir={bare}", *arguments]
        done = subprocess.run(command, env=settings, input=stdin, capture_output=True, text=True, check=True)
        return done.stdout.strip()

    git("init", "--quiet", "--bare", "--initial-branch=main")
    blobs = (f"100644 blob {git('hash-object', '-w', '--stdin', stdin=text)}\t{file}\n" for file, text in files.items())
    tree = git("mktree", stdin="".join(blobs))
    git("update-ref", "refs/heads/main", git("commit-tree", tree, "-m", "First"))
    return bare


def serve_by_ssh(home: TempHome, folder: Path) -> None:
    """The repositories of `folder` are at git@<any host>:<name>.git, for commands in `home`: what stands for ssh starts
    git's own server here. Commits have an author."""
    ssh = home.tools / "ssh"
    ssh.write_text(f'#!/bin/sh\nfor command; do :; done\ncd "{folder}" && exec sh -c "$command"\n')
    ssh.chmod(0o755)
    home.environment["GIT_CONFIG_NOSYSTEM"] = "1"
    for role in ("AUTHOR", "COMMITTER"):
        home.environment.update({f"GIT_{role}_NAME": "Tester", f"GIT_{role}_EMAIL": "tester@example.org"})
