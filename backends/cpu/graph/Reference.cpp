//===- Reference.cpp - what this backend's nodes mean ---------------------===//
//
// The interpreter's kernels of nodes with a formula: every call of it by the
// kernel of its own instruction, on tensors of the whole shape.
//
//===----------------------------------------------------------------------===//

#include "common/ConvShape.h"
#include "glow/Graph/Formula.h"
#include "glow/IR/InstrInfo.h"
#include "glow/Program/KernelRegistry.h"
#include "glow/Values/Tensor.h"
#include "interpreter/device/KernelSupport.h"

using namespace glow;
using namespace glow::cpu;
using namespace glow::kernels;

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

using Views = std::span<const TensorView>;

/// The formula of `out` itself and of `extras`.
Status finish(const TensorView &out, const std::string &text, Views extras) {
  std::string wrong;
  std::optional<Formula> formula = Formula::parse(text, &wrong);
  if (!formula)
    return failure(Code::InvalidArgument, wrong);
  FormulaRunner runner(out.type->kind, out.type->shape);
  Status status = runner.addInput(out);
  for (size_t i = 0; i < extras.size() && status.ok(); ++i)
    status = runner.addInput(extras[i]);
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
      status = runner.run(*Formula::parse(text), tensor.view());
    if (!status.ok())
      return status;
  }
  return Status();
}

} // namespace

Status kernels::cpuFusedElementwise(const CpuFusedElementwiseCall &call) {
  std::string wrong;
  std::optional<Formula> formula = Formula::parse(call.formula, &wrong);
  if (!formula)
    return failure(Code::InvalidArgument, wrong);
  FormulaRunner runner(call.out.type->kind, call.out.type->shape);
  for (const TensorView &in : call.ins)
    if (Status status = runner.addInput(in); !status.ok())
      return status;
  return runner.run(*formula, call.out);
}

/// By way of the convolution of plain images, whose kernel is `plain` and takes
/// these attributes.
template <typename Call>
static Status convolve(const Call &call, const char *plain,
                       std::span<const AttributeValue> attributes,
                       const TensorView &out, int64_t channelsIn,
                       int64_t channelsOut) {
  const TensorView &in = call.in;
  // Shapes of the plain images: without the 16 lanes, and with images before
  // channels.
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
  // From [channels, images, ...] to [images, channels, ...].
  std::swap(order[0], order[1]);
  Status status =
      blocked
          ? callKernel("cpu_unpack", std::array{image->view(), in},
                       std::array<AttributeValue, 1>{channelsIn})
          : callKernel("transpose",
                       std::array{image->view(), TensorView{in.data, &planes}},
                       std::array<AttributeValue, 1>{order});
  if (!status.ok())
    return status;
  std::vector<TensorView> buffers = {result->view(), image->view(),
                                     call.filter};
  if (call.bias)
    buffers.push_back(*call.bias);
  status = callKernel(plain, buffers, attributes, {1, 1, 1, bool(call.bias)});
  if (status.ok())
    status = callKernel("cpu_pack", std::array{out, result->view()}, {});
  return status.ok() ? finish(out, call.epilogue, call.extras) : status;
}

Status kernels::cpuConv(const CpuConvCall &call) {
  const Ints &filter = call.filter.type->shape, &to = call.out.type->shape;
  std::array<AttributeValue, 4> attributes = {call.strides, call.pads,
                                              call.dilations, call.group};
  auto into = [&](const TensorView &whole) {
    return convolve(call, "conv", attributes, whole, filter[1] * call.group,
                    filter[0]);
  };
  Ints window = call.pool;
  window.push_back(1);
  Ints none(2 * window.size(), 0), ones(window.size(), 1);
  if (window == ones)
    return into(call.out);
  Ints shape = convolvedShape(to, call.in.type->shape, filter, call.strides,
                              call.pads, call.dilations);
  Result<Tensor> whole = Tensor::zeros({call.out.type->kind, shape});
  Status status = whole ? into(whole->view()) : whole.status();
  return status.ok()
             ? callKernel(
                   "max_pool", std::array{call.out, whole->view()},
                   std::array<AttributeValue, 4>{window, window, none, ones})
             : status;
}

/// By way of the three convolutions.
Status kernels::cpuBottleneck(const CpuBottleneckCall &call) {
  const TensorView &in = call.in, &out = call.out;
  Ints expanded = in.type->shape, filtered = out.type->shape;
  expanded[0] = filtered[0] = (call.expand.type->shape[0] + 15) / 16;
  Result<Tensor> first = Tensor::zeros({in.type->kind, expanded});
  Result<Tensor> second = Tensor::zeros({in.type->kind, filtered});
  if (!first || !second)
    return (!first ? first : second).status();
  const Ints ones = {1, 1}, none = {0, 0, 0, 0};
  // Windows are those of the second one.
  auto convolve = [&](const TensorView &to, const TensorView &from,
                      const TensorView &filter, const TensorView *bias,
                      const std::string &formula, Views extras,
                      bool isSecond = false) {
    std::vector<TensorView> buffers = {to, from, filter};
    if (bias)
      buffers.push_back(*bias);
    buffers.insert(buffers.end(), extras.begin(), extras.end());
    std::array<AttributeValue, 6> attributes = {isSecond ? call.strides : ones,
                                                isSecond ? call.pads : none,
                                                ones,
                                                isSecond ? filter.type->shape[0]
                                                         : 1,
                                                formula,
                                                ones};
    return callKernel("cpu_conv", buffers, attributes,
                      {1, 1, 1, bool(bias), int32_t(extras.size())});
  };
  Status status = convolve(first->view(), in, call.expand, call.expandBias,
                           call.expandEpilogue, {});
  if (status.ok())
    status = convolve(second->view(), first->view(), call.depthwise,
                      call.depthwiseBias, call.depthwiseEpilogue, {}, true);
  return status.ok() ? convolve(out, second->view(), call.project, call.bias,
                                call.epilogue, call.extras)
                     : status;
}

Status kernels::cpuConvTranspose(const CpuConvTransposeCall &call) {
  const Ints &filter = call.filter.type->shape;
  std::array<AttributeValue, 5> attributes = {
      call.strides, call.pads, call.dilations, call.outputPadding, call.group};
  return convolve(call, "conv_transpose", attributes, call.out, filter[0],
                  filter[1]);
}

/// Head by head, by the kernels of products and of the formula.
Status kernels::cpuAttention(const CpuAttentionCall &call) {
  const TensorView &out = call.out, &q = call.q, &k = call.k, &v = call.v;
  const int64_t heads = call.heads, depth = call.depth, width = call.width;
  const Ints &first = call.first;
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
    status = finish(scores->view(), call.scoreFormula, call.extras);
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

Status kernels::cpuMatMul(const CpuMatMulCall &call) {
  const TensorView &out = call.out;
  Status status = callKernel("matmul", std::array{out, call.lhs, call.rhs}, {});
  if (status.ok() && call.bias) {
    FormulaRunner sum(out.type->kind, out.type->shape);
    status = sum.addInput(out);
    if (status.ok())
      status = sum.addInput(*call.bias);
    if (status.ok())
      status = sum.run(*Formula::parse("add(x0, x1)"), out);
  }
  return status.ok() ? finish(out, call.epilogue, call.extras) : status;
}
