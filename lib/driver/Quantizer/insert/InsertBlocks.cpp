//===- InsertBlocks.cpp - products with weights in blocks -----------------===//
// SPDX-License-Identifier: MIT
//
// A product whose weights have a scale for each block of a column becomes an
// operator of a custom domain, which a model of any opset may have. Its codes
// are unsigned, with the zero in the middle, and stored column by column.
//
//===----------------------------------------------------------------------===//

#include "Inserter.h"
#include "glow/Quantization/FitBlocks.h"
#include <algorithm>

using namespace glow;

bool glow::hasBlocks(const Source &source, const Layer &layer) {
  return source.options.block && layer.weights && layer.weights->input == 1 &&
         layer.op == "MatMul" &&
         source.constants.at(layer.weights->value).type().shape.size() == 2;
}

static void addInt(onnx::NodeProto &node, const char *name, int64_t value) {
  onnx::AttributeProto &attribute = *node.add_attribute();
  attribute.set_name(name);
  attribute.set_type(onnx::AttributeProto::INT);
  attribute.set_i(value);
}

std::vector<float> glow::columnsOf(const Tensor &matrix, size_t block) {
  return columnsOf(*floatsOf(matrix), size_t(matrix.type().shape[0]), block);
}

void Inserter::addIntegers(const std::string &weights, const Ints &shape,
                           Blocks &blocks) {
  const QuantizeOptions &options = source.options;
  const unsigned bits = options.weightBits;
  const auto fitted = source.fitted.find(weights);
  const Integers integers =
      fitted != source.fitted.end()
          ? fitted->second
          : quantizeBlocks(
                columnsOf(source.constants.at(weights), options.block),
                options.block, options.scheme, bits);
  blocks.codes = made.freshName(weights + "_quantized");
  blocks.scales = made.freshName(weights + "_scale");
  made.addInitializer(blocks.codes, onnx::TensorProto::UINT8, shape,
                      bytesOf(codesOf(integers.values, bits), bits));
  std::vector<float> scales;
  std::vector<int64_t> zeros;
  const auto each = size_t(shape[1]);
  for (const Parameters &own : integers.parameters) {
    scales.push_back(own.scale), zeros.push_back(own.zero);
    // The zero points of each column begin at a byte.
    if (bits == 4 && each % 2 != 0 && scales.size() % each == 0)
      zeros.push_back(0);
  }
  made.addFloats(blocks.scales, {shape[0], shape[1]}, scales);
  if (std::ranges::all_of(zeros, [](int64_t zero) { return zero == 0; }))
    return;
  blocks.zeros = made.freshName(weights + "_zero_point");
  const std::string bytes = bytesOf(codesOf(zeros, bits), bits);
  made.addInitializer(blocks.zeros, onnx::TensorProto::UINT8,
                      {shape[0], int64_t(bytes.size()) / shape[0]}, bytes);
}

void Inserter::addBlocks(const Layer &layer, const onnx::NodeProto &node) {
  const std::string &name = layer.weights->value;
  const Tensor &matrix = source.constants.at(name);
  const int64_t inner = matrix.type().shape[0], outer = matrix.type().shape[1];
  const int64_t block = source.options.block, bits = source.options.weightBits;
  const int64_t blocks = (inner + block - 1) / block;
  auto [found, isFirst] = blocksOf.try_emplace(name);
  auto &[codes, scale, zeros] = found->second;
  if (isFirst)
    addIntegers(name, {outer, blocks, block * bits / 8}, found->second);
  onnx::NodeProto &product = *made.graph().add_node();
  product.set_name(node.name());
  product.set_op_type("MatMulNBits");
  product.set_domain("com.microsoft");
  product.add_input(node.input(0));
  product.add_input(codes), product.add_input(scale);
  if (!zeros.empty())
    product.add_input(zeros);
  product.add_output(node.output(0));
  addInt(product, "K", inner), addInt(product, "N", outer);
  addInt(product, "bits", bits), addInt(product, "block_size", block);
  needsDomain = true;
}
