"""TUF repositories that attack their clients, by name: what each does to a good one, and the error that has to follow.

Every recipe gets a repository from which a client has fetched the target `repository.attacked` once, and whose keys it
knows. It publishes what an attacker could; where it takes a key to do so, the attacker has that key.
"""

import json
from collections.abc import Callable
from dataclasses import dataclass

from .tuf_repository import TufRepository, days, dump, new_signer, sign_document


EVERYTHING = ["*", "*/*"]  #: '*' matches no '/'


@dataclass
class Attack:
    """`apply` makes the repository hostile; `code` and `words` have to be in the error of a download of the target; `roots`:
    the attacker has the keys of the root, and clients follow the new one."""

    apply: Callable[[TufRepository], None]
    code: str
    words: tuple[str, ...] = ()
    roots: bool = False


def update(repository: TufRepository) -> None:
    """An update that is as it should be, with another content of the target."""
    repository.add_target(repository.attacked, b"the next content")
    repository.publish("targets", "snapshot", "timestamp")


def wrong_signature(repository: TufRepository) -> None:
    update(repository)
    repository.change("timestamp", lambda whole: whole["signed"].update(version=7), sign=False)


def signed_by_a_stranger(repository: TufRepository) -> None:
    repository.signers["timestamp"] = [new_signer()]
    update(repository)


def threshold_by_one_key_twice(repository: TufRepository) -> None:
    repository.root.roles["timestamp"].threshold = 2
    repository.publish("root")
    update(repository)
    repository.change("timestamp", lambda whole: whole["signatures"].extend(whole["signatures"]), sign=False)


def expired(repository: TufRepository) -> None:
    repository.timestamp.expires = days(-1)
    update(repository)


def timestamp_rollback(repository: TufRepository) -> None:
    repository.start_again("timestamp")
    repository.publish("timestamp")


def snapshot_rollback(repository: TufRepository) -> None:
    repository.start_again("snapshot")
    repository.publish("snapshot", "timestamp")


def targets_rollback(repository: TufRepository) -> None:
    repository.start_again("targets")
    repository.publish("targets", "snapshot", "timestamp")


def mix_and_match(repository: TufRepository) -> None:
    """A snapshot of today with the targets of yesterday, which were signed as well."""
    update(repository)
    newest = max(repository.files["targets"])
    repository.files["targets"][newest] = repository.files["targets"][newest - 1]


def mix_and_match_of_one_version(repository: TufRepository) -> None:
    """Two snapshots of one version: only the digest tells them apart."""
    repository.with_hashes = True
    update(repository)
    repository.change("snapshot", lambda snapshot: snapshot.update(note="another"))


def freeze(repository: TufRepository) -> None:
    """Nothing new, for ever: the recipe's client comes back after everything has expired."""


def freeze_of_the_root(repository: TufRepository) -> None:
    repository.root.expires = days(-1)
    repository.publish("root")


def endless_timestamp(repository: TufRepository) -> None:
    repository.answers["timestamp.json"] = _endless


def endless_snapshot(repository: TufRepository) -> None:
    repository.with_hashes = True
    update(repository)
    repository.answers[f"{max(repository.files['snapshot'])}.snapshot.json"] = _endless


def announced_to_be_huge(repository: TufRepository) -> None:
    update(repository)
    repository.change("timestamp", lambda timestamp: timestamp["meta"]["snapshot.json"].update(length=10 << 30))


def huge_root(repository: TufRepository) -> None:
    repository.answers["2.root.json"] = b" " * (100 << 20)


def slow(repository: TufRepository) -> None:
    def answer(request) -> None:
        request.send_response(200)
        request.send_header("Content-Length", "1000")
        request.end_headers()
        request.wfile.write(b"{")
        request.wfile.flush()
        request.rfile.read(1)  # until the client goes

    repository.answers["timestamp.json"] = answer


def swapped_target(repository: TufRepository) -> None:
    update(repository)
    repository.contents[repository.attacked] = b"the NEXT content"


def endless_target(repository: TufRepository) -> None:
    update(repository)
    repository.answers[repository.served_as(repository.attacked)] = _endless


def delegation_loop(repository: TufRepository) -> None:
    del repository.targets.targets[repository.attacked]
    for delegator, role in (("targets", "a"), ("a", "b"), ("b", "a"), ("b", "b")):
        repository.delegate(role, delegator, paths=EVERYTHING)
    repository.publish("a", "b", "targets", "snapshot", "timestamp")


def deep_delegation(repository: TufRepository) -> None:
    del repository.targets.targets[repository.attacked]
    names = [f"level-{number}" for number in range(40)]
    for delegator, role in zip(["targets", *names], names):
        repository.delegate(role, delegator, paths=EVERYTHING)
    repository.publish(*names, "targets", "snapshot", "timestamp")


def wide_delegation(repository: TufRepository) -> None:
    del repository.targets.targets[repository.attacked]
    names = [f"role-{number}" for number in range(100)]
    for role in names:
        repository.delegate(role, paths=EVERYTHING)
    repository.publish(*names, "targets", "snapshot", "timestamp")


def wrong_key_id(repository: TufRepository) -> None:
    signer = repository.signers["timestamp"][0]

    def rename(root: dict) -> None:
        key = root["keys"].pop(signer.public_key.keyid)
        root["keys"]["ab" * 32] = key
        root["roles"]["timestamp"]["keyids"] = ["ab" * 32]

    repository.publish("root")
    repository.change("root", rename)


def unknown_specification(repository: TufRepository) -> None:
    update(repository)
    repository.change("timestamp", lambda timestamp: timestamp.update(spec_version="2.0.0"))


def duplicate_members(repository: TufRepository) -> None:
    """One reader would take the first version, another the second; the signature is of the second."""
    update(repository)
    number = max(repository.files["timestamp"])
    file = repository.files["timestamp"][number]
    repository.files["timestamp"][number] = file.replace(b'"_type"', b'"version": 99,\n"_type"')


def number_as_fraction(repository: TufRepository) -> None:
    update(repository)
    number = max(repository.files["timestamp"])
    signed = json.loads(repository.files["timestamp"][number])["signed"]
    file = sign_document(signed, repository.signers["timestamp"])
    repository.files["timestamp"][number] = file.replace(b'"version": %d}' % number, b'"version": %d.0}' % number)
    assert repository.files["timestamp"][number] != file


def deep_json(repository: TufRepository) -> None:
    update(repository)
    repository.files["timestamp"][max(repository.files["timestamp"])] = b"[" * 8000 + b"]" * 8000


def root_that_skips_a_version(repository: TufRepository) -> None:
    repository.publish("root", version=3)


def root_that_repeats_its_version(repository: TufRepository) -> None:
    repository.publish("root", version=1)


def revoked_key(repository: TufRepository) -> None:
    """The key with which everything was signed is revoked; its thief goes on signing with it."""
    stolen = list(repository.signers["targets"])
    repository.rotate_key("targets")
    repository.publish("root")
    repository.signers["targets"] = stolen
    update(repository)




def other_type(repository: TufRepository) -> None:
    update(repository)
    repository.files["timestamp"][max(repository.files["timestamp"])] = sign_document(
        json.loads(repository.latest("snapshot"))["signed"], repository.signers["timestamp"]
    )


def missing_targets(repository: TufRepository) -> None:
    update(repository)
    del repository.files["targets"][max(repository.files["targets"])]


def not_json(repository: TufRepository) -> None:
    repository.answers["timestamp.json"] = b"<html>Welcome to this hotel</html>"


def role_in_the_place_of_the_root(repository: TufRepository) -> None:
    repository.delegate("other")
    repository.publish("other", "targets", "snapshot", "timestamp")
    repository.change("targets", lambda targets: targets["delegations"]["roles"][0].update(name="root"))


def unsigned(repository: TufRepository) -> None:
    update(repository)
    number = max(repository.files["timestamp"])
    document = json.loads(repository.files["timestamp"][number])
    repository.files["timestamp"][number] = dump({**document, "signatures": []})


def _endless(request) -> None:
    request.send_response(200)
    request.send_header("Content-Length", str(10 << 30))
    request.end_headers()
    while True:  # until the client goes away, as it should
        request.wfile.write(b" " * 65536)


ATTACKS: dict[str, Attack] = {
    "wrong-signature": Attack(wrong_signature, "CUR-4607", ("timestamp.json", "did not make the signature")),
    "signed-by-a-stranger": Attack(signed_by_a_stranger, "CUR-4608", ("0 of 1 needed signatures",)),
    "unsigned": Attack(unsigned, "CUR-4608", ("has not signed",)),
    "threshold-by-one-key-twice": Attack(threshold_by_one_key_twice, "CUR-4606", ("two signatures",), roots=True),
    "expired": Attack(expired, "CUR-4610", ("timestamp.json",)),
    "timestamp-rollback": Attack(timestamp_rollback, "CUR-4612", ("timestamp.json",)),
    "snapshot-rollback": Attack(snapshot_rollback, "CUR-4612", ("snapshot.json",)),
    "targets-rollback": Attack(targets_rollback, "CUR-4612", ("targets.json",)),
    "mix-and-match": Attack(mix_and_match, "CUR-4614", ("targets.json", "announced is version 3, found is version 2")),
    "mix-and-match-of-one-version": Attack(mix_and_match_of_one_version, "CUR-4614", ("snapshot.json", "announced")),
    "freeze": Attack(freeze, "CUR-4610", ("root.json",)),
    "freeze-of-the-root": Attack(freeze_of_the_root, "CUR-4610", ("root.json version 2",), roots=True),
    "endless-timestamp": Attack(endless_timestamp, "CUR-4616", ("timestamp.json is larger than 16,000 bytes",)),
    "endless-snapshot": Attack(endless_snapshot, "CUR-4616", ("snapshot.json",)),
    "announced-to-be-huge": Attack(announced_to_be_huge, "CUR-4616", ("snapshot.json", "allowed are 8.0 MB")),
    "huge-root": Attack(huge_root, "CUR-4616", ("2.root.json is larger than 512 kB",)),
    "slow": Attack(slow, "CUR-2005"),
    "swapped-target": Attack(swapped_target, "CUR-4621", ("promised sha256",)),
    "endless-target": Attack(endless_target, "CUR-4621"),
    "delegation-loop": Attack(delegation_loop, "CUR-4619"),
    "deep-delegation": Attack(deep_delegation, "CUR-4618", ("more than 16 roles below each other",)),
    "wide-delegation": Attack(wide_delegation, "CUR-4618", ("more than 64 roles",)),
    "wrong-key-id": Attack(wrong_key_id, "CUR-4605", ("abababab",)),
    "unknown-specification": Attack(unknown_specification, "CUR-4603", ('"2.0.0"',)),
    "duplicate-members": Attack(duplicate_members, "CUR-4601", ('"version" appears twice',)),
    "number-as-fraction": Attack(number_as_fraction, "CUR-4601", ("not written as a whole one",)),
    "deep-json": Attack(deep_json, "CUR-4601", ("deeper than 64 levels",)),
    "not-json": Attack(not_json, "CUR-4601"),
    "root-that-skips-a-version": Attack(root_that_skips_a_version, "CUR-4609", ("2.root.json has the version 3",)),
    "root-that-repeats-its-version": Attack(root_that_repeats_its_version, "CUR-4609", ("has the version 1",)),
    "revoked-key": Attack(revoked_key, "CUR-4608", ("targets.json",), roots=True),
    "other-type": Attack(other_type, "CUR-4604", ('"timestamp", found "snapshot"',)),
    "missing-targets": Attack(missing_targets, "CUR-4615", ("3.targets.json",)),
    "role-in-the-place-of-the-root": Attack(role_in_the_place_of_the_root, "CUR-4602", ('"root"',)),
}
