# SPDX-License-Identifier: MIT
"""The processor that is measured on: its name, and what decides a target."""

import os
import platform

# A processor's units for products of integers, the strongest first, with the
# system's name of each.
UNITS = [("AMX", "amx_int8"), ("AVX-512 VNNI", "avx512_vnni"),
         ("AVX-VNNI", "avx_vnni"), ("AVX2", "avx2"),
         ("products of bytes", "asimddp")]


def described(path="/proc/cpuinfo"):
    """What the system says of its last processor."""
    with open(path) as file:
        pairs = dict(line.split(":", 1) for line in file if ":" in line)
    return {key.strip(): value.strip() for key, value in pairs.items()}


def features(fields):
    return (fields.get("flags") or fields.get("Features") or "").split()


def has_amx(fields):
    return "amx_int8" in features(fields)


def processor(fields):
    """Its name, with the units by which hosts differ."""
    known = features(fields)
    unit = next((name for name, flag in UNITS if flag in known),
                "no unit for integers")
    return (f"{fields.get('model name', platform.machine())}, family "
            f"{fields.get('cpu family', '?')} model "
            f"{fields.get('model', '?')}, {unit}"
            + ("" if has_amx(fields) else ", no AMX"))


def memory():
    size = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    return f"{size / (1 << 30):.0f} GiB"
