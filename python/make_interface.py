# SPDX-License-Identifier: MIT
"""Writes what ctypes must know of the C interface, from its header.

    make_interface.py glow.h LIBRARY... > _interface.py

LIBRARY are the names that the system's loader knows. The header is laid out by
hand, and stays within what is read here: enums, structs, opaque types, types
of functions, and functions. Anything else in it is an error.
"""

import re
import sys

SCALARS = {"void": "None", "char": "c_char", "int": "c_int",
           "unsigned": "c_uint", "size_t": "c_size_t", "int64_t": "c_int64",
           "uint32_t": "c_uint32", "uint64_t": "c_uint64", "double": "c_double"}


class Header:
    def __init__(self, text):
        text = re.sub(r"/\*.*?\*/", " ", text, flags=re.DOTALL)
        text = re.sub(r"^\s*#.*$", "", text, flags=re.MULTILINE)
        text = re.sub(r'extern "C" \{(.*)\}', r"\1", text, flags=re.DOTALL)
        self.constants, self.structs, self.opaque = [], [], set()
        self.callbacks, self.functions = [], []
        self.names = dict(SCALARS)
        for statement in re.findall(r"[^;{]*(?:\{[^}]*\}[^;]*)?;", text):
            self.read(" ".join(statement.rstrip(";").split()))

    def read(self, text):
        if found := re.fullmatch(r"typedef enum (\w+) \{(.*)\} \1", text):
            self.names[found[1]] = "c_int"
            self.constants += self.enumerators(found[2])
        elif found := re.fullmatch(r"typedef struct (\w+) \{(.*)\} \1", text):
            fields = found[2].strip().rstrip(";").split(";")
            self.structs.append((found[1], [
                (name, self.of_field(kind, stars))
                for kind, stars, name in map(self.split, fields)]))
            self.names[found[1]] = found[1]
        elif found := re.fullmatch(r"typedef struct (\w+) \1", text):
            self.opaque.add(found[1])
        elif found := re.fullmatch(r"typedef (\w+) (\w+)", text):
            self.names[found[2]] = self.names[found[1]]
        elif found := re.fullmatch(r"typedef (.+)\(\*(\w+)\)\((.*)\)", text):
            self.names[found[2]] = found[2]
            self.callbacks.append(
                (found[2], self.signature(found[1] + " x", found[3])))
        elif found := re.fullmatch(r"(.+?)\((.*)\)", text):
            name = self.split(found[1])[2]
            self.functions.append((name, self.signature(found[1], found[2])))
        elif text:
            sys.exit(f"make_interface.py: error: '{text}' is not understood")

    @staticmethod
    def enumerators(text):
        """'A, B = 4, C' -> (0, 'A'), (4, 'B'), (5, 'C')."""
        number = -1
        for one in text.split(","):
            name, _, value = one.partition("=")
            number = int(value) if value else number + 1
            yield number, name.strip()

    @staticmethod
    def split(declaration):
        """'const char *const *names' -> ('char', '**', 'names')."""
        words = re.findall(r"\w+|\*", declaration)
        words = [word for word in words if word not in ("const", "struct")]
        return words[0], "*" * words.count("*"), words[-1]

    def of_field(self, kind, stars):
        if kind == "void" or kind in self.opaque:
            return "c_void_p"
        if kind == "char":
            return "c_char_p" if stars == "*" else "POINTER(c_char_p)"
        known = self.names[kind]
        return f"POINTER({known})" if stars else known

    def of_argument(self, kind, stars):
        """An address in any form that ctypes takes, but for text."""
        if kind == "char" and stars == "*":
            return "c_char_p"
        return "c_void_p" if stars else self.names[kind]

    def signature(self, result, arguments):
        types = [self.of_argument(kind, stars) for kind, stars, _ in map(
            self.split, [] if arguments == "void" else arguments.split(","))]
        kind, stars, _ = self.split(result)
        return self.of_argument(kind, stars), types


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        header = Header(file.read())
    print('"""The C interface of Glow. Made from glow.h."""\n')
    print("from ctypes import (CFUNCTYPE, POINTER, Structure, c_char_p, "
          "c_double, c_int,\n                    c_int64, c_size_t, c_uint, "
          "c_uint32, c_uint64, c_void_p)\n")
    print(f"LIBRARIES = {sys.argv[2:]!r}")
    for number, name in header.constants:
        print(f"{name} = {number}")
    for name, fields in header.structs:
        print(f"\n\nclass {name}(Structure):\n    _fields_ = [")
        for field, kind in fields:
            print(f'        ("{field}", {kind}),')
        print("    ]")
    print("\n")
    for name, (result, types) in header.callbacks:
        print(f"{name} = CFUNCTYPE({', '.join([result, *types])})")
    print("\nFUNCTIONS = {")
    for name, (result, types) in header.functions:
        print(f'    "{name}": ({result}, [{", ".join(types)}]),')
    print("}")


main()
