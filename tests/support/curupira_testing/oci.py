"""Bundles taken apart and put together again: as they should be, and as they should not."""

import hashlib
import json
import tarfile
from pathlib import Path

from .hostile import END_OF_TAR, tar_entry

MANIFEST_TYPE = "application/vnd.oci.image.manifest.v1+json"


def oci_digest(data: bytes) -> str:
    return "sha256:" + hashlib.sha256(data).hexdigest()


def blob_name(data: bytes) -> str:
    return f"blobs/sha256/{hashlib.sha256(data).hexdigest()}"


def read_tar(file: Path) -> dict[str, bytes]:
    """The files of a tar by name, in their order."""
    with tarfile.open(file) as archive:
        return {each.name: archive.extractfile(each).read() for each in archive if each.isfile()}


def write_tar(file: Path, entries: dict[str, bytes], extra: bytes = b"") -> Path:
    """`extra`: entries as they are written byte by byte, behind the others."""
    packed = b"".join(tar_entry(name.encode(), data) for name, data in entries.items())
    file.write_bytes(packed + extra + END_OF_TAR)
    return file


class BundleParts:
    """What a bundle is made of. Whatever is changed here is forged well by `write`: all digests and sizes that lead to it
    are made anew, so that the bundle is in one piece, and is not the one that it was."""

    def __init__(self, file: Path) -> None:
        self.entries = read_tar(file)  #: as they are in the file
        self.index: dict = json.loads(self.entries["index.json"])
        self.manifest: dict = self._json(self.index["manifests"][0])
        self.config: dict = self._json(self.manifest["config"])

    def layer(self, kind: str, name: str = "") -> bytes:
        """The bytes of the only thing of this kind ("lock", "artifact", …), or of the one of this name."""
        return self.entries[_blob_of(self._item(kind, name))]

    def replace(self, kind: str, data: bytes, name: str = "") -> None:
        """Another content, named after what it is."""
        item = self._item(kind, name)
        (layer,) = [each for each in self.manifest["layers"] if each["digest"] == item["blob"]]
        del self.entries[_blob_of(item)]
        layer["digest"] = item["blob"] = oci_digest(data)
        layer["size"] = item["size"] = len(data)
        self.entries[blob_name(data)] = data

    def add(self, kind: str, key: str, name: str, data: bytes, media_type: str) -> None:
        self.entries[blob_name(data)] = data
        blob = {"digest": oci_digest(data), "size": len(data)}
        self.manifest["layers"].append({"mediaType": media_type, **blob})
        item = {"kind": kind, "key": key, "name": name, "blob": blob["digest"], "size": blob["size"]}
        order = ["lock", "artifact", "proof", "tree", "metadata", "target"]
        items = [*self.config["items"], item]
        self.config["items"] = sorted(items, key=lambda each: (order.index(each["kind"]), each["key"]))

    def remove(self, kind: str, name: str = "") -> None:
        """As if it had never been there."""
        item = self._item(kind, name)
        self.config["items"].remove(item)
        self.manifest["layers"] = [each for each in self.manifest["layers"] if each["digest"] != item["blob"]]
        del self.entries[_blob_of(item)]

    def write(self, file: Path) -> Path:
        del self.entries[_blob_of(self.manifest["config"])]
        del self.entries[_blob_of(self.index["manifests"][0])]
        self.manifest["config"] |= self._put(self.config)
        self.index["manifests"][0] |= self._put(self.manifest)
        self.entries["index.json"] = json.dumps(self.index).encode()
        return write_tar(file, self.entries)

    def _item(self, kind: str, name: str) -> dict:
        (item,) = [each for each in self.config["items"] if each["kind"] == kind and name in ("", each["name"])]
        return item

    def _json(self, descriptor: dict) -> dict:
        return json.loads(self.entries[_blob_of(descriptor)])

    def _put(self, document: dict) -> dict:
        data = json.dumps(document).encode()
        self.entries[blob_name(data)] = data
        return {"digest": oci_digest(data), "size": len(data)}


def _blob_of(named: dict) -> str:
    return "blobs/sha256/" + (named.get("blob") or named["digest"]).removeprefix("sha256:")
