//===- Shapes.h - sizes for symbolic dimensions -----------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_TOOLS_GLOW_MODEL_SHAPES_H
#define GLOW_TOOLS_GLOW_MODEL_SHAPES_H

#include "glow/Program/Program.h"
#include "glow/Values/Tensor.h"
#include <map>
#include <span>
#include <string>
#include <vector>

namespace glow::tool {

/// "f32[N,3,224,224]": a binding's type, symbolic dimensions by their names.
std::string typeText(const Binding &binding);

/// The model's name of a dimension, "" when it has none.
std::string dimensionName(const Binding &binding, size_t dimension);

/// The ranges among flags of --shape: "N=1..16", "S=8..512:8". Flags without a
/// range, and wrong flags, give nothing; InputShapes::apply refuses wrong
/// flags.
std::vector<SizeVariable> rangesOf(const std::vector<std::string> &flags);

/// The inputs of a model while sizes become known. A dimension's name means the
/// same size wherever it occurs.
class InputShapes {
public:
  /// Sizes to which the model itself gives ranges have these from the start.
  explicit InputShapes(std::vector<Binding> inputs);

  const std::vector<Binding> &inputs() const { return bindings; }

  /// The input of that name; null when there is none.
  const Binding *find(const std::string &name) const;

  /// Takes flags of --shape: "input=1x3x224x224", "dimension=4", or only the
  /// sizes when the model has one input; or a range of a dimension,
  /// "dimension=1..16" or "dimension=8..512:8", which then needs no size. A
  /// dimension without a name is "input.0". Fails with Code::InvalidArgument.
  Status apply(const std::vector<std::string> &flags);

  /// Takes the type of an input's tensor. Fails with Code::NotFound if the
  /// model has no such input, Code::ShapeMismatch if the type contradicts the
  /// model or sizes that are known already.
  Status setType(const std::string &input, const TensorType &type);

  /// Gives a dimension a range, as flags of `apply` do.
  Status addRange(const SizeVariable &range);

  /// Gives every dimension 0 that is still symbolic, and has no range, a size.
  Status setBatch(int64_t size);

  /// Gives each dimension with a range, where it is still symbolic, the largest
  /// size of the range.
  Status setLargest();

  /// The ranges, and the sizes that are known by a name, in the form of
  /// CompileRequest::sizes; empty without a range.
  std::vector<SizeVariable> sizes() const;

  /// Gives the batch, where it is still symbolic, the size 1: dimension 0 of
  /// inputs that have more, and what shares its name. Says so on stderr, as a
  /// note with the flag for another size.
  Status assumeBatch();

  /// Fails with Code::ShapeMismatch when no input has that many items.
  Status checkBatch(int64_t size) const;

  /// Fails if one of these inputs has no shape, or a dimension without a size:
  /// with Code::InvalidArgument, the list of these inputs, and a command line
  /// that gives them likely sizes; with Code::Unsupported where only a file can
  /// be given.
  Status checkKnown(std::span<const std::string> names) const;
  Status checkKnown() const; ///< all inputs that are tensors

  /// The inputs whose sizes are all known, in the form of
  /// CompileRequest::shapes.
  std::map<std::string, Ints> known() const;

private:
  bool hasDimension(const std::string &name) const;
  Status noSuchInput(const std::string &name) const;
  std::string origins(const Binding &binding) const;
  std::string flagsFor(std::span<const std::string> names) const;
  Status take(Binding &binding, const Ints &shape, const std::string &text);
  Status setNamed(const std::string &dimension, int64_t size);
  void setComputed();
  Status applyFlag(const std::string &flag);
  const SizeVariable *rangeOf(const Binding &binding, size_t dimension) const;
  bool isComputed(const Binding &binding, size_t dimension) const;

  std::vector<Binding> bindings;
  std::vector<SizeVariable> ranges;
  std::vector<SizeVariable> own;              // ranges of the model itself
  std::map<std::string, std::string> sources; // of a dimension: the input
};

} // namespace glow::tool

#endif // GLOW_TOOLS_GLOW_MODEL_SHAPES_H
