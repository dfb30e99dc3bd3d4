"""Checks the lists of wheels: record.py WHEEL..."""

import base64
import csv
import hashlib
import io
import stat
import sys
import zipfile

for path in sys.argv[1:]:
    with zipfile.ZipFile(path) as wheel:
        (record,) = [name for name in wheel.namelist() if name.endswith("/RECORD")]
        rows = list(csv.reader(io.StringIO(wheel.read(record).decode())))
        assert sorted(row[0] for row in rows) == sorted(wheel.namelist())
        for name, digest, size in rows:
            data = wheel.read(name)
            sha = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).decode()
            assert name == record or (digest == "sha256=" + sha.rstrip("=")
                                      and int(size) == len(data)), name
            mode = wheel.getinfo(name).external_attr >> 16
            is_program = data[:4] == b"\x7fELF"
            assert stat.S_ISREG(mode) and bool(mode & 0o111) == is_program, name
