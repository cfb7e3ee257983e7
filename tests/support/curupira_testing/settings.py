"""Settings files of the tests."""

import json
from pathlib import Path


def settings_text(
    remote: Path | str,
    plugins: dict[str, str],
    automations: dict[str, dict[str, object]],
    extra: str = "",
) -> str:
    """A settings file that the existing host accepts as well. `plugins` are tables as TOML text by alias;
    `automations` have `trigger_type`, and what else they need; repository and prompt have defaults."""
    text = f"""[repositories.api]
remote = {json.dumps(str(remote))}

[agents.defaults]
profile = "oc"

[agents.profiles.oc]
provider = "opencode"

{extra}
"""
    for alias, table in plugins.items():
        text += f"[plugins.{alias}]\n{table}\n\n"
    for name, table in automations.items():
        table = {"repository": "api", "prompt": "Do ${title} in ${repository} by ${automation}", **table}
        lines = (f"{key} = {json.dumps(value, ensure_ascii=False)}" for key, value in table.items())
        text += f"[automations.{name}]\n" + "\n".join(lines) + "\n\n"
    return text


def settings_of_nothing(head: str = "") -> str:
    """A settings file that begins with `head`, whose plugin is nothing that this program would install."""
    plugin = npx("acme") + '\nfallback = "package-manager"'
    return f"{head}\n" + settings_text("remote.git", {"acme": plugin}, {"one": {"trigger_type": "acme/greetings"}})


def installed(name: str) -> str:
    """The table of an extension that is installed."""
    return f'type = "installed"\nname = "{name}"'


def npx(*arguments: str) -> str:
    return f'type = "npx"\nargs = {json.dumps(list(arguments))}'


def uvx(*arguments: str) -> str:
    return f'type = "uvx"\nargs = {json.dumps(list(arguments))}'
