# SPDX-License-Identifier: MIT
"""Ends devices under load by SIGKILL and starts them again: kills.py LOAD MODEL COUNT.

LOAD is the program of Inputs/load.c. Prints what became of requests without kills and
with COUNT of them; no request may be lost or wrong. A request whose runs lose two devices is
taken for their cause and fails, so that each kill waits for the requests of the one before.
"""

import json
import random
import signal
import subprocess
import sys
import tempfile
import time

import devices

load, model, count = sys.argv[1], sys.argv[2], int(sys.argv[3])


def measure(file, meanwhile):
    with subprocess.Popen([load, model, file], stdin=subprocess.PIPE,
                          stdout=subprocess.PIPE, text=True) as process:
        if process.stdout.readline() != "ready\n":
            sys.exit("the load does not start")
        meanwhile(process)
        process.stdin.close()
        result = json.loads(process.stdout.readline())
        if process.wait() != 0 or result["right"] != result["sent"]:
            sys.exit(f"not all right: {result}")
    return result


def await_answers(process):
    process.stdin.write("\n")
    process.stdin.flush()
    if process.stdout.readline() != "answered\n":
        sys.exit("the load ended")


def kill_often(served, process):
    chance = random.Random(1)
    for _ in range(count):
        device = chance.choice(served)
        time.sleep(chance.uniform(0, 0.05))
        if device.end(signal.SIGKILL) != -signal.SIGKILL:
            sys.exit(f"{device.name} had ended before")
        time.sleep(chance.uniform(0, 0.05))
        device.start()
        await_answers(process)


with devices.serve("cpu", 2) as served, tempfile.NamedTemporaryFile("w") as out:
    json.dump({"devices": [device.described() for device in served]}, out)
    out.flush()
    begin = time.monotonic()
    killed = measure(out.name, lambda process: kill_often(served, process))
    calm = measure(out.name, lambda _: time.sleep(time.monotonic() - begin))
print("without kills:", json.dumps(calm))
print(f"with {count}:", json.dumps(killed))
print("nothing lost" if killed["sent"] > count else "too little was sent")
