"""Archives that no honest tool writes: byte by byte, by the name of the attack.

Each recipe gives the bytes of an archive that holds a good extension as well, so that only the attack can be why it is
refused. Tar recipes are tar.gz, zip recipes begin with "zip-".
"""

import gzip
import io
import os
import struct
import zipfile
import zlib
from collections.abc import Callable

from .packages import HELLO, manifest_text, pack_tar, pack_zip

#: Name → (function that makes the bytes, error code that names the rule).
RECIPES: dict[str, tuple[Callable[[], bytes], str]] = {}


def recipe(name: str, code: str) -> Callable[[Callable[[], bytes]], Callable[[], bytes]]:
    def register(make: Callable[[], bytes]) -> Callable[[], bytes]:
        RECIPES[name] = (make, code)
        return make

    return register


def tar_entry(
    name: bytes,
    data: bytes = b"",
    *,
    kind: bytes = b"0",
    link: bytes = b"",
    mode: int = 0o644,
    size: int | None = None,
) -> bytes:
    """One ustar entry. `size` lies about the data when it is given; name and link are put in as they are."""
    size = len(data) if size is None else size
    header = bytearray(512)
    header[0 : len(name)] = name
    header[100:108] = b"%07o\0" % mode
    header[108:116] = header[116:124] = b"%07o\0" % 0
    header[124:136] = b"%011o\0" % size
    header[136:148] = b"%011o\0" % 0
    header[148:156] = b" " * 8
    header[156:157] = kind
    header[157 : 157 + len(link)] = link
    header[257:265] = b"ustar\x0000"
    header[148:156] = b"%06o\0 " % sum(header)
    return bytes(header) + data + b"\0" * (-len(data) % 512)


END_OF_TAR = b"\0" * 1024


def pax(fields: dict[str, str]) -> bytes:
    """An extended header that changes the entry after it."""
    body = b""
    for key, value in fields.items():
        record = f" {key}={value}\n".encode()
        length = len(record) + 1
        while length != len(record) + len(str(length)):
            length = len(record) + len(str(length))
        body += str(length).encode() + record
    return tar_entry(b"PaxHeader", body, kind=b"x")


GOOD_FILES = {"curupira-extension.toml": manifest_text("hostile").encode(), "hello": HELLO.read_bytes()}


def good_entries() -> bytes:
    manifest, program = GOOD_FILES["curupira-extension.toml"], GOOD_FILES["hello"]
    return tar_entry(b"curupira-extension.toml", manifest) + tar_entry(b"hello", program, mode=0o755)


def tar_with(*entries: bytes) -> bytes:
    return gzip.compress(good_entries() + b"".join(entries) + END_OF_TAR, mtime=0)


def good_tar() -> bytes:
    """The good extension alone: shows that the recipes differ from it only by their attack."""
    return tar_with()


# ---- where entries go


@recipe("absolute", "CUR-2203")
def absolute() -> bytes:
    return tar_with(tar_entry(b"/tmp/curupira-hostile-absolute", b"x"))


@recipe("dotdot", "CUR-2203")
def dotdot() -> bytes:
    return tar_with(tar_entry(b"a/../../curupira-hostile-dotdot", b"x"))


@recipe("backslash", "CUR-2203")
def backslash() -> bytes:
    return tar_with(tar_entry(b"..\\curupira-hostile", b"x"))


@recipe("control-character", "CUR-2203")
def control_character() -> bytes:
    return tar_with(tar_entry(b"a\x1b[2Jb", b"x"))


@recipe("symlink-escape", "CUR-2204")
def symlink_escape() -> bytes:
    return tar_with(tar_entry(b"out", kind=b"2", link=b"../../../../tmp"))


@recipe("symlink-absolute", "CUR-2204")
def symlink_absolute() -> bytes:
    return tar_with(tar_entry(b"out", kind=b"2", link=b"/etc/passwd"))


@recipe("through-link", "CUR-2204")
def through_link() -> bytes:
    """A file is written through a link that an earlier entry made."""
    return tar_with(tar_entry(b"out", kind=b"2", link=b"/tmp"), tar_entry(b"out/curupira-hostile", b"x"))


@recipe("hardlink-escape", "CUR-2204")
def hardlink_escape() -> bytes:
    return tar_with(tar_entry(b"shadow", kind=b"1", link=b"/etc/shadow"))


@recipe("hardlink-later", "CUR-2204")
def hardlink_later() -> bytes:
    """The target comes after the link: another reader would see another tree."""
    return tar_with(tar_entry(b"link", kind=b"1", link=b"later"), tar_entry(b"later", b"x"))


# ---- what entries are


@recipe("device", "CUR-2205")
def device() -> bytes:
    return tar_with(tar_entry(b"null", kind=b"3"))


@recipe("fifo", "CUR-2205")
def fifo() -> bytes:
    return tar_with(tar_entry(b"pipe", kind=b"6"))


@recipe("setuid", "CUR-2206")
def setuid() -> bytes:
    return tar_with(tar_entry(b"su", b"x", mode=0o4755))


@recipe("duplicate", "CUR-2207")
def duplicate() -> bytes:
    return tar_with(tar_entry(b"hello", b"another program", mode=0o755))


@recipe("case-fold", "CUR-2207")
def case_fold() -> bytes:
    return tar_with(tar_entry(b"HELLO", b"another program", mode=0o755))


@recipe("file-as-folder", "CUR-2207")
def file_as_folder() -> bytes:
    return tar_with(tar_entry(b"hello/inside", b"x"))


# ---- two readers, two archives


@recipe("pax-size", "CUR-2209")
def pax_size() -> bytes:
    """astral-sh/uv#16387: the extended header hides an entry that a reader of the plain header sees."""
    hidden = tar_entry(b"smuggled", b"x" * 512)
    return tar_with(pax({"size": str(len(hidden))}), tar_entry(b"data", hidden, size=0))


@recipe("zip-central-size", "CUR-2209")
def zip_central_size() -> bytes:
    """The central directory says another size than the local header."""
    data = bytearray(_stored_zip())
    at = data.index(b"PK\x01\x02")
    struct.pack_into("<I", data, at + 24, struct.unpack_from("<I", data, at + 24)[0] + 1)
    return bytes(data)


@recipe("zip-central-name", "CUR-2209")
def zip_central_name() -> bytes:
    """The central directory gives the last entry another name."""
    data = bytearray(_stored_zip())
    at = data.rindex(b"hello", 0, data.index(b"PK\x05\x06"))
    data[at : at + 5] = b"jello"
    return bytes(data)


@recipe("trailing-data", "CUR-2210")
def trailing_data() -> bytes:
    return good_tar() + b"#!/bin/sh\necho hidden\n"


@recipe("trailing-entries", "CUR-2210")
def trailing_entries() -> bytes:
    """Entries after the end mark, inside the compressed stream."""
    return gzip.compress(good_entries() + END_OF_TAR + tar_entry(b"smuggled", b"x") + END_OF_TAR, mtime=0)


@recipe("truncated", "CUR-2202")
def truncated() -> bytes:
    whole = tar_with(tar_entry(b"data", os.urandom(100_000)))
    return whole[: len(whole) // 2]


@recipe("not-an-archive", "CUR-2201")
def not_an_archive() -> bytes:
    return b"<!DOCTYPE html><title>Please sign in</title>\n" * 40


@recipe("empty", "CUR-2201")
def empty() -> bytes:
    return b""


# ---- too much


@recipe("bomb-ratio", "CUR-2208")
def bomb_ratio() -> bytes:
    """A gigabyte of zeros in a megabyte."""
    packer = zlib.compressobj(9, wbits=31)
    out = io.BytesIO()
    size = 1 << 30
    out.write(packer.compress(good_entries() + tar_entry(b"zeros", size=size)))
    block = b"\0" * (1 << 20)
    for _ in range(size // len(block)):
        out.write(packer.compress(block))
    out.write(packer.compress(END_OF_TAR))
    out.write(packer.flush())
    return out.getvalue()


@recipe("bomb-count", "CUR-2208")
def bomb_count() -> bytes:
    """More than two hundred thousand empty files."""
    return tar_with(*(tar_entry(b"f/%d" % number) for number in range(200_100)))


@recipe("bomb-depth", "CUR-2208")
def bomb_depth() -> bytes:
    """A path of five hundred folders."""
    path = "/".join("d" for _ in range(500)) + "/f"
    return tar_with(pax({"path": path}), tar_entry(b"f", b"x"))


@recipe("bomb-announced", "CUR-2208")
def bomb_announced() -> bytes:
    """Eight gigabytes less one are announced in the header; nothing follows."""
    return tar_with(tar_entry(b"huge", size=(8 << 30) - 1))


@recipe("zip-absolute", "CUR-2203")
def zip_absolute() -> bytes:
    return pack_zip({**GOOD_FILES, "/tmp/curupira-hostile-zip": b"x"}, executable=("hello",))


@recipe("zip-dotdot", "CUR-2203")
def zip_dotdot() -> bytes:
    return pack_zip({**GOOD_FILES, "../curupira-hostile-zip": b"x"}, executable=("hello",))


@recipe("zip-symlink", "CUR-2204")
def zip_symlink() -> bytes:
    buffer = io.BytesIO(pack_zip(GOOD_FILES, executable=("hello",)))
    with zipfile.ZipFile(buffer, "a") as archive:
        entry = zipfile.ZipInfo("out", (1980, 1, 1, 0, 0, 0))
        entry.create_system = 3
        entry.external_attr = 0o120777 << 16
        archive.writestr(entry, "/etc/passwd")
    return buffer.getvalue()


@recipe("zip-encrypted", "CUR-2201")
def zip_encrypted() -> bytes:
    """The flag says that the content is encrypted."""
    data = bytearray(_stored_zip())
    for mark, flags in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        at = data.rindex(mark)
        data[at + flags] |= 1
    return bytes(data)


def _stored_zip() -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_STORED) as archive:
        for name, data in GOOD_FILES.items():
            entry = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
            entry.create_system = 3
            entry.external_attr = 0o100755 << 16
            archive.writestr(entry, data)
    return buffer.getvalue()


def archive_name(name: str) -> str:
    return f"{name}.zip" if name.startswith("zip-") else f"{name}.tar.gz"


def good_archives() -> dict[str, bytes]:
    """What the recipes differ from."""
    tar = gzip.compress(pack_tar(GOOD_FILES, executable=("hello",)), mtime=0)
    return {"good.tar.gz": tar, "good-entries.tar.gz": good_tar(), "good.zip": _stored_zip()}
