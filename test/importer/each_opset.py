#!/usr/bin/env python3
"""Writes cases of every import record, at the first and the last opset of its
range: each_opset.py OPS.json KNOWN.json OUT CASES...

OPS.json is what `glow ops --json` says. A case of CASES, folders with model.onnx
and test_data_set_0, stands for a record where all its nodes still mean the same
records. The smallest is taken, but none that KNOWN.json says cannot pass. Fails
when a record has no case.
"""

import bisect
import collections
import json
import os
import pathlib
import sys

import onnx

NEWEST = 28  # of the default domain


def plain(domain):
    return "" if domain == "ai.onnx" else domain


def nodes(graph):
    for node in graph.node:
        yield node
        for attribute in node.attribute:
            for inner in [attribute.g, *attribute.graphs]:
                yield from nodes(inner)


class Records:
    def __init__(self, report):
        self.starts = collections.defaultdict(list)
        for row in report["onnx"]:
            self.starts[plain(row["domain"]), row["operator"]].append(row["since"])
        for starts in self.starts.values():
            starts.sort()

    def since(self, domain, operator, opset):
        """The first opset of the record's range, 0 where there is none."""
        starts = self.starts.get((domain, operator), [])
        index = bisect.bisect_right(starts, opset)
        return starts[index - 1] if index else 0

    def ranges(self):
        for (domain, operator), starts in sorted(self.starts.items()):
            # Only the default domain has opsets that no record is of.
            last = max(NEWEST, starts[-1]) if domain == "" else starts[-1]
            yield from ((domain, operator, first, end) for first, end in
                        zip(starts, [start - 1 for start in starts[1:]] + [last]))


class Case:
    def __init__(self, folder):
        self.folder = folder
        self.model = onnx.load(folder / "model.onnx", load_external_data=False)
        self.opsets = {plain(entry.domain): entry.version for entry in self.model.opset_import}
        self.operators = {(plain(node.domain), node.op_type) for node in nodes(self.model.graph)}
        self.size = (sum(1 for _ in nodes(self.model.graph)), folder.name)

    def means(self, records, domain, opset):
        """Whether the nodes have the same records at another opset."""
        return all(records.since(*operator, opset) == records.since(*operator, self.opsets[domain])
                   for operator in self.operators if operator[0] == domain)

    def write(self, out, domain, opset):
        copy = onnx.ModelProto()
        copy.CopyFrom(self.model)
        for entry in copy.opset_import:
            if plain(entry.domain) == domain:
                entry.version = opset
        out.mkdir(parents=True)
        (out / "model.onnx").write_bytes(copy.SerializeToString())
        os.symlink(self.folder.resolve() / "test_data_set_0", out / "test_data_set_0")


def casesOf(folders, known):
    for folder in map(pathlib.Path, folders):
        for model in sorted(folder.rglob("model.onnx")):
            case = model.parent
            if case.parent.name + "/" + case.name not in known and (case / "test_data_set_0").exists():
                yield Case(case)


def main(report, known, out, folders) -> int:
    records = Records(report)
    listed = {case for entry in known for case in entry["cases"]}
    byOperator = collections.defaultdict(list)
    for case in sorted(casesOf(folders, listed), key=lambda case: case.size):
        for domain, operator in case.operators:
            if domain in case.opsets:
                byOperator[domain, operator, records.since(domain, operator, case.opsets[domain])].append(case)
    missing = []
    for domain, operator, first, last in records.ranges():
        for opset in sorted({first, last}):
            case = next((case for case in byOperator[domain, operator, first]
                         if case.means(records, domain, opset)), None)
            if case:
                case.write(out / f"{domain or 'onnx'}.{operator}-{opset}", domain, opset)
            else:
                missing.append(f"{domain or 'ai.onnx'} {operator} {first}-{last}: no case at opset {opset}")
    print("\n".join(missing))
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main(*(json.load(open(path)) for path in sys.argv[1:3]),
                  pathlib.Path(sys.argv[3]), sys.argv[4:]))
