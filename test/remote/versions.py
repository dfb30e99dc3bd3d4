# SPDX-License-Identifier: MIT
"""A host whose first message has another version of the protocol: versions.py MODEL."""

import json
import socket
import subprocess
import sys
import threading

import devices

# OpenRequest of a new host: version is field 1, and nothing follows.
SENT, OTHER = b"\0\0\0\0\2\x08\4", b"\0\0\0\0\2\x08\3"


def carry(source, to):
    while data := source.recv(1 << 16):
        to.sendall(data.replace(SENT, OTHER))
    to.shutdown(socket.SHUT_WR)


def accept(listener, place):
    while True:
        near, far = listener.accept()[0], socket.create_connection(place)
        for source, to in ((near, far), (far, near)):
            threading.Thread(target=carry, args=(source, to), daemon=True).start()


with devices.serve("cpu", 1) as (device,):
    host, port = device.place.split(":")
    listener = socket.create_server(("127.0.0.1", 0))
    threading.Thread(target=accept, args=(listener, (host, int(port))), daemon=True).start()
    described = device.described() | {"address": "grpc:127.0.0.1:%d" % listener.getsockname()[1]}
    with open("far.json", "w", encoding="utf-8") as file:
        json.dump({"devices": [described]}, file)
    run = subprocess.run(["glow", "run", sys.argv[1], "--random", "--devices", "far.json"],
                         capture_output=True, text=True, check=False)
    assert run.returncode == 1, run
    print(run.stderr)
