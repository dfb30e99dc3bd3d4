"""Copies a plug-in with another interface in its stamp: stamped.py FROM TO"""

import pathlib
import re
import sys

data = pathlib.Path(sys.argv[1]).read_bytes()
stamp = re.search(rb"interface [0-9a-f]{16}", data).group()
pathlib.Path(sys.argv[2]).write_bytes(data.replace(stamp, b"interface " + b"0" * 16))
