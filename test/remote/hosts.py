# SPDX-License-Identifier: MIT
"""What hosts leave on a device: hosts.py MODEL."""

import json
import os
import re
import signal
import socket
import subprocess
import sys
import threading
import time

model = sys.argv[1]


def start(*arguments):
    """A device, where it listens, and what it says on standard error until then."""
    process = subprocess.Popen(["glow", "device", "--threads=1", *arguments],
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    line = process.stdout.readline()
    return process, re.fullmatch(r"device of backend '\w+' at grpc:(.*)\n", line)[1]


def write(place, file="one.json"):
    with open(file, "w", encoding="utf-8") as out:
        json.dump({"devices": [{"name": "far", "backend": "cpu", "address": f"grpc:{place}"}]},
                  out)


def end(process):
    process.terminate()
    assert process.wait() == 0, process.stderr.read()


def resident(process):
    with open(f"/proc/{process.pid}/status", encoding="utf-8") as status:
        return int(re.search(r"VmRSS:\s+(\d+)", status.read())[1])


def descriptors(process):
    return len(os.listdir(f"/proc/{process.pid}/fd"))


def bench(*arguments):
    return ["glow", "bench", model, "--devices", "one.json", "--clients=2", *arguments]


# The memory of a device is enough for one host. Each is killed, and the next finds it free at
# once; other hosts that stay have no part in it.
device, place = start("--memory=1M")
write(place)
for _ in range(3):
    with subprocess.Popen(bench("--duration=60", "--report=s"),
                          stdout=subprocess.DEVNULL) as host:
        while not os.path.exists("s"):
            assert host.poll() is None
            time.sleep(0.01)
        top = ["glow", "top", "s", "--json", "--count=1"]
        while True:
            report = json.loads(subprocess.check_output(top))
            if report["models"] and report["models"][0]["answered"]:
                break
        host.send_signal(signal.SIGKILL)
    os.remove("s")
    subprocess.run(bench("--duration=0.1"), check=True, stdout=subprocess.DEVNULL)
end(device)

# One host may take less.
device, place = start("--host-memory=1k")
write(place)
run = subprocess.run(bench("--duration=0.1"), capture_output=True, text=True, check=False)
assert run.returncode == 1 and "needs" in run.stderr and "1024 free" in run.stderr, run
end(device)

# Connections that are opened and closed leave nothing, and there is a limit of the others.
device, place = start()
write(place)
host, port = place.split(":")
before, held = resident(device), descriptors(device)
for _ in range(3000):
    socket.create_connection((host, int(port))).close()
subprocess.run(bench("--duration=0.1"), check=True, stdout=subprocess.DEVNULL)
assert descriptors(device) < held + 40, (held, descriptors(device))
assert resident(device) < before + 40000, (before, resident(device))
preface = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\4\0\0\0\0\0"
many = []
for _ in range(600):
    many.append(socket.create_connection((host, int(port))))
    many[-1].sendall(preface)
deadline = time.time() + 20
while descriptors(device) > held + 300 and time.time() < deadline:
    time.sleep(0.05)
assert descriptors(device) <= held + 300, (held, descriptors(device))
for one in many:
    one.close()
# They are gone soon, and hosts come again.
while subprocess.run(bench("--duration=0.1"), capture_output=True, check=False).returncode:
    assert time.time() < deadline + 40
end(device)


class Proxy:
    """Carries bytes from and to a device, and clears the first NEEDLE among them."""

    def __init__(self, needle):
        self.needle, self.changed = needle, 0
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.place = "127.0.0.1:%d" % self.listener.getsockname()[1]
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            near = self.listener.accept()[0]
            far = socket.create_connection((host, int(port)))
            for source, to in ((near, far), (far, near)):
                threading.Thread(target=self.carry, args=(source, to), daemon=True).start()

    def carry(self, source, to):
        try:
            while data := source.recv(1 << 16):
                at = data.find(self.needle) if self.changed < 1 else -1
                if at >= 0:
                    self.changed += 1
                    data = data[:at] + bytes(len(self.needle)) + data[at + len(self.needle):]
                to.sendall(data)
        except OSError:
            pass
        for one in (source, to):
            try:
                one.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass


# Tensors that are changed on their way are found, and run again.
device, place = start()
host, port = place.split(":")
folder = os.path.dirname(model)
with open(os.path.join(folder, "test_data_set_0", "input_0.pb"), "rb") as file:
    pixels = file.read()[-784 * 4:]
# The part of the picture that has the most bytes which are not 0.
needle = max((pixels[at:at + 32] for at in range(0, len(pixels) - 32, 4)),
             key=lambda part: 32 - part.count(0))
proxy = Proxy(needle)
write(proxy.place)
run = subprocess.run(["glow", "run", model, "--data-set", folder,
                      "--devices", "one.json", "--backend=cpu"], capture_output=True, text=True,
                     check=False)
assert proxy.changed == 1, run
assert "\nPASSED\n" in run.stdout or "damaged" in run.stderr, run
end(device)

# A device that other machines can reach warns.
for listen, warns in (("0.0.0.0:0", True), ("127.0.0.1:0", False), ("localhost:0", False),
                      ("unix:w", False), ("[::]:0", True)):
    try:
        device, _ = start(f"--listen={listen}")
    except TypeError:
        assert ":" in listen.rpartition(":")[0]  # no IPv6 here
        continue
    device.terminate()
    said = device.communicate()[1]
    assert ("warning: what can connect" in said) == warns, (listen, said)
