"""Unpacks a wheel as pip does, which not every system has: install.py ENVIRONMENT WHEEL"""

import glob
import os
import sys
import zipfile

environment, path = sys.argv[1:]
(site,) = glob.glob(os.path.join(environment, "lib", "python*", "site-packages"))
with zipfile.ZipFile(path) as wheel:
    for entry in wheel.infolist():
        folder, _, script = entry.filename.partition(".data/scripts/")
        target = (os.path.join(environment, "bin", script) if script
                  else os.path.join(site, entry.filename))
        os.makedirs(os.path.dirname(target), exist_ok=True)
        assert not os.path.exists(target), target
        with open(target, "wb") as file:
            file.write(wheel.read(entry))
        os.chmod(target, entry.external_attr >> 16 & 0o777)
