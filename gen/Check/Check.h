//===- Check.h - checks of records ----------------------------------------===//
// SPDX-License-Identifier: MIT
//
// Each check runs before anything is emitted. A refusal ends ClassGen with a
// message at the record, or with a caret in its text.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_GEN_CHECK_CHECK_H
#define GLOW_GEN_CHECK_CHECK_H

#include "llvm/ADT/ArrayRef.h"

namespace llvm {
class Record;
} // namespace llvm

namespace glow::gen {

class Model;

/// Every check below, over the records that are the run's own.
void checkAll(const Model &model);

/// Each field of a class of records is read, by this program or by records.
void checkFields(const Model &model);

/// Nodes, instructions and backends of one name are one; the names of a record
/// are different from each other and can be names in C++.
void checkNames(const Model &model);

/// The C++ names of records are identifiers, and no other type has them.
void checkCxxNames(const Model &model);

/// A set of element kinds is made of element kinds, and is given to a variable
/// of the signature.
void checkKinds(const Model &model);

/// A node has an instruction, a lowering or a kernel by hand; a kernel has a
/// sample; a requirement has a sample that breaks it.
void checkNodes(const Model &model);

/// An instruction has the tensors and attributes of its node, or a signature of
/// its own.
void checkInstrs(const Model &model);

/// The instructions that a node's record lists are there, write all of its
/// results, read nothing before it is written, and change no operand.
void checkIRGen(const Model &model);

/// A memory has a size and belongs to one backend. An instruction may name the
/// memory of its own buffers, but not of the tensors of its node.
void checkMemories(const Model &model);

/// A DMA engine belongs to one backend and joins memories of that backend. An
/// instruction of the engine has buffers in these memories alone. Attributes of
/// an instruction give the part of a buffer that it touches.
void checkEngines(const Model &model);

/// A backend tiles nodes that it runs; a cut has a name of its own, and the
/// smallest tile of the smallest node fits its memories.
void checkTilings(const Model &model);

/// A result says its kind and sizes; a name of a size that is always there does
/// not bind in an operand that may be absent.
void checkSignatures(const Model &model);

/// Index notation assigns to elements of results; a tensor has as many
/// subscripts as sizes.
void checkCompute(const Model &model);

/// An index stands by itself in places of one size.
void checkIndices(const Model &model);

/// Where a statement computes, no name is an index and a size, and no quotient
/// is of integers alone.
void checkIndexValues(const Model &model);

/// A result is written whole before it is read or added to, and nothing that is
/// written is lost.
void checkWrites(const Model &model);

/// A rule leads to lower tiers, can match, and is ordered among those that may
/// match the same node.
void checkRules(const Model &model);

/// The value that a rule gives to a result has a shape that the signature
/// allows. So has the value that a gradient gives to an operand's gradient.
void checkRuleShapes(const Model &model);

/// A gradient is given or can be derived. A given one assigns to the gradient
/// of each float operand once, and of no other operand.
void checkGradients(const Model &model);

/// A rewrite has a sample, which gives a type or a value to every name, can
/// match, and is ordered among those of the same left side.
void checkRewrites(const Model &model);

/// The right side of a rewrite takes what the left side matches, or its
/// condition asks for the kind or the rank.
void checkNarrower(const Model &model);

/// A rewrite does not lead back to where it began, by itself or by others.
void checkTermination(const Model &model);

/// The type of an operand in a sample is one, and its range has values.
void checkSamples(const Model &model);

/// The operands of a sample are of the kinds, ranks and sizes of the signature.
void checkSampleShapes(const Model &model);

/// One record imports an operator of a version, which its domain has.
void checkImports(const Model &model);

/// A DRR pattern has a name and a sample.
void checkPatterns(const Model &model);

/// A backend's claim to run a node can hold, and a kernel, an emitter or the
/// reference backs it for each element kind. A kernel belongs to a node that
/// the backend runs, in a kind that the node has. No two kernels are for the
/// same node and kind. Buffers are aligned to a power of two.
void checkLegality(const Model &model);

/// An option of a backend has a known type, and its default value is of that
/// type. No two options have one name.
void checkOptions(const Model &model);

} // namespace glow::gen

#endif // GLOW_GEN_CHECK_CHECK_H
