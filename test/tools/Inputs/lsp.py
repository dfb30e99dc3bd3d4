"""Opens a file in a language server and prints what it says of it: lsp.py FILE
[ARGUMENT...], of which it gets the latter.

Ends with an error when the server says nothing within the time.
"""

import json
import pathlib
import subprocess
import sys
import threading

SECONDS = 60


def send(server, method, **more):
    text = json.dumps({"jsonrpc": "2.0", "method": method, **more}).encode()
    server.stdin.write(b"Content-Length: %d\r\n\r\n" % len(text) + text)
    server.stdin.flush()


def receive(server):
    length = 0
    while line := server.stdout.readline().strip():
        key, _, value = line.partition(b":")
        if key.lower() == b"content-length":
            length = int(value)
    if length == 0:
        sys.exit("the server ended or was too slow")
    return json.loads(server.stdout.read(length))


def main():
    path = pathlib.Path(sys.argv[1]).resolve()
    server = subprocess.Popen(["glow-lsp-server", *sys.argv[2:]],
                              stdin=subprocess.PIPE,
                              stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL)
    watchdog = threading.Timer(SECONDS, server.kill)
    watchdog.start()
    send(server, "initialize", id=1,
         params={"processId": None, "rootUri": None, "capabilities": {}})
    print("server:", receive(server)["result"]["serverInfo"]["name"])
    send(server, "initialized", params={})
    send(server, "textDocument/didOpen", params={"textDocument": {
        "uri": path.as_uri(), "languageId": "mlir", "version": 1,
        "text": path.read_text()}})
    while (message := receive(server)).get("method") != \
            "textDocument/publishDiagnostics":
        pass
    diagnostics = message["params"]["diagnostics"]
    print("diagnostics:", len(diagnostics))
    for diagnostic in diagnostics:
        start = diagnostic["range"]["start"]
        print(f"{start['line'] + 1}:{start['character'] + 1}: "
              f"{diagnostic['message']}")
    send(server, "shutdown", id=2, params=None)
    receive(server)
    send(server, "exit", params=None)
    print("exit status:", server.wait())
    watchdog.cancel()


main()
