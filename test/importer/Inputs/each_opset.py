#!/usr/bin/env python3
"""Writes cases of every record of an operator of ONNX, imported or of the host, at
the first and the last opset of its range, and where ONNX has a version of its own in
between: each_opset.py OPS.json KNOWN.json OUT CASES...

OPS.json is what `glow ops --json` says. A case of CASES, folders with model.onnx
and test_data_set_0, stands for a record where all its nodes still mean the same
records. The smallest is taken, but none that KNOWN.json says cannot pass; for an
operator that is imported as well, the host needs one with more than tensors of
numbers, or one that its name says it is of the host. Fails when a record has no case.
"""

import bisect
import collections
import json
import os
import pathlib
import sys

import onnx

import versions as facts

NEWEST = max(facts.CHANGES)  # of the default domain


def plain(domain):
    return "" if domain == "ai.onnx" else domain


def nodes(graph):
    for node in graph.node:
        yield node
        for attribute in node.attribute:
            for inner in [attribute.g, *attribute.graphs]:
                yield from nodes(inner)


class Records:
    """One of the two tables: "onnx" is of imports, "host" of what runs there."""

    def __init__(self, report, table):
        self.table = table
        self.starts = collections.defaultdict(list)
        for row in report[table]:
            # Operators of Caffe2 have one opset, and cases that are nets.
            if row["domain"] == "org.pytorch._caffe2":
                continue
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


def versions():
    """The opsets at which ONNX changes an operator."""
    found = collections.defaultdict(set)
    for schema in onnx.defs.get_all_schemas_with_history():
        found[plain(schema.domain), schema.name].add(schema.since_version)
    for opset, names in facts.CHANGES.items():
        for name in names:
            found["", name].add(opset)
    return found


def isOther(type_proto):
    """Of a value, whether it is more than a tensor of numbers."""
    return not type_proto.HasField("tensor_type") or type_proto.tensor_type.elem_type == onnx.TensorProto.STRING


class Case:
    def __init__(self, folder):
        self.folder = folder
        self.model = onnx.load(folder / "model.onnx", load_external_data=False)
        self.opsets = {plain(entry.domain): entry.version for entry in self.model.opset_import}
        self.operators = {(plain(node.domain), node.op_type) for node in nodes(self.model.graph)}
        self.size = (sum(1 for _ in nodes(self.model.graph)), folder.name)
        graph = self.model.graph
        # Cases that an import leaves to the host have names that end so.
        self.onHost = folder.name.endswith("_host") or any(isOther(port.type) for port in [*graph.input, *graph.output]) or any(
            attribute.HasField("t") and attribute.t.data_type == onnx.TensorProto.STRING
            for node in nodes(graph) for attribute in node.attribute)

    def means(self, tables, domain, opset):
        """Whether the nodes have the same records at another opset; those of the host where they use these."""
        imports, host = tables
        own = self.opsets[domain]
        return all(imports.since(*operator, opset) == imports.since(*operator, own)
                   and (imports.since(*operator, own) and not self.onHost
                        or host.since(*operator, opset) == host.since(*operator, own))
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
    tables = [Records(report, table) for table in ("onnx", "host")]
    changes = versions()
    listed = {case for entry in known for case in entry["cases"]}
    byOperator = collections.defaultdict(list)
    for case in sorted(casesOf(folders, listed), key=lambda case: case.size):
        for domain, operator in case.operators:
            if domain in case.opsets:
                byOperator[domain, operator].append(case)
    missing = []
    for records in tables:
        for domain, operator, first, last in records.ranges():
            imported = records is not tables[0] and (domain, operator) in tables[0].starts
            inside = {version for version in changes[domain, operator] if first < version < last}
            for opset in sorted({first, last} | inside):
                fitting = [case for case in byOperator[domain, operator]
                           if records.since(domain, operator, case.opsets[domain]) == first
                           and (case.onHost or not imported) and case.means(tables, domain, opset)]
                # Numbers for what is imported.
                case = min(fitting, key=lambda case: case.onHost == (records is tables[0]), default=None)
                if case:
                    case.write(out / f"{records.table}.{domain or 'onnx'}.{operator}-{opset}", domain, opset)
                else:
                    missing.append(f"{domain or 'ai.onnx'} {operator} {first}-{last}: no case at opset {opset}")
    print("\n".join(missing))
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main(*(json.load(open(path)) for path in sys.argv[1:3]),
                  pathlib.Path(sys.argv[3]), sys.argv[4:]))
