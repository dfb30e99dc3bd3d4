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


def ask(server, number, method, params):
    """The result of a request, behind what else the server has to say."""
    send(server, method, id=number, params=params)
    while (message := receive(server)).get("id") != number:
        pass
    return message["result"]


def start(arguments):
    """A server, and what it says of itself."""
    server = subprocess.Popen(["glow-lsp-server", *arguments],
                              stdin=subprocess.PIPE,
                              stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL)
    watchdog = threading.Timer(SECONDS, server.kill)
    watchdog.daemon = True
    watchdog.start()
    about = ask(server, 1, "initialize", {"processId": None, "rootUri": None,
                                          "capabilities": {}})
    send(server, "initialized", params={})
    return server, about


def open_file(server, path):
    """Opens a file; what is wrong with it."""
    send(server, "textDocument/didOpen", params={"textDocument": {
        "uri": path.as_uri(), "languageId": "mlir", "version": 1,
        "text": path.read_text()}})
    while (message := receive(server)).get("method") != \
            "textDocument/publishDiagnostics":
        pass
    return message["params"]["diagnostics"]


def stop(server):
    """Its exit status."""
    ask(server, 2, "shutdown", None)
    send(server, "exit", params=None)
    return server.wait()


def main():
    path = pathlib.Path(sys.argv[1]).resolve()
    server, about = start(sys.argv[2:])
    print("server:", about["serverInfo"]["name"], about["serverInfo"]["version"])
    diagnostics = open_file(server, path)
    print("diagnostics:", len(diagnostics))
    for diagnostic in diagnostics:
        start_at = diagnostic["range"]["start"]
        print(f"{start_at['line'] + 1}:{start_at['character'] + 1}: "
              f"{diagnostic['message']}")
    print("exit status:", stop(server))


if __name__ == "__main__":
    main()
