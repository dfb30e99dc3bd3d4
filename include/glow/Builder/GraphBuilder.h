//===- GraphBuilder.h - a model, node by node -------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT
//
// Builds a module of nodes by the names of their records. Includes no LLVM and
// no MLIR.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_BUILDER_GRAPHBUILDER_H
#define GLOW_BUILDER_GRAPHBUILDER_H

#include "glow/Base/Status.h"
#include "glow/Program/Tensor.h"
#include <memory>
#include <string>
#include <vector>

namespace glow {

/// A graph that is built from its inputs and weights to its outputs. Values are
/// numbers from 1 on; 0 stands for an absent operand. A method that fails
/// leaves the graph as it was. One thread at a time may call its methods.
class GraphBuilder {
public:
  using Number = uint32_t;
  struct Operand {
    std::string name;
    Number value;
  };
  /// A value in the text of its form: "3", "true", "0.5", "linear", "[1, 2]",
  /// "f32".
  struct Attribute {
    std::string name, text;
  };

  GraphBuilder();
  ~GraphBuilder();

  /// An input of the model. Fails with Code::InvalidArgument for a name that is
  /// taken or empty, or a type without elements of numbers.
  Result<Number> input(const std::string &name, const TensorType &type);

  /// A weight with a copy of these elements. Fails as `input` does.
  Result<Number> weight(const std::string &name, TensorView elements);

  /// A weight of floats with elements of a kind of initialisation:
  ///   "zero", "broadcast X": equal elements;
  ///   "uniform LOW HIGH", "normal MEAN DEVIATION": drawn from a distribution;
  ///   "xavier", "kaiming": uniform from -b to b, with b = sqrt(6 / (in + out))
  ///     (Glorot, Bengio) and b = sqrt(6 / in) (Kaiming).
  /// `in` is the product of all sizes but the last, and `out` the last. So a
  /// filter of a convolution has the order rows, columns, channels, filters; of
  /// any other order, `fanIn` gives `in`, and `out` is the rest of the
  /// elements. Equal seeds give equal elements.
  Result<Number> weight(const std::string &name, const TensorType &type,
                        const std::string &initially, uint64_t seed,
                        int64_t fanIn = 0);

  /// Adds a node, as "conv", and returns its results. An operand of several
  /// tensors occurs several times. All attributes must be given. `name` is for
  /// messages and profiles; it may be "". Fails with Code::NotFound for a name
  /// that the record lacks, and with Code::InvalidArgument, with the labels of
  /// requirements that do not hold.
  Result<std::vector<Number>> node(const std::string &kind,
                                   const std::vector<Operand> &operands,
                                   const std::vector<Attribute> &attributes,
                                   const std::string &name);

  /// Makes a value an output of the model. Fails as `input` does.
  Status output(const std::string &name, Number value);

  /// Fails with Code::InvalidArgument for a number that is no value.
  Result<TensorType> typeOf(Number value) const;

  /// The module as text, as bytecode, or as the bytes of an ONNX model. Fails
  /// with Code::InvalidArgument if the graph has no output, and with
  /// Code::Unsupported, with the reasons, for a node that ONNX lacks.
  enum class Form { Text, Bytecode, Onnx };
  Result<std::string> bytes(Form form) const;

private:
  struct Impl;
  std::unique_ptr<Impl> impl;
};

} // namespace glow

#endif // GLOW_BUILDER_GRAPHBUILDER_H
