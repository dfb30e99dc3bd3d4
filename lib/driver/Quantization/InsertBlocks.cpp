//===- InsertBlocks.cpp - products with weights in blocks -----------------===//
//
// A product whose weights have a scale in each block of a column is an operator
// of its own, since a model of any opset may have that: its codes are without a
// sign, the zero in the middle, and lie column by column.
//
//===----------------------------------------------------------------------===//

#include "Inserter.h"

using namespace glow;

bool Inserter::hasBlocks(const Layer &layer,
                         const onnx::NodeProto &node) const {
  return source.options.block && layer.weights && layer.weights->input == 1 &&
         node.op_type() == "MatMul" &&
         source.constants.at(layer.weights->value).type().shape.size() == 2;
}

static void addInt(onnx::NodeProto &node, const char *name, int64_t value) {
  onnx::AttributeProto &attribute = *node.add_attribute();
  attribute.set_name(name);
  attribute.set_type(onnx::AttributeProto::INT);
  attribute.set_i(value);
}

/// The columns of a matrix one after the other, each filled up with zeros to
/// whole blocks.
static std::vector<float> columnsOf(const Tensor &matrix, size_t whole) {
  const auto rows = size_t(matrix.type().shape[0]),
             columns = size_t(matrix.type().shape[1]);
  const std::vector<float> reals = *floatsOf(matrix);
  std::vector<float> ordered(columns * whole);
  for (size_t k = 0; k < rows; ++k)
    for (size_t n = 0; n < columns; ++n)
      ordered[n * whole + k] = reals[k * columns + n];
  return ordered;
}

void Inserter::addBlocks(const Layer &layer, const onnx::NodeProto &node) {
  const std::string &name = layer.weights->value;
  const Tensor &matrix = source.constants.at(name);
  const int64_t inner = matrix.type().shape[0], outer = matrix.type().shape[1];
  const int64_t block = source.options.block, bits = source.options.weightBits;
  const int64_t blocks = (inner + block - 1) / block;
  const std::vector<float> columns =
      columnsOf(matrix, size_t(blocks) * size_t(block));
  Integers integers = quantizeBlocks(
      columns, size_t(block), source.options.scheme, source.options.weightBits);
  for (int64_t &value : integers.values)
    value += int64_t(1) << (bits - 1);
  std::vector<float> scales;
  for (const Parameters &own : integers.parameters)
    scales.push_back(own.scale);
  auto &[codes, scale] = blocksOf[name];
  if (codes.empty()) {
    codes = made.freshName(name + "_quantized");
    scale = made.freshName(name + "_scale");
    made.addInitializer(codes, onnx::TensorProto::UINT8,
                        {outer, blocks, block * bits / 8},
                        bytesOf(integers.values, unsigned(bits)));
    made.addFloats(scale, {outer, blocks}, scales);
  }
  onnx::NodeProto &product = *made.graph().add_node();
  product.set_name(node.name());
  product.set_op_type("MatMulNBits");
  product.set_domain("com.microsoft");
  product.add_input(node.input(0));
  product.add_input(codes), product.add_input(scale);
  product.add_output(node.output(0));
  addInt(product, "K", inner), addInt(product, "N", outer);
  addInt(product, "bits", bits), addInt(product, "block_size", block);
  needsDomain = true;
}
