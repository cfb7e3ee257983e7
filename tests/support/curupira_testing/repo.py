"""Git repositories of the tests."""

import subprocess
from pathlib import Path


def bare_repository(folder: Path, name: str = "acme/api") -> Path:
    """A bare repository `<folder>/<name>.git` with one commit on `main`; its forge identity is `name`."""
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
    tree = git("mktree", stdin="")
    git("update-ref", "refs/heads/main", git("commit-tree", tree, "-m", "First"))
    return bare
