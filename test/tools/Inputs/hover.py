"""Prints what an editor shows at a place of a file: hover.py FILE LINE COLUMN."""

import pathlib
import sys

import lsp


def main():
    path = pathlib.Path(sys.argv[1]).resolve()
    server, _ = lsp.start([])
    lsp.open_file(server, path)
    shown = lsp.ask(server, 3, "textDocument/hover", {
        "textDocument": {"uri": path.as_uri()},
        "position": {"line": int(sys.argv[2]) - 1,
                     "character": int(sys.argv[3]) - 1}})
    print(shown["contents"]["value"])
    sys.exit(lsp.stop(server))


main()
