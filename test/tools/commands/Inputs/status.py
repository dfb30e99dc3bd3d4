"""Runs a command that should end with a status: status.py STATUS COMMAND...

Or writes a data set of zeros whose output is 1: status.py --set FOLDER.
"""

import pathlib
import subprocess
import sys

if sys.argv[1] == "--set":
    import numpy
    from onnx import numpy_helper
    folder = pathlib.Path(sys.argv[2])
    for name, value in (("input", 0), ("output", 1)):
        tensor = numpy_helper.from_array(numpy.full((2, 3), value, numpy.float32))
        (folder / f"{name}_0.pb").write_bytes(tensor.SerializeToString())
    sys.exit()
run = subprocess.run(sys.argv[2:], capture_output=True, text=True)
if run.returncode != int(sys.argv[1]):
    sys.exit(f"exit status {run.returncode}, should be {sys.argv[1]}: {run.stdout}{run.stderr}")
