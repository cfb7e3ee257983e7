"""A correct extension, or one with the vice that `--vice NAME` names, from the call of `--at METHOD` on.

The items that it finds stand in the automation's own key `items`: a list of lists of [key, value].
"""

import argparse
import json
import os
import signal
import subprocess
import sys
import time

parser = argparse.ArgumentParser()
parser.add_argument("--vice", default="none")
parser.add_argument("--at", default="describe")
parser.add_argument("--log", help="one JSON line a request, and one at the start")
parser.add_argument("--pids", help="the ids of grandchildren")
options, _ = parser.parse_known_args()
vice = options.vice
stdin, stdout = sys.stdin.buffer, sys.stdout.buffer


def log(entry):
    if options.log:
        with open(options.log, "a", encoding="utf-8") as file:
            file.write(json.dumps(entry) + "\n")


def send_bytes(data):
    stdout.write(data)
    stdout.flush()


def send(message):
    body = message if isinstance(message, bytes) else json.dumps(message, ensure_ascii=False).encode()
    send_bytes(b"%08x" % len(body) + body)


def stay():
    while True:
        time.sleep(1000)


def start_grandchild(**how):
    child = subprocess.Popen(["sleep", "1000"], **how)
    if options.pids:
        with open(options.pids, "a", encoding="utf-8") as file:
            file.write(f"{child.pid}\n")


def bad_answer(request, result):
    """The answers that break the protocol, by the name of the vice; None for the other vices."""
    correct = {"jsonrpc": "2.0", "id": request["id"], "result": result}
    answers = {
        "wrong-id": dict(correct, id=request["id"] + 7),
        "text-id": dict(correct, id=str(request["id"])),
        "wrong-jsonrpc": dict(correct, jsonrpc="1.0"),
        "both-result-and-error": dict(correct, error={"code": 1, "message": "both"}),
        "neither-result-nor-error": {"jsonrpc": "2.0", "id": request["id"]},
        "own-request": {"jsonrpc": "2.0", "id": 1, "method": "host/ask", "params": {}},
        "not-json": b"{\"jsonrpc\": \"2.0\", oops}",
        "null-result": dict(correct, result=None),
        "error-reply": {"jsonrpc": "2.0", "id": request["id"], "error": {"code": -32003, "message": "boom \x1b[31m"}},
        "wants-token": {"jsonrpc": "2.0", "id": request["id"], "error": {"code": -32002, "message": "set ACME_TOKEN"}},
    }
    return answers.get(vice)


def misbehave(request, result):
    """True when the vice has taken the place of the answer."""
    answer = bad_answer(request, result)
    if answer is not None:
        send(answer)
        return True
    if vice == "dies":
        sys.stderr.write("first line\nlast \x1b[31mwords\n")
        sys.stderr.flush()
        os._exit(7)
    if vice == "dies-mid-frame":
        sys.stderr.write("going down\n")
        sys.stderr.flush()
        send_bytes(b"00000078" + b"{\"jsonrpc\":")
        os._exit(7)
    if vice == "dies-while-grandchild-holds-the-pipe":
        start_grandchild()
        send_bytes(b"00000078" + b"{")
        os._exit(7)
    if vice == "closes-stdout":
        os.close(1)
        stay()
    if vice == "huge-frame":
        send_bytes(b"ffffffff")
        stay()
    if vice == "never-answers":
        start_grandchild()
        stay()
    if vice == "pollution-between":
        send_bytes(b"done!\n")
    if vice == "slow":
        time.sleep(0.4)
    if vice == "floods-stderr":
        for _ in range(160):
            sys.stderr.write("noise " * 11000 + "\n")
        sys.stderr.flush()
    if vice == "byte-by-byte":
        body = json.dumps({"jsonrpc": "2.0", "id": request["id"], "result": result}).encode()
        for byte in b"%08X" % len(body) + body:
            send_bytes(bytes([byte]))
        return True
    return False


polls = {}


def poll(params):
    key = json.dumps(params["automation"], sort_keys=True) + params["trigger_type"]
    number = polls.get(key, 0)
    polls[key] = number + 1
    items = params["automation"].get("items", [])
    if number >= len(items):
        return {"values": None}
    if not isinstance(items[number], list):
        return items[number]
    return {"values": [{"key": key, "value": value} for key, value in items[number]]}


def result_of(method, params):
    if method == "initialize":
        return {"protocol_version": 3 if vice == "version-3" else 2, "server_info": {"name": "vice", "version": "1"}}
    if method == "describe":
        return {"triggers": [{"trigger_type": "items", "prompt_fields": ["title"]}, {"trigger_type": "other"}]}
    if method == "trigger/schema":
        return {"schema": {"type": "object"}, "prompt_fields": ["title", "number"]}
    if method == "trigger/validate":
        configuration = params["configuration"]
        if configuration.get("label") == "bad":
            return {"ok": False, "error": "label is bad"}
        return {"ok": True, "configuration": dict(configuration, normalised=True)}
    if method == "trigger/poll":
        return poll(params)
    return {}


if vice == "ignores-sigterm":
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
if vice == "grandchildren":
    start_grandchild()
    start_grandchild(start_new_session=True)
if vice == "pollution":
    send_bytes(b"Listening on port 3000 \x1b[2J\nmore\n")
if vice == "short-pollution":
    send_bytes(b"ok")
if vice == "looks-like-a-length":
    send_bytes(b"deadbeef is a word\n")
log({"pid": os.getpid(), "environment": dict(os.environ)})

while True:
    header = stdin.read(8)
    if len(header) < 8:
        if vice == "ignores-sigterm":
            stay()
        break
    request = json.loads(stdin.read(int(header, 16)))
    log(request)
    result = result_of(request["method"], request.get("params") or {})
    if request["method"] == options.at and misbehave(request, result):
        continue
    send({"jsonrpc": "2.0", "id": request["id"], "result": result})
    if request["method"] == "shutdown" and vice != "ignores-sigterm":
        break
