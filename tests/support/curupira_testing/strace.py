"""Which programs a command executes and which sockets it opens, as the kernel sees them."""

import re
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

from . import skip
from .program import Program, Result


@dataclass
class Trace:
    result: Result
    executed: list[str] = field(default_factory=list)  #: paths of successful execve calls, the program's own first
    sockets: list[str] = field(default_factory=list)  #: domains of socket calls: "AF_UNIX", "AF_INET"
    threads: int = 0  #: threads and processes that were seen


def trace(program: Program, *arguments: str | Path, **options) -> Trace:
    """Runs the program under `strace -f`; everything that its children do is seen as well."""
    strace = skip.need_program("strace")
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder) / "strace"
        prefix = (str(strace), "-f", "-qq", "-s", "4096", "-e", "trace=execve,execveat,socket", "-o", str(log))
        result = program(*arguments, prefix=prefix, **options)
        lines = log.read_text(errors="replace").splitlines()
    if not lines:
        raise AssertionError(f"strace saw nothing\n{result}")
    found = Trace(result, threads=len({line.split()[0] for line in lines}))
    unfinished: dict[str, str] = {}  # thread → its call that another thread's line interrupted
    for line in lines:
        thread, call = line.split(maxsplit=1)
        if call.endswith("<unfinished ...>"):
            unfinished[thread] = call
            continue
        if "resumed>" in call:
            call = unfinished.pop(thread, "") + call
        if re.search(r"= -1 E", call):
            continue
        if match := re.match(r'execve(?:at)?\((?:AT_FDCWD, )?"([^"]*)"', call):
            found.executed.append(match.group(1))
        elif match := re.match(r"socket\((\w+)", call):
            found.sockets.append(match.group(1))
    return found
