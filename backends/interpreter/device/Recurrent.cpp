//===- Recurrent.cpp - networks that remember -----------------------------===//
//
// States stay in double from step to step, and are rounded once for each
// element that is stored.
//
//===----------------------------------------------------------------------===//

#include "KernelSupport.h"
#include "glow/Program/Activations.h"
#include "glow/Program/KernelRegistry.h"
#include "glow/Values/MemoryBudget.h"
#include <functional>

using namespace glow;
using namespace glow::kernels;

namespace {

using Row = std::vector<double>;

/// Calls the kernel of a Pointwise node on numbers.
Status activate(const Activation &activation, double clip,
                std::span<double> numbers) {
  if (clip > 0)
    for (double &number : numbers)
      number = std::clamp(number, -clip, clip);
  TensorType type{ElementKind::F64, {int64_t(numbers.size())}};
  TensorView view{numbers.data(), &type};
  std::vector<AttributeValue> values(activation.values.begin(),
                                     activation.values.end());
  return KernelRegistry::instance().run(
      activation.mnemonic, {std::array{view, view}, std::array{1, 1}, values});
}

/// The elements of a tensor; none of an absent one.
Row numbersOf(const TensorView &tensor) {
  Row row(size_t(tensor.type->elements()));
  visitKind(tensor.type->kind, [&]<typename T>(std::type_identity<T>) {
    auto *from = dataOf<const T>(tensor);
    std::transform(from, from + row.size(), row.begin(),
                   [](T value) { return double(load(value)); });
  });
  return row;
}
Row numbersOf(const TensorView *tensor) {
  return tensor ? numbersOf(*tensor) : Row();
}

void storeNumbers(const Row &row, const TensorView &to) {
  visitKind(to.type->kind, [&]<typename T>(std::type_identity<T>) {
    std::transform(
        row.begin(), row.end(), static_cast<T *>(to.data),
        [](double value) { return store<T>(static_cast<Compute<T>>(value)); });
  });
}

/// The item of the batch, in one direction, that a cell works on.
struct Item {
  size_t direction, number; ///< the latter among the items of all directions
};

/// What the nodes have in common.
class Sequence {
public:
  template <typename Call>
  explicit Sequence(const Call &call)
      : weights(numbersOf(call.weights)), gates(numbersOf(call.gates)),
        states(numbersOf(call.initial)), lengths(call.lengths), out(call.out),
        last(call.last), rows(size_t(out.type->elements())),
        direction(call.direction),
        activations(parseActivations(call.activations)), clip(call.clip) {
    const Ints &shape = out.type->shape;
    steps = shape[0], directions = size_t(shape[1]), batch = size_t(shape[2]);
    hidden = size_t(shape[3]);
    width = size_t(call.weights.type->shape[2]);
    // Zeros without an initial state.
    states.resize(directions * batch * hidden);
  }

  using Cell = std::function<Status(const Item &, const double *, Row &)>;

  /// `cell` makes the next state of an item from the gates of a step.
  Status run(const Cell &cell) {
    for (size_t i = 0; i < directions * batch; ++i) {
      Item item{i / batch, i};
      // Of two directions the second goes backwards.
      bool backward = direction == Direction::Reverse || item.direction == 1;
      int64_t length =
          lengths ? loadInteger(*lengths, int64_t(i % batch)) : steps;
      if (length < 0 || length > steps)
        return failure(Code::InvalidArgument, "a length of ", length,
                       " is not among 0 to ", steps);
      for (int64_t s = 0; s < length; ++s)
        if (Status status = step(item, backward ? length - 1 - s : s, cell);
            !status.ok())
          return status;
    }
    storeNumbers(rows, out);
    storeNumbers(states, last);
    return Status();
  }

  /// Columns [from, to) of the gates, with what they have of the state.
  Row sums(const Item &item, const double *gates, const Row &state, size_t from,
           size_t to) const {
    Row row(gates + from, gates + to);
    const double *matrix = weights.data() + item.direction * hidden * width;
    for (size_t k = 0; k < hidden; ++k)
      for (size_t j = from; j < to; ++j)
        row[j - from] += state[k] * matrix[k * width + j];
    return row;
  }

  /// The `index`th activation of a direction.
  Status activate(const Item &item, size_t index, std::span<double> row) const {
    size_t each = activations.size() / directions;
    return ::activate(activations[item.direction * each + index], clip, row);
  }

  size_t directions, batch, hidden, width;

private:
  Status step(const Item &item, int64_t t, const Cell &cell) {
    size_t place = size_t(t) * batch + item.number % batch;
    auto state = states.begin() + long(item.number * hidden);
    // A cell reads all of a state to make each of its elements.
    Row next(state, state + long(hidden));
    Status status =
        cell(item, gates.data() + (place * directions + item.direction) * width,
             next);
    std::copy(next.begin(), next.end(), state);
    size_t row = size_t(t) * directions * batch + item.number;
    std::copy(next.begin(), next.end(), rows.begin() + long(row * hidden));
    return status;
  }

  Row weights, gates, states;
  const TensorView *lengths;
  const TensorView &out, &last;
  Row rows; ///< of `out`
  Direction direction;
  std::vector<Activation> activations;
  double clip;
  int64_t steps;
};

/// One gate of a row.
std::span<double> gateOf(Row &row, size_t gate, size_t hidden) {
  return std::span(row).subspan(gate * hidden, hidden);
}

} // namespace

/// Room for tensors as rows of double.
static Result<MemoryBudget::Share>
takeRows(std::initializer_list<const TensorView *> tensors) {
  uint64_t elements = 0;
  for (const TensorView *tensor : tensors)
    elements += tensor ? uint64_t(tensor->type->elements()) : 0;
  return MemoryBudget::take(elements * sizeof(double));
}

Status kernels::rnn(const RnnCall &call) {
  Result<MemoryBudget::Share> share = takeRows(
      {&call.out, &call.last, &call.weights, &call.gates, call.initial});
  if (!share)
    return share.status();
  Sequence sequence(call);
  return sequence.run([&](const Item &item, const double *gates, Row &state) {
    state = sequence.sums(item, gates, state, 0, sequence.hidden);
    return sequence.activate(item, 0, state);
  });
}

Status kernels::gru(const GruCall &call) {
  Result<MemoryBudget::Share> share =
      takeRows({&call.out, &call.last, &call.weights, &call.gates, call.initial,
                call.bias});
  if (!share)
    return share.status();
  Sequence sequence(call);
  size_t h = sequence.hidden;
  Row biases = numbersOf(call.bias);
  biases.resize(sequence.directions * h);
  bool after = call.resetAfter;
  return sequence.run([&](const Item &item, const double *gates, Row &state) {
    Row zr = sequence.sums(item, gates, state, 0, 2 * h);
    Status status = sequence.activate(item, 0, zr);
    Row seen = state;
    for (size_t i = 0; i < h && !after; ++i)
      seen[i] *= zr[h + i];
    Row g = sequence.sums(item, gates, seen, 2 * h, 3 * h);
    for (size_t i = 0; i < h; ++i) {
      // What the reset scales when it comes after: the product with the state,
      // and its bias.
      double input = gates[2 * h + i];
      double sum = g[i] - input + biases[item.direction * h + i];
      g[i] = input + sum * (after ? zr[h + i] : 1);
    }
    if (status.ok())
      status = sequence.activate(item, 1, g);
    for (size_t i = 0; i < h; ++i)
      state[i] = (1 - zr[i]) * g[i] + zr[i] * state[i];
    return status;
  });
}

namespace {

class LstmCell {
public:
  explicit LstmCell(const LstmCall &call)
      : call(call), sequence(call), h(sequence.hidden),
        cells(numbersOf(call.initialCell)),
        peepholes(numbersOf(call.peepholes)) {
    cells.resize(sequence.directions * sequence.batch * h);
    peepholes.resize(sequence.directions * 3 * h);
  }

  Status run() {
    Status status =
        sequence.run([&](const Item &item, const double *gates, Row &state) {
          return step(item, gates, state);
        });
    storeNumbers(cells, call.cell);
    return status;
  }

private:
  Status step(const Item &item, const double *gates, Row &state) {
    Row row = sequence.sums(item, gates, state, 0, 4 * h);
    auto i = gateOf(row, 0, h), o = gateOf(row, 1, h), f = gateOf(row, 2, h),
         g = gateOf(row, 3, h);
    auto c = std::span(cells).subspan(item.number * h, h);
    peep(item, 0, c, i);
    peep(item, 2, c, f);
    Status status = sequence.activate(item, 0, i);
    if (status.ok())
      status = sequence.activate(item, 0, f);
    if (status.ok())
      status = sequence.activate(item, 1, g);
    for (size_t j = 0; j < h; ++j)
      c[j] = (call.coupled ? 1 - i[j] : f[j]) * c[j] + i[j] * g[j];
    // The output gate sees the cell as it becomes, the others as it was.
    peep(item, 1, c, o);
    if (status.ok())
      status = sequence.activate(item, 0, o);
    state.assign(c.begin(), c.end());
    if (status.ok())
      status = sequence.activate(item, 2, state);
    for (size_t j = 0; j < h; ++j)
      state[j] *= o[j];
    return status;
  }

  /// Adds what a gate sees of the cell.
  void peep(const Item &item, size_t which, std::span<const double> cell,
            std::span<double> gate) const {
    for (size_t j = 0; j < h; ++j)
      gate[j] += peepholes[(item.direction * 3 + which) * h + j] * cell[j];
  }

  const LstmCall &call;
  Sequence sequence;
  size_t h;
  Row cells, peepholes;
};

} // namespace

Status kernels::lstm(const LstmCall &call) {
  Result<MemoryBudget::Share> share =
      takeRows({&call.out, &call.last, &call.cell, &call.weights, &call.gates,
                call.initial, call.initialCell, call.peepholes});
  return share ? LstmCell(call).run() : share.status();
}

namespace {

/// The states of all heads, on their way through the steps.
class LinearHeads {
public:
  explicit LinearHeads(const LinearAttentionCall &call)
      : call(call), query(numbersOf(call.query)), key(numbersOf(call.key)),
        value(numbersOf(call.value)), states(numbersOf(call.state)),
        decay(numbersOf(call.decay)), rate(numbersOf(call.rate)),
        out(size_t(call.out.type->elements())) {
    const Ints &shape = call.query.type->shape;
    batch = size_t(shape[0]), steps = size_t(shape[1]);
    heads = size_t(shape[2]), shared = size_t(shape[3]);
    keys = size_t(shape[4]);
    values = size_t(call.value.type->shape[3]);
    const bool both = call.rule == LinearRule::GatedDelta;
    if (call.decay && (both || call.rule == LinearRule::Gated))
      decays = size_t(call.decay->type->shape[3]);
    if (call.rate && (both || call.rule == LinearRule::Delta))
      rates = size_t(call.rate->type->shape[2]);
  }

  void run() {
    for (size_t row = 0; row < batch * steps; ++row)
      for (size_t head = 0; head < heads; ++head) {
        auto state = std::span(states).subspan(
            (row / steps * heads + head) * keys * values, keys * values);
        advance(row, head, state);
        attend(row * heads + head, state);
      }
    storeNumbers(out, call.out);
    storeNumbers(states, call.last);
  }

private:
  void advance(size_t row, size_t head, std::span<double> state) const {
    const size_t place = row * heads + head;
    for (size_t i = 0; decays && i < keys; ++i) {
      double factor = std::exp(decay[place * decays + (decays == 1 ? 0 : i)]);
      for (double &element : state.subspan(i * values, values))
        element *= factor;
    }
    for (size_t j = 0; j < values; ++j) {
      double added = value[place * values + j];
      for (size_t i = 0; rates && i < keys; ++i)
        added -= key[place * keys + i] * state[i * values + j];
      if (rates)
        added *= rate[row * rates + (rates == 1 ? 0 : head)];
      for (size_t i = 0; i < keys; ++i)
        state[i * values + j] += key[place * keys + i] * added;
    }
  }

  void attend(size_t place, std::span<const double> state) {
    for (size_t q = place * shared; q < (place + 1) * shared; ++q)
      for (size_t i = 0; i < keys; ++i)
        for (size_t j = 0; j < values; ++j)
          out[q * values + j] +=
              call.scale * query[q * keys + i] * state[i * values + j];
  }

  const LinearAttentionCall &call;
  Row query, key, value, states, decay, rate, out;
  size_t batch, steps, heads, shared, keys, values;
  size_t decays = 0, rates = 0; ///< of a head or of all; 0 without
};

} // namespace

Status kernels::linearAttention(const LinearAttentionCall &call) {
  Result<MemoryBudget::Share> share =
      takeRows({&call.out, &call.last, &call.query, &call.key, &call.value,
                &call.state, call.decay, call.rate});
  if (!share)
    return share.status();
  LinearHeads(call).run();
  return Status();
}
