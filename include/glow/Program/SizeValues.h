//===- SizeValues.h - sizes in a run ----------------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// The inputs of a run determine its size variables, and these all other sizes.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_PROGRAM_SIZEVALUES_H
#define GLOW_PROGRAM_SIZEVALUES_H

#include "glow/Base/Status.h"
#include "glow/Program/Program.h"
#include <span>
#include <string_view>

namespace glow {

/// The values of size variables in a run.
class SizeValues {
public:
  /// Takes the values from the shapes of the inputs, in the order of the
  /// program. Fails with Code::ShapeMismatch, with all mistakes in one message:
  /// a size outside its range or not a multiple, another value than an earlier
  /// dimension gives, another size than an expression has.
  Status bind(const std::vector<Binding> &inputs,
              std::span<const TensorView> tensors);

  /// Gives a variable that no input has its value. Fails with
  /// Code::ShapeMismatch if the value is outside its range.
  Status set(const SizeVariable &variable, int64_t value);

  /// Takes the variables that have no value yet from another run.
  void adopt(const SizeValues &other);

  /// Fails with Code::ShapeMismatch, with all conditions that do not hold.
  Status check(const std::vector<SizeCondition> &conditions) const;

  int64_t at(const SizeVariable &variable) const;
  int64_t at(const Length &length) const;
  Ints at(const std::vector<Length> &lengths) const;
  /// The type in this run: `extents` itself if there are no lengths.
  TensorType typeOf(const TensorType &extents,
                    const std::vector<Length> &lengths) const;

  /// Gives a bound variable another value.
  void set(std::string_view name, int64_t value);

  /// "N = 7, S = 128".
  std::string text() const;
  bool operator==(const SizeValues &) const = default;
  /// Whether the values are equal, except those of one variable.
  bool equalsBut(std::string_view name, const SizeValues &other) const;

private:
  /// The value of a variable; null before one is bound.
  const int64_t *find(std::string_view name) const;

  std::vector<std::pair<std::string, int64_t>> values; ///< in order of binding
};

/// The messages of mistakes, without the sizes of the run: "'N' should be from
/// 1 to 16", "'S' should be a multiple of 8", "the program needs N == 16
/// [label]".
std::string rangeText(const SizeVariable &variable);
std::string multipleText(const SizeVariable &variable);
std::string needText(const SizeCondition &condition);

/// Views of tensors without data.
std::vector<TensorView> typedViews(std::span<const TensorType> types);

/// The type of a binding with its lengths, as messages have it: "f32[N,512]".
std::string openTypeText(const Binding &binding);

/// The sizes of a run on these inputs. Fails with Code::ShapeMismatch, with all
/// mistakes in one message: kinds and ranks, sizes (SizeValues::bind) and
/// conditions.
Result<SizeValues> sizesOf(const Program &program,
                           std::span<const TensorView> inputs);

/// The types of a program's outputs in a run on these inputs. Fails as
/// `sizesOf` does.
Result<std::vector<TensorType>> outputTypes(const Program &program,
                                            std::span<const TensorView> inputs);

/// Adds a condition to a list that has each once: with a label, if any of the
/// equal ones has one.
void addCondition(std::vector<SizeCondition> &conditions,
                  SizeCondition condition);

/// The name of a dimension in a request for ranges: the model's, or "x.0" for
/// one without a name.
std::string sizeName(const Binding &binding, size_t dimension);

/// Whether sizes of the program differ between runs.
bool hasLengths(const std::vector<Binding> &bindings);

/// The inputs or outputs of a program as a model declares them: sizes that a
/// run gives are symbolic.
std::vector<Binding> symbolicBindings(std::vector<Binding> bindings);

} // namespace glow

#endif // GLOW_PROGRAM_SIZEVALUES_H
