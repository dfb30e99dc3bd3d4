//===- Reference.cpp - what this backend's nodes mean ---------------------===//
//
// The interpreter's kernels of nodes with a formula: every call of it by the
// kernel of its own instruction, on tensors of the whole shape.
//
//===----------------------------------------------------------------------===//

#include "common/ConvShape.h"
#include "common/Formula.h"
#include "glow/IR/InstrInfo.h"
#include "glow/Program/KernelRegistry.h"
#include "glow/Values/Tensor.h"
#include "interpreter/device/KernelSupport.h"

using namespace glow;
using namespace glow::cpu;

namespace {

/// Calls a kernel by the mnemonic of its instruction.
Status callKernel(const std::string &mnemonic,
                  std::span<const TensorView> buffers,
                  std::span<const AttributeValue> attributes,
                  std::vector<int32_t> segments = {}) {
  Kernel kernel = KernelRegistry::instance().find(mnemonic);
  if (!kernel)
    return failure(Code::NotFound, "the interpreter has no kernel for '",
                   mnemonic, "'");
  if (segments.empty())
    segments.assign(buffers.size(), 1);
  return kernel({buffers, segments, attributes});
}

/// Computes a formula on whole tensors.
class FormulaRunner {
public:
  FormulaRunner(ElementKind kind, Ints shape) : type{kind, std::move(shape)} {}

  /// `tensor` outlives the run; sizes of 1 are repeated.
  Status addInput(const TensorView &tensor) {
    if (*tensor.type == type) {
      inputs.push_back(tensor);
      return Status();
    }
    Result<TensorView> repeated = make();
    if (!repeated)
      return repeated.status();
    inputs.push_back(*repeated);
    return callKernel("broadcast", std::array{*repeated, tensor},
                      std::array<AttributeValue, 2>{type.shape, int64_t(-1)});
  }

  Status run(const Formula &formula, const TensorView &out) {
    // Code is made for tensors with elements: the others come here with any
    // formula, also one with truths, of which there are no tensors of numbers.
    if (type.elements() == 0)
      return Status();
    TensorView last = inputs.empty() ? out : inputs[0];
    for (const Formula::Call &call : formula.calls)
      if (Status status = runCall(call); !status.ok())
        return status;
    if (!results.empty())
      last = results.back();
    std::memcpy(out.data, last.data, type.bytes());
    return Status();
  }

private:
  Result<TensorView> make() {
    Result<Tensor> tensor = Tensor::zeros(type);
    if (!tensor)
      return tensor.status();
    owned.push_back(std::make_unique<Tensor>(tensor.take()));
    return owned.back()->view();
  }

  Status runCall(const Formula::Call &call) {
    const ir::InstrInfo *info = ir::findInstr(call.mnemonic);
    if (!info || info->operands.size() - 1 + info->attributes.size() !=
                     call.arguments.size())
      return failure(Code::InvalidArgument, "formula: '", call.mnemonic,
                     "' does not take ", call.arguments.size(), " arguments");
    size_t operands = info->operands.size() - 1;
    Result<TensorView> out = make();
    if (!out)
      return out.status();
    std::vector<TensorView> buffers = {*out};
    std::vector<AttributeValue> attributes;
    for (size_t i = 0; i < call.arguments.size(); ++i) {
      if (i >= operands) {
        attributes.push_back(
            attributeOf(call.arguments[i], info->attributes[i - operands]));
        continue;
      }
      Result<TensorView> operand = operandOf(call.arguments[i]);
      if (!operand)
        return operand.status();
      buffers.push_back(*operand);
    }
    results.push_back(*out);
    return callKernel(call.mnemonic, buffers, attributes);
  }

  Result<TensorView> operandOf(const Formula::Argument &argument) {
    if (auto *input = std::get_if<Formula::Input>(&argument))
      return inputs[input->index];
    if (auto *value = std::get_if<Formula::Value>(&argument))
      return results[value->index];
    auto *number = std::get_if<double>(&argument);
    Result<TensorView> constant = make();
    if (constant && number)
      if (Status status = callKernel(
              "splat", std::array{*constant},
              std::array<AttributeValue, 3>{*number, type.shape, type.kind});
          !status.ok())
        return status;
    return constant;
  }

  static AttributeValue attributeOf(const Formula::Argument &argument,
                                    const ir::AttributeInfo &info) {
    if (auto *kind = std::get_if<ElementKind>(&argument))
      return *kind;
    auto *number = std::get_if<double>(&argument);
    double value = number ? *number : 0;
    if (info.form == ir::AttributeForm::Int)
      return int64_t(value);
    if (info.form == ir::AttributeForm::Flag)
      return value != 0;
    return value;
  }

  TensorType type;
  std::vector<std::unique_ptr<Tensor>> owned;
  std::vector<TensorView> inputs, results;
};

/// `formula` of `out` itself and of the variadic operand `extras`.
Status finish(const kernels::Operands &operands, int extras,
              const std::string &text, const TensorView &out) {
  size_t count = size_t(operands.count(extras));
  Result<Formula> formula = Formula::parse(text, count + 1);
  if (!formula)
    return formula.status();
  FormulaRunner runner(out.type->kind, out.type->shape);
  Status status = runner.addInput(out);
  for (size_t i = 0; i < count && status.ok(); ++i)
    status = runner.addInput(operands.view(extras, int64_t(i)));
  return status.ok() ? runner.run(*formula, out) : status;
}

/// softmax along the last axis.
Status softmaxRows(Tensor &tensor) {
  Ints one = tensor.type().shape;
  one.back() = 1;
  Ints axes = {int64_t(one.size()) - 1};
  Result<Tensor> row = Tensor::zeros({tensor.type().kind, one});
  if (!row)
    return row.status();
  for (auto [reduce, text] : {std::pair("reduce_max", "sub(x0, x1); exp(t0)"),
                              std::pair("reduce_sum", "div(x0, x1)")}) {
    Status status = callKernel(reduce, std::array{row->view(), tensor.view()},
                               std::array<AttributeValue, 2>{axes, true});
    FormulaRunner runner(tensor.type().kind, tensor.type().shape);
    if (status.ok())
      status = runner.addInput(tensor.view());
    if (status.ok())
      status = runner.addInput(row->view());
    if (status.ok())
      status = runner.run(*Formula::parse(text, 2), tensor.view());
    if (!status.ok())
      return status;
  }
  return Status();
}

} // namespace

namespace glow::kernels {

Status cpuChain(const KernelCall &call) {
  Operands operands(call);
  const TensorView &out = operands.view(0);
  size_t count = size_t(operands.count(1));
  Result<Formula> formula =
      Formula::parse(operands.attribute<std::string>(1), count);
  if (!formula)
    return formula.status();
  FormulaRunner runner(out.type->kind, out.type->shape);
  for (size_t i = 0; i < count; ++i)
    if (Status status = runner.addInput(operands.view(1, int64_t(i)));
        !status.ok())
      return status;
  return runner.run(*formula, out);
}

/// By way of the convolution of plain images, whose kernel is `plain` and takes
/// all attributes before the formula.
static Status convolve(const KernelCall &call, const char *plain,
                       const TensorView &out, size_t formula,
                       int64_t channelsIn, int64_t channelsOut) {
  Operands operands(call);
  const TensorView &in = operands.view(1);
  Ints plainIn = in.type->shape, plainOut = out.type->shape;
  plainIn.pop_back(), plainOut.pop_back();
  const glow::TensorType planes{in.type->kind, plainIn};
  plainIn[0] = plainOut[0] = planes.shape[1];
  plainIn[1] = channelsIn, plainOut[1] = channelsOut;
  Result<Tensor> image = Tensor::zeros({in.type->kind, plainIn});
  Result<Tensor> result = Tensor::zeros({out.type->kind, plainOut});
  if (!image || !result)
    return (!image ? image : result).status();
  // Blocks of one channel are the channels.
  bool blocked = in.type->shape.back() != 1;
  Ints order = expr::range(0, expr::size(plainIn));
  std::swap(order[0], order[1]);
  Status status =
      blocked
          ? callKernel("cpu_unblock", std::array{image->view(), in},
                       std::array<AttributeValue, 1>{channelsIn})
          : callKernel("transpose",
                       std::array{image->view(), TensorView{in.data, &planes}},
                       std::array<AttributeValue, 1>{order});
  if (!status.ok())
    return status;
  std::vector<TensorView> buffers = {result->view(), image->view(),
                                     operands.view(2)};
  if (operands.has(3))
    buffers.push_back(operands.view(3));
  status = callKernel(plain, buffers, call.attributes.first(formula),
                      {1, 1, 1, int32_t(operands.count(3))});
  if (status.ok())
    status = callKernel("cpu_block", std::array{out, result->view()}, {});
  return status.ok()
             ? finish(operands, 4,
                      operands.attribute<std::string>(int(formula)), out)
             : status;
}

Status cpuConv(const KernelCall &call) {
  Operands operands(call);
  const TensorView &out = operands.view(0);
  const Ints &filter = operands.view(2).type->shape;
  auto into = [&](const TensorView &whole) {
    return convolve(call, "conv", whole, 4,
                    filter[1] * operands.attribute<int64_t>(3), filter[0]);
  };
  Ints window = operands.attribute<Ints>(5);
  window.push_back(1);
  Ints none(2 * window.size(), 0), ones(window.size(), 1);
  if (window == ones)
    return into(out);
  Ints shape =
      convolvedShape(out.type->shape, operands.view(1).type->shape, filter,
                     operands.attribute<Ints>(0), operands.attribute<Ints>(1),
                     operands.attribute<Ints>(2));
  Result<Tensor> whole = Tensor::zeros({out.type->kind, shape});
  Status status = whole ? into(whole->view()) : whole.status();
  return status.ok() ? callKernel("max_pool", std::array{out, whole->view()},
                                  std::array<AttributeValue, 4>{window, window,
                                                                none, ones})
                     : status;
}

/// By way of the three convolutions.
Status cpuBottleneck(const KernelCall &call) {
  Operands operands(call);
  const TensorView &in = operands.view(1), &out = operands.view(0);
  Ints expanded = in.type->shape, filtered = out.type->shape;
  expanded[0] = filtered[0] = (operands.view(2).type->shape[0] + 15) / 16;
  Result<Tensor> first = Tensor::zeros({in.type->kind, expanded});
  Result<Tensor> second = Tensor::zeros({in.type->kind, filtered});
  if (!first || !second)
    return (!first ? first : second).status();
  const Ints ones = {1, 1};
  // The filter is an operand, the bias the next; the formula an attribute.
  auto convolve = [&](const TensorView &to, const TensorView &from, int filter,
                      const Ints &strides, const Ints &pads, int64_t group,
                      int formula, int64_t extras) {
    std::vector<TensorView> buffers = {to, from, operands.view(filter)};
    if (operands.has(filter + 1))
      buffers.push_back(operands.view(filter + 1));
    for (int64_t i = 0; i < extras; ++i)
      buffers.push_back(operands.view(8, i));
    std::array<AttributeValue, 6> attributes = {
        strides, pads, ones, group, operands.attribute<std::string>(formula),
        ones};
    return callKernel(
        "cpu_conv", buffers, attributes,
        {1, 1, 1, int32_t(operands.count(filter + 1)), int32_t(extras)});
  };
  const Ints none = {0, 0, 0, 0};
  Status status = convolve(first->view(), in, 2, ones, none, 1, 2, 0);
  if (status.ok())
    status = convolve(second->view(), first->view(), 4,
                      operands.attribute<Ints>(0), operands.attribute<Ints>(1),
                      operands.view(4).type->shape[0], 3, 0);
  return status.ok() ? convolve(out, second->view(), 6, ones, none, 1, 4,
                                operands.count(8))
                     : status;
}

Status cpuConvTranspose(const KernelCall &call) {
  Operands operands(call);
  const Ints &filter = operands.view(2).type->shape;
  return convolve(call, "conv_transpose", operands.view(0), 5, filter[0],
                  filter[1]);
}

/// Head by head, by the kernels of products and of the formula.
Status cpuAttention(const KernelCall &call) {
  Operands operands(call);
  const TensorView &out = operands.view(0), &q = operands.view(1),
                   &k = operands.view(2), &v = operands.view(3);
  int64_t heads = operands.attribute<int64_t>(0);
  int64_t depth = operands.attribute<int64_t>(1);
  int64_t width = operands.attribute<int64_t>(2);
  const auto &first = operands.attribute<Ints>(3);
  ElementKind kind = out.type->kind;
  int64_t batch = q.type->shape[0], rows = q.type->shape[1],
          keys = k.type->shape[1];
  // Columns as heads, [batch, heads, rows, columns], by slices and transposes.
  auto headsOf = [&](const TensorView &from, int64_t start, int64_t columns,
                     Ints permutation) -> Result<Tensor> {
    int64_t count = from.type->shape[1];
    Ints part = {batch, count, heads * columns};
    Ints split = {batch, count, heads, columns}, shape;
    for (int64_t axis : permutation)
      shape.push_back(split[size_t(axis)]);
    Result<Tensor> slice = Tensor::zeros({kind, part});
    Result<Tensor> result = Tensor::zeros({kind, shape});
    if (!slice || !result)
      return slice ? result.status() : slice.status();
    Status status = callKernel(
        "slice", std::array{slice->view(), from},
        std::array<AttributeValue, 3>{Ints{0, 0, start}, Ints{1, 1, 1}, part});
    if (status.ok())
      status = slice->reshape(split);
    if (status.ok())
      status =
          callKernel("transpose", std::array{result->view(), slice->view()},
                     std::array<AttributeValue, 1>{permutation});
    if (!status.ok())
      return status;
    return result;
  };
  Result<Tensor> queries = headsOf(q, first[0], depth, {0, 2, 1, 3});
  Result<Tensor> columns = headsOf(k, first[1], depth, {0, 2, 3, 1});
  Result<Tensor> values = headsOf(v, first[2], width, {0, 2, 1, 3});
  Result<Tensor> scores = Tensor::zeros({kind, {batch, heads, rows, keys}});
  Result<Tensor> result = Tensor::zeros({kind, {batch, heads, rows, width}});
  for (auto *tensor : {&queries, &columns, &values, &scores, &result})
    if (!*tensor)
      return tensor->status();
  Status status = callKernel(
      "matmul", std::array{scores->view(), queries->view(), columns->view()},
      {});
  if (status.ok())
    status =
        finish(operands, 4, operands.attribute<std::string>(4), scores->view());
  if (status.ok())
    status = softmaxRows(*scores);
  if (status.ok())
    status = callKernel(
        "matmul", std::array{result->view(), scores->view(), values->view()},
        {});
  if (!status.ok())
    return status;
  glow::TensorType split{kind, {batch, rows, heads, width}};
  return callKernel("transpose",
                    std::array{TensorView{out.data, &split}, result->view()},
                    std::array<AttributeValue, 1>{Ints{0, 2, 1, 3}});
}

Status cpuMatMul(const KernelCall &call) {
  Operands operands(call);
  const TensorView &out = operands.view(0);
  Status status = callKernel(
      "matmul", std::array{out, operands.view(1), operands.view(2)}, {});
  if (status.ok() && operands.has(3)) {
    FormulaRunner sum(out.type->kind, out.type->shape);
    status = sum.addInput(out);
    if (status.ok())
      status = sum.addInput(operands.view(3));
    if (status.ok())
      status = sum.run(*Formula::parse("add(x0, x1)", 2), out);
  }
  return status.ok()
             ? finish(operands, 4, operands.attribute<std::string>(0), out)
             : status;
}

} // namespace glow::kernels
