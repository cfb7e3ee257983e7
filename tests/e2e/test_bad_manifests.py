"""Manifests that are refused: each with its code, the place and the field, and nothing is left behind."""

import unittest

from curupira_testing import Program, TempHome, main
from curupira_testing.packages import extension_folder, manifest_text

GOOD = manifest_text("acme")


def without(field: str) -> bytes:
    return "".join(line for line in GOOD.splitlines(True) if not line.startswith(f"{field} =")).encode()


def replaced(field: str, value: str) -> bytes:
    return manifest_text("acme", **{field: value}).encode()


#: What is wrong → the text, the error code, words of the message.
VICES: dict[str, tuple[bytes, str, tuple[str, ...]]] = {
    "empty": (b"", "CUR-1102", ("manifest_version",)),
    "no name": (without("name"), "CUR-1102", ("name",)),
    "no version": (without("version"), "CUR-1102", ("version",)),
    "no kind": (without("kind"), "CUR-1102", ("kind",)),
    "no trigger_types": (without("trigger_types"), "CUR-1102", ("trigger_types",)),
    "no launch": (GOOD.split("[launch]")[0].encode(), "CUR-1102", ("launch",)),
    "no protocol_version": (without("protocol_version"), "CUR-1102", ("protocol_version",)),
    "name is a number": (replaced("name", "7"), "CUR-1102", ("name", "string")),
    "name with a slash": (replaced("name", '"a/b"'), "CUR-1102", ("a/b",)),
    "name that climbs": (replaced("name", '".."'), "CUR-1102", ("..",)),
    "version not semantic": (replaced("version", '"latest"'), "CUR-1102", ("version", "latest")),
    "manifest_version 2": (replaced("manifest_version", "2"), "CUR-1103", ("2",)),
    "protocol_version 3": (replaced("protocol_version", "3"), "CUR-1104", ("3", "2")),
    "kind agent": (replaced("kind", '"agent"'), "CUR-1105", ("agent",)),
    "kind unknown": (replaced("kind", '"wizard"'), "CUR-1102", ("kind", "wizard")),
    "runtime unknown": (replaced("runtime", '"ruby"'), "CUR-1102", ("runtime", "ruby")),
    "agent_providers": (replaced("agent_providers", '["claude"]'), "CUR-1105", ("agent_providers",)),
    "no trigger": (replaced("trigger_types", "[]"), "CUR-1102", ("trigger_types",)),
    "trigger with a slash": (replaced("trigger_types", '["a/b"]'), "CUR-1102", ("a/b",)),
    "trigger twice": (replaced("trigger_types", '["a", "a"]'), "CUR-1102", ("a",)),
    "launch type unknown": (manifest_text("acme", launch='type = "docker"').encode(), "CUR-1102", ("docker",)),
    "field twice": (GOOD.replace("kind =", 'name = "b"\nkind =').encode(), "CUR-1101", ("name",)),
    "not TOML": (b"{}: no\n", "CUR-1101", (":1:",)),
    "NUL": (GOOD.replace("acme", "ac\0me").encode(), "CUR-1101", ()),
    "not UTF-8": (GOOD.encode().replace(b"acme", b"ac\xffme"), "CUR-1101", ()),
    "10 MB": (GOOD.encode() + b"# " + b"x" * (10 << 20), "CUR-1106", ()),
    "nested 10,000 deep": (GOOD.encode() + b"x = " + b"[" * 10_000 + b"]" * 10_000, "CUR-1106", ()),
    "tables 10,000 deep": (GOOD.encode() + b"[" + b"a." * 10_000 + b"a]\n", "CUR-1106", ()),
}


class BadManifests(unittest.TestCase):
    def test_refused_with_code_and_place(self):
        for vice, (text, error, words) in VICES.items():
            with self.subTest(vice), TempHome() as home:
                folder = extension_folder(home.work, "acme")
                (folder / "curupira-extension.toml").write_bytes(text)
                result = Program(home)("plugins", "install", f"path:{folder}", "--yes", timeout=20)
                result.expect_error(error, "curupira-extension.toml", *words, code=2)
                self.assertEqual(home.state(), {})

    def test_a_field_is_named_with_line_and_column(self):
        with TempHome() as home:
            folder = extension_folder(home.work, "acme")
            text = GOOD.replace('kind = "trigger"', 'kind = 3')
            (folder / "curupira-extension.toml").write_text(text)
            line = text.splitlines().index("kind = 3") + 1
            result = Program(home)("plugins", "install", f"path:{folder}", "--yes")
            result.expect_error("CUR-1102", f"curupira-extension.toml:{line}:8", "kind", code=2)

    def test_an_unknown_key_is_a_warning(self):
        with TempHome() as home:
            folder = extension_folder(home.work, "acme", future_key='"x"')
            result = Program(home)("plugins", "install", f"path:{folder}", "--yes").expect(0)
            self.assertIn("warning", result.stderr)
            self.assertIn("future_key", result.stderr)


if __name__ == "__main__":
    main()
