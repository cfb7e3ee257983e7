"""Homes that use registries: what stands in their settings, and what they have installed and locked."""

import json
import tomllib

from .home import TempHome
from .own_registry import OwnRegistry


def registry_table(name: str, url: object, root: str, **more: object) -> str:
    fields = {"url": str(url), "root_fingerprint": root, **more}
    return f"[registries.{name}]\n" + "".join(f"{key} = {json.dumps(value)}\n" for key, value in fields.items()) + "\n"


def use_registries(home: TempHome, *, extra: str = "", **registries: OwnRegistry) -> None:
    """Settings with these registries, each by its folder and with its fingerprint; `extra` is TOML text."""
    tables = (registry_table(name, each.folder, each.fingerprint) for name, each in registries.items())
    home.write_settings("".join(tables) + extra)


def lock_of(home: TempHome) -> dict:
    return tomllib.loads((home.curupira / "curupira.lock").read_text())


def locked(home: TempHome, name: str) -> dict:
    """The lock entry of an extension."""
    return next(each for each in lock_of(home)["extension"] if each["name"] == name)


def receipt(home: TempHome, name: str) -> dict:
    return json.loads((home.extensions / name / "receipt.json").read_text())
