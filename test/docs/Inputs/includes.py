"""Checks what includes and links what: includes.py SOURCES.

docs/Layers.md has the order. Prints each include, of LLVM too, each link line of CMake
and each precompiled header that leads against it.
"""

import fnmatch
import pathlib
import re

import report

PAGE = "docs/Layers.md"
INCLUDE = re.compile(r'\s*#\s*include\s+(?:"([^"]+)"|<((?:mlir|llvm)[/-][^>]+)>)')
LINKS = re.compile(r"target_link_libraries\(\s*(\S+)([^)]*(?:\([^)]*\)[^)]*)*)\)")
PRECOMPILED = "cmake/GlowPrecompiled.cmake"
HEADERS = re.compile(r"^set\((\w+)([^)]*)\)", re.M)
TARGETS = re.compile(r"glow_precompile\((\w+)\s+([^)]*)\)")
BEGINS = re.compile(r"glow_backend_half\([^)]*\s(\w+) \$\{(\w+)\}\)")
BACKEND = re.compile(r"\bglow_backend\(\w+([^)]*)\)")
HALF = re.compile(r'glow_backend_half\(\S+ GLOW_(\w+)_HALVES\s+("[^"]*"|\S+)')
LIBRARY = re.compile(r"\bGlow[A-Z]\w+")
ROOTS = ("include", "lib", "runtime", "backends", "gen", "tools")
SOURCES = (".h", ".hpp", ".cpp", ".c", ".inc", ".def", ".in")
LLVM = {"llvm": ("LLVM", "MLIR"), "mlir": ("MLIR",)}


class Layer:
    def __init__(self, name: str, folder: str, libraries: str, sees: str, llvm: str):
        self.name, self.folder, self.llvm = name, folder, llvm
        self.libraries, self.words = libraries.split(), sees.split()

    def has(self, path: str) -> bool:
        return fnmatch.fnmatchcase(path, self.folder + "/*")

    def depth(self):
        """What says most of a path; a name says more than a star."""
        return self.folder.count("/"), "*" not in self.folder

    def floor(self) -> str:
        parts = self.folder.split("/")
        return parts[1] if parts[0] == "lib" else ""


def rows_of(page: str):
    for line in page.splitlines():
        cells = [cell.strip() for cell in line.split("|")[1:-1]]
        if len(cells) == 5 and cells[1].startswith("`"):
            yield cells[0], cells[1].strip("`"), *cells[2:]


class Layers:
    """The table, and where a path or a library belongs."""

    def __init__(self, page: str):
        self.all = {row[0]: Layer(*row) for row in rows_of(page)}
        self.libraries = {}
        for layer in self.all.values():
            for library in layer.libraries:
                self.libraries.setdefault(library, set()).add(layer.name)

    def mistakes(self):
        """Words that are no layer, and arrows that lead down the table."""
        seen = set()
        for layer in self.all.values():
            for word in layer.words:
                if not self.layers_of(word):
                    yield f"{PAGE}: {layer.name} sees {word}, which is no layer"
                elif word != "*" and not self.layers_of(word) <= seen:
                    yield f"{PAGE}: {layer.name} sees {word}, which stands below it"
            seen.add(layer.name)

    def layers_of(self, word: str):
        return {layer.name for layer in self.all.values()
                if word == layer.floor() or fnmatch.fnmatchcase(layer.name, word)}

    def sees(self, name: str, target: str) -> bool:
        return target == name or any(target in self.layers_of(word)
                                     for word in self.all[name].words)

    def of_path(self, path: str):
        parts = path.split("/")
        if parts[0] == "include":
            return parts[2] if len(parts) > 3 and parts[2] in self.all else None
        fits = [layer for layer in self.all.values() if layer.has(path)]
        return max(fits, key=Layer.depth).name if fits else None


def target_of(root, layers: Layers, file, name: str):
    """The layer of an included file; None where it is none of ours."""
    if name.startswith("glow/"):
        layer = name.split("/")[1]
        # Files generated from records belong to the layer of their headers.
        if name.endswith(".inc") and layer not in layers.all:
            return "Generated"
        return layer if name.count("/") > 1 else None
    folder = file.parent
    while folder != root:
        if (folder / name).exists():
            found = (folder / name).resolve().relative_to(root.resolve())
            return layers.of_path(found.as_posix())
        folder = folder.parent
    return None


def code_mistakes(root: pathlib.Path, layers: Layers):
    files = (file for top in ROOTS for file in sorted((root / top).rglob("*")))
    for file in files:
        path = file.relative_to(root).as_posix()
        if file.suffix not in SOURCES or path.count("/") < 2 and path.startswith("include/"):
            continue
        layer = layers.of_path(path)
        if layer is None:
            if not path.startswith(("include/glow/glow.", "include/glow/graph.")):
                yield f"{path}: belongs to no layer of {PAGE}"
            continue
        for line, text in enumerate(file.read_text().splitlines(), 1):
            found = INCLUDE.match(text)
            if not found:
                continue
            name = found[1] or found[2]
            library = re.match(r"(llvm|mlir)[/-]", name)
            if library:
                if layers.all[layer].llvm not in LLVM[library[1]]:
                    yield f"{path}:{line}: {layer} may not include {name}"
                continue
            target = target_of(root, layers, file, name)
            if target is None:
                continue
            if target not in layers.all:
                yield f"{path}:{line}: {name} belongs to no layer of {PAGE}"
            elif not layers.sees(layer, target):
                yield f"{path}:{line}: {layer} may not include {target}"


def link_mistakes(root: pathlib.Path, layers: Layers):
    files = (file for top in ROOTS + ("defs",)
             for file in sorted((root / top).rglob("CMakeLists.txt")))
    for file in files:
        path = file.relative_to(root).as_posix()
        text = re.sub(r"#.*", "", file.read_text())
        for found in LINKS.finditer(text):
            # In a loop over targets, the target is that of the folder.
            here = layers.libraries.get(found[1]) or {layers.of_path(path)} - {None}
            line = text[:found.start()].count("\n") + 1
            for library in LIBRARY.findall(found[2]):
                targets = layers.libraries.get(library)
                if targets is None:
                    yield f"{path}:{line}: {library} belongs to no layer of {PAGE}"
                elif not any(layers.sees(layer, target)
                             for layer in here for target in targets):
                    yield f"{path}:{line}: {found[1]} may not link {library}"


def half_mistakes(root: pathlib.Path, layers: Layers):
    """What glow_backend links with the halves of every backend."""
    file = root / "cmake/GlowBackend.cmake"
    for half, libraries in HALF.findall(file.read_text() if file.exists() else ""):
        for library in LIBRARY.findall(libraries):
            if half.lower() in layers.all and not any(layers.sees(half.lower(), target)
                       for target in layers.libraries.get(library, ())):
                yield f"cmake/GlowBackend.cmake: {half.lower()} may not link {library}"


def header_sets(text: str):
    """The headers of each set, with those of the sets in it."""
    sets = {}
    for name, words in HEADERS.findall(text):
        sets[name] = [header for word in words.split()
                      for header in sets.get(word.strip("${}"), [word.strip("<>")])]
    return sets


def unseen(root, layers: Layers, layer: str, headers):
    for header in headers:
        library = re.match(r"(llvm|mlir)[/-]", header)
        if library and layers.all[layer].llvm not in LLVM[library[1]]:
            yield header
        target = target_of(root, layers, root / PRECOMPILED, header)
        if target and not layers.sees(layer, target):
            yield header


def layers_of_half(root, layers: Layers, word: str):
    """Those of the folders that backends name after WORD."""
    for file in sorted((root / "backends").glob("*/CMakeLists.txt")):
        for arguments in BACKEND.findall(file.read_text()):
            folders = re.search(rf"\b{word}\b((?:\s+[a-z][\w/]*)*)", arguments)
            for folder in folders[1].split() if folders else [word.lower()]:
                if (file.parent / folder).exists():
                    path = (file.parent / folder / "x").relative_to(root).as_posix()
                    yield layers.of_path(path)


def precompiled_mistakes(root: pathlib.Path, layers: Layers):
    """The first header of each set that a layer begins with and may not include."""
    file = root / PRECOMPILED
    if not file.exists():
        return
    sets = header_sets(file.read_text())
    users = [(name, target, layers.libraries.get(target, {None}))
             for name, targets in TARGETS.findall(file.read_text())
             for target in targets.split() if name in sets]
    backends = (root / "cmake/GlowBackend.cmake").read_text()
    users += [(name, half, set(layers_of_half(root, layers, half.upper())))
              for name, half in BEGINS.findall(backends)]
    for name, target, places in users:
        for layer in sorted(places, key=str):
            if layer is None:
                yield f"{PRECOMPILED}: {target} belongs to no layer of {PAGE}"
                continue
            for header in list(unseen(root, layers, layer, sets[name]))[:1]:
                yield f"{PRECOMPILED}: {layer} may not begin with {header}"


def mistakes(root: pathlib.Path):
    layers = Layers((root / PAGE).read_text())
    yield from layers.mistakes()
    for layer in layers.all.values():
        if not any(root.glob(layer.folder)):
            yield f"{PAGE}: there is no folder {layer.folder}"
    yield from code_mistakes(root, layers)
    yield from link_mistakes(root, layers)
    yield from half_mistakes(root, layers)
    yield from precompiled_mistakes(root, layers)


if __name__ == "__main__":
    report.main(mistakes)
