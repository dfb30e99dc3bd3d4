//===- LinearAttention.cpp - attention to a state of fixed size -----------===//
//
// Of each head of keys a matrix is kept, of as many rows as a key is wide and
// as many columns as a value. A step decays it, adds the product of a key and
// a value, and multiplies queries with it.
//
//===----------------------------------------------------------------------===//

#include "glow/Base/VisitKind.h"
#include "glow/HostOperators/Functions.h"
#include <cmath>

using namespace glow;

namespace {

struct Sizes {
  int64_t batch, steps, queryHeads, heads, keyWidth, valueWidth;
};

struct Inputs {
  Reals query, key, value, decay, beta;
  int64_t decayWidth = 0; ///< of a head: 1, the key's, or 0 without a decay
  int64_t betaHeads = 0;  ///< 1, all, or 0 without
  double scale = 1;
};

} // namespace

static Status misfit(const HostCall &call, unsigned index, const char *why) {
  return failure(Code::ShapeMismatch, "input ", index, " is ",
                 call.input(index)->text(), ", which does not suit ", why);
}

static Result<Sizes> sizesOf(const HostCall &call) {
  Result<const Tensor *> query = call.tensor(0), key = call.tensor(1),
                         value = call.tensor(2);
  if (!query || !key || !value)
    return !query ? query.status() : !key ? key.status() : value.status();
  Sizes sizes{0,
              0,
              call.attribute<int64_t>("q_num_heads", 0),
              call.attribute<int64_t>("kv_num_heads", 0),
              0,
              0};
  const Ints &q = (*query)->type().shape, &k = (*key)->type().shape,
             &v = (*value)->type().shape;
  if (sizes.heads < 1 || sizes.queryHeads < 1 || sizes.queryHeads % sizes.heads)
    return failure(Code::InvalidArgument, "q_num_heads ", sizes.queryHeads,
                   " must be a positive multiple of kv_num_heads ",
                   sizes.heads);
  if (q.size() != 3 || q[2] % sizes.queryHeads)
    return misfit(call, 0, "heads of queries");
  sizes.batch = q[0];
  sizes.steps = q[1];
  sizes.keyWidth = q[2] / sizes.queryHeads;
  if (k.size() != 3 || k[0] != q[0] || k[1] != q[1] || k[2] % sizes.heads ||
      k[2] / sizes.heads != sizes.keyWidth)
    return misfit(call, 1, "the query");
  if (v.size() != 3 || v[0] != q[0] || v[1] != q[1] || v[2] % sizes.heads)
    return misfit(call, 2, "the query");
  sizes.valueWidth = v[2] / sizes.heads;
  return sizes;
}

static Status readGates(const HostCall &call, const Sizes &sizes,
                        const std::string &rule, Inputs &inputs) {
  auto read = [&](unsigned index, Reals &values) -> Result<int64_t> {
    Result<const Tensor *> tensor = call.tensor(index);
    if (!tensor)
      return tensor.status();
    const Ints &shape = (*tensor)->type().shape;
    if (shape.size() != 3 || shape[0] != sizes.batch || shape[1] != sizes.steps)
      return misfit(call, index, "the query");
    values = *call.reals(index);
    return shape[2];
  };
  if (rule == "gated" || rule == "gated_delta") {
    Result<int64_t> width = read(4, inputs.decay);
    if (!width)
      return width.status();
    if (*width != sizes.heads && *width != sizes.heads * sizes.keyWidth)
      return misfit(call, 4, "the heads of keys");
    inputs.decayWidth = *width / sizes.heads;
  }
  if (rule == "delta" || rule == "gated_delta") {
    Result<int64_t> width = read(5, inputs.beta);
    if (!width)
      return width.status();
    if (*width != 1 && *width != sizes.heads)
      return misfit(call, 5, "the heads of keys");
    inputs.betaHeads = *width;
  }
  return Status();
}

/// One step of one head: `row` is that of the batch and the step.
static void advance(const Sizes &sizes, const Inputs &inputs, int64_t row,
                    int64_t head, double *state) {
  const int64_t wide = sizes.valueWidth;
  const double *key =
      inputs.key.data() + (row * sizes.heads + head) * sizes.keyWidth;
  const double *value = inputs.value.data() + (row * sizes.heads + head) * wide;
  for (int64_t i = 0; inputs.decayWidth && i < sizes.keyWidth; ++i) {
    const double decay = std::exp(
        inputs.decay[size_t((row * sizes.heads + head) * inputs.decayWidth +
                            (inputs.decayWidth == 1 ? 0 : i))]);
    for (int64_t j = 0; j < wide; ++j)
      state[i * wide + j] *= decay;
  }
  Reals added(value, value + wide);
  if (inputs.betaHeads) {
    const double beta = inputs.beta[size_t(row * inputs.betaHeads +
                                           (inputs.betaHeads == 1 ? 0 : head))];
    for (int64_t i = 0; i < sizes.keyWidth; ++i)
      for (int64_t j = 0; j < wide; ++j)
        added[size_t(j)] -= key[i] * state[i * wide + j];
    for (double &element : added)
      element *= beta;
  }
  for (int64_t i = 0; i < sizes.keyWidth; ++i)
    for (int64_t j = 0; j < wide; ++j)
      state[i * wide + j] += key[i] * added[size_t(j)];
}

static Reals attend(const Sizes &sizes, const Inputs &inputs, Reals &state) {
  const int64_t shared = sizes.queryHeads / sizes.heads;
  const int64_t wide = sizes.valueWidth;
  Reals output(size_t(sizes.batch * sizes.steps * sizes.queryHeads * wide));
  for (int64_t row = 0; row < sizes.batch * sizes.steps; ++row)
    for (int64_t head = 0; head < sizes.heads; ++head) {
      double *own = state.data() + (row / sizes.steps * sizes.heads + head) *
                                       sizes.keyWidth * wide;
      advance(sizes, inputs, row, head, own);
      for (int64_t q = head * shared; q < (head + 1) * shared; ++q) {
        const int64_t place = row * sizes.queryHeads + q;
        for (int64_t i = 0; i < sizes.keyWidth; ++i) {
          const double factor =
              inputs.scale * inputs.query[size_t(place * sizes.keyWidth + i)];
          for (int64_t j = 0; j < wide; ++j)
            output[size_t(place * wide + j)] += factor * own[i * wide + j];
        }
      }
    }
  return output;
}

static Result<Tensor> rounded(ElementKind kind, Ints shape,
                              const Reals &elements) {
  Result<Tensor> result = Tensor::zeros({kind, std::move(shape)});
  if (result)
    visitKind(kind, [&]<typename T>(std::type_identity<T>) {
      for (size_t i = 0; i < elements.size(); ++i)
        if constexpr (std::is_same_v<T, double>)
          result->elements<T>()[i] = elements[i];
        else
          result->elements<T>()[i] = T(static_cast<float>(elements[i]));
    });
  return result;
}

Status glow::host::linearAttention(HostCall &call) {
  const std::string rule =
      call.attribute<std::string>("update_rule", "gated_delta");
  if (rule != "linear" && rule != "gated" && rule != "delta" &&
      rule != "gated_delta")
    return failure(Code::InvalidArgument, "update_rule ", rule,
                   " must be linear, gated, delta or gated_delta");
  Result<Sizes> sizes = sizesOf(call);
  if (!sizes)
    return sizes.status();
  Inputs inputs;
  if (Status status = readGates(call, *sizes, rule, inputs); !status.ok())
    return status;
  inputs.query = *call.reals(0);
  inputs.key = *call.reals(1);
  inputs.value = *call.reals(2);
  inputs.scale = call.attribute<double>("scale", 0.0);
  if (inputs.scale == 0)
    inputs.scale = 1 / std::sqrt(double(std::max<int64_t>(sizes->keyWidth, 1)));
  const Ints shape{sizes->batch, sizes->heads, sizes->keyWidth,
                   sizes->valueWidth};
  const ElementKind kind = call.tensor(0).take()->type().kind;
  ElementKind kept = kind;
  constexpr int64_t most = int64_t(1) << 28;
  std::optional<int64_t> elements = checkedProduct(shape);
  if (!elements || *elements > most)
    return failure(Code::OutOfMemory, "a state of shape ", shapeText(shape),
                   " is too large");
  Reals state(size_t(*elements), 0.0);
  if (call.input(3)) {
    Result<const Tensor *> past = call.tensor(3);
    if (!past)
      return past.status();
    if ((*past)->type().shape != shape)
      return misfit(call, 3, "the heads of keys and values");
    kept = (*past)->type().kind;
    state = *call.reals(3);
  }
  Reals output = attend(*sizes, inputs, state);
  if (Status status =
          call.setOutput(0, rounded(kind,
                                    {sizes->batch, sizes->steps,
                                     sizes->queryHeads * sizes->valueWidth},
                                    output));
      !status.ok())
    return status;
  return call.setOutput(1, rounded(kept, shape, state));
}
