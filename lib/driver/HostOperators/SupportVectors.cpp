//===- SupportVectors.cpp - classes that vote against one another ---------===//
// SPDX-License-Identifier: MIT
//
// Follows LIBSVM, as ONNX's operator does: each pair of classes has a score, a
// class gets a vote for each pair that it wins, and probabilities are fitted to
// the scores of all pairs. Inconsistent attributes are reported before any of
// them is used as an index.
//
//===----------------------------------------------------------------------===//

#include "glow/Base/VisitKind.h"
#include "glow/HostOperators/Functions.h"
#include "glow/Values/Texts.h"
#include <algorithm>
#include <cmath>
#include <numeric>

using namespace glow;

namespace {

using Row = std::span<const double>;

/// The attributes of a node. Without vectors, each class has one list of
/// coefficients, and its score is linear.
struct Machine {
  Reals vectors, coefficients, rho, probA, probB, kernelParams;
  Ints counts; ///< vectors of each class
  std::string kernel, after;
  std::vector<std::string> names;
  Ints numbers; ///< class numbers, if there are no names
  size_t classes = 0, total = 0, features = 0;

  Status read(const HostCall &call, size_t columns);
  void readAttributes(const HostCall &call);
  Status checkCounts() const;
  size_t pairs() const { return classes * (classes - 1) / 2; }
  bool hasProbabilities() const { return total && !probA.empty(); }

  double near(Row x, Row vector) const;
  Reals scores(Row x, Reals &votes) const;
  Reals linearScores(Row x) const;
  Reals probabilities(const Reals &scores) const;
  int64_t labelOf(const Reals &votes, bool &known) const;
};

} // namespace

void Machine::readAttributes(const HostCall &call) {
  auto reals = [&](const char *name) {
    return call.attribute<Reals>(name, {});
  };
  vectors = reals("support_vectors");
  coefficients = reals("coefficients");
  rho = reals("rho");
  probA = reals("prob_a");
  probB = reals("prob_b");
  kernelParams = reals("kernel_params");
  kernelParams.resize(std::max<size_t>(kernelParams.size(), 3));
  counts = call.attribute<Ints>("vectors_per_class", {});
  kernel = call.attribute<std::string>("kernel_type", "LINEAR");
  after = call.attribute<std::string>("post_transform", "NONE");
  names = call.attribute<std::vector<std::string>>("classlabels_strings", {});
  numbers = call.attribute<Ints>("classlabels_ints", {});
  classes = std::max<size_t>({names.size(), numbers.size(), 1});
}

Status Machine::read(const HostCall &call, size_t columns) {
  readAttributes(call);
  features = columns;
  for (int64_t count : counts) {
    if (count < 0 || uint64_t(count) > vectors.size())
      return failure(Code::InvalidArgument, "vectors_per_class has ", count,
                     ", but there are only ", vectors.size(), " numbers");
    total += size_t(count);
  }
  return checkCounts();
}

Status Machine::checkCounts() const {
  const size_t columns = features;
  size_t lists = total ? classes - 1 : classes;
  if (total && (counts.size() != classes || classes < 2 ||
                vectors.size() % columns || vectors.size() / columns != total))
    return failure(Code::InvalidArgument, "there are ", counts.size(),
                   " counts and ", vectors.size(), " numbers of vectors, but ",
                   classes, " classes and ", total, " vectors of ", columns,
                   " numbers");
  if (coefficients.size() != lists * (total ? total : columns))
    return failure(Code::InvalidArgument, "there are ", coefficients.size(),
                   " coefficients, but ", lists, " times ",
                   total ? total : columns, " are needed");
  if (rho.size() < (total ? pairs() : 1) ||
      (hasProbabilities() && std::min(probA.size(), probB.size()) < pairs()))
    return failure(Code::InvalidArgument, "rho has ", rho.size(), ", prob_a ",
                   probA.size(), " and prob_b ", probB.size(),
                   " numbers, but there are ", pairs(), " pairs of classes");
  return Status();
}

double Machine::near(Row x, Row vector) const {
  double dot = std::inner_product(x.begin(), x.end(), vector.begin(), 0.0);
  // gamma, coef0 and degree, in ONNX's order.
  const double gamma = kernelParams[0], offset = kernelParams[1];
  if (kernel == "POLY")
    return std::pow(gamma * dot + offset, kernelParams[2]);
  if (kernel == "SIGMOID")
    return std::tanh(gamma * dot + offset);
  if (kernel != "RBF")
    return dot;
  double away = 0;
  for (size_t i = 0; i < x.size(); ++i)
    away += (x[i] - vector[i]) * (x[i] - vector[i]);
  return std::exp(-gamma * away);
}

Reals Machine::linearScores(Row x) const {
  Reals result;
  for (size_t i = 0; i < classes; ++i)
    result.push_back(
        rho[0] + std::inner_product(x.begin(), x.end(),
                                    coefficients.begin() + i * features, 0.0));
  return result;
}

/// The score of each pair of classes, and the number of pairs that each class
/// wins.
Reals Machine::scores(Row x, Reals &votes) const {
  if (!total)
    return linearScores(x);
  Reals kernels, result;
  for (size_t i = 0; i < total; ++i)
    kernels.push_back(near(x, Row(vectors).subspan(i * features, features)));
  std::vector<size_t> starts{0};
  for (int64_t count : counts)
    starts.push_back(starts.back() + size_t(count));
  auto sum = [&](size_t list, size_t of) {
    double value = 0;
    for (size_t k = starts[of]; k < starts[of + 1]; ++k)
      value += coefficients[list * total + k] * kernels[k];
    return value;
  };
  votes.assign(classes, 0);
  for (size_t i = 0; i < classes; ++i)
    for (size_t j = i + 1; j < classes; ++j) {
      result.push_back(rho[result.size()] + sum(j - 1, i) + sum(i, j));
      ++votes[result.back() > 0 ? i : j];
    }
  return result;
}

/// Wu, Lin and Weng, "Probability estimates for multi-class classification by
/// pairwise coupling", the second method, as LIBSVM iterates it.
Reals Machine::probabilities(const Reals &scores) const {
  const size_t k = classes;
  std::vector<Reals> r(k, Reals(k)), q(k, Reals(k));
  size_t pair = 0;
  for (size_t i = 0; i < k; ++i)
    for (size_t j = i + 1; j < k; ++j, ++pair) {
      double share =
          1 / (1 + std::exp(scores[pair] * probA[pair] + probB[pair]));
      // A share of exactly 0 would cause a division by 0 below.
      r[i][j] = std::clamp(share, 1e-7, 1 - 1e-7);
      r[j][i] = 1 - r[i][j];
    }
  for (size_t t = 0; t < k; ++t)
    for (size_t j = 0; j < k; ++j)
      if (j != t) {
        q[t][t] += r[j][t] * r[j][t];
        q[t][j] = -r[j][t] * r[t][j];
      }
  Reals p(k, 1.0 / double(k)), qp(k);
  for (size_t round = 0; round < std::max<size_t>(100, k); ++round) {
    double pqp = 0, error = 0;
    for (size_t t = 0; t < k; ++t) {
      qp[t] = std::inner_product(p.begin(), p.end(), q[t].begin(), 0.0);
      pqp += p[t] * qp[t];
    }
    for (double value : qp)
      error = std::max(error, std::abs(value - pqp));
    if (error < 0.005 / double(k))
      break;
    for (size_t t = 0; t < k; ++t) {
      double step = (pqp - qp[t]) / q[t][t], scale = 1 + step;
      p[t] += step;
      pqp = (pqp + step * (step * q[t][t] + 2 * qp[t])) / scale / scale;
      for (size_t j = 0; j < k; ++j) {
        qp[j] = (qp[j] + step * q[t][j]) / scale;
        p[j] /= scale;
      }
    }
  }
  return p;
}

/// The index of the class with most votes. With a single score, and not two
/// classes, the result is instead whether the score is positive; `known` is
/// false.
int64_t Machine::labelOf(const Reals &votes, bool &known) const {
  auto most = std::ranges::max_element(votes);
  known = rho.size() != 1 || classes == 2;
  if (!known)
    return *most > 0;
  bool allPositive =
      std::ranges::all_of(coefficients, [](double c) { return c >= 0; });
  if (rho.size() == 1 && !hasProbabilities() && allPositive && *most >= 0.5)
    return 1;
  return most - votes.begin();
}

static Status transform(Reals &scores, const std::string &after) {
  if (after == "NONE")
    return Status();
  if (after == "LOGISTIC") {
    for (double &score : scores)
      score = 1 / (1 + std::exp(-score));
    return Status();
  }
  if (after != "SOFTMAX" && after != "SOFTMAX_ZERO")
    return failure(Code::Unsupported, "post_transform ", after,
                   " is not supported");
  double highest = std::ranges::max(scores), sum = 0;
  bool zero = after == "SOFTMAX_ZERO";
  for (double &score : scores) {
    bool counts = !zero || std::abs(score) > 1e-7;
    score = counts ? std::exp(score - highest) : score * std::exp(-highest);
    sum += counts ? score : 0;
  }
  for (double &score : scores)
    score /= sum;
  return Status();
}

static Status setLabels(HostCall &call, const Machine &machine,
                        const Ints &places, bool known) {
  const int64_t rows = int64_t(places.size());
  if (known && !machine.names.empty()) {
    TextList texts;
    for (int64_t place : places)
      if (Status status = texts.add(machine.names[size_t(place)]); !status.ok())
        return status;
    return call.setOutput(0, Strings{{rows}, texts.take()});
  }
  Ints labels = places;
  if (known && !machine.numbers.empty())
    for (int64_t &label : labels)
      label = machine.numbers[size_t(label)];
  return call.setOutput(0, tensorOf<int64_t>({rows}, labels));
}

Status glow::host::svmClassifier(HostCall &call) {
  Result<const Tensor *> in = call.tensor(0);
  Result<Reals> x = call.reals(0);
  if (!in || !x)
    return in ? x.status() : in.status();
  const Ints &shape = (*in)->type().shape;
  if (shape.size() != 2 || shape[1] < 1)
    return failure(Code::ShapeMismatch, "input 0 is ", call.input(0)->text(),
                   ", but rows of at least one column are wanted");
  Machine machine;
  const size_t columns = size_t(shape[1]);
  if (Status status = machine.read(call, columns); !status.ok())
    return status;
  Ints places;
  std::vector<float> all;
  bool known = true;
  for (int64_t row = 0; row < shape[0]; ++row) {
    Reals votes;
    Reals scores =
        machine.scores(Row(*x).subspan(size_t(row) * columns, columns), votes);
    if (machine.hasProbabilities())
      scores = machine.probabilities(scores);
    places.push_back(machine.labelOf(votes.empty() ? scores : votes, known));
    if (scores.size() == 1 && machine.classes == 2)
      // For two classes, the score of the first is the negated score of the
      // second.
      scores.insert(scores.begin(), -scores[0]);
    if (Status status = transform(scores, machine.after); !status.ok())
      return status;
    all.insert(all.end(), scores.begin(), scores.end());
  }
  if (Status status = setLabels(call, machine, places, known); !status.ok())
    return status;
  int64_t width = shape[0] ? int64_t(all.size()) / shape[0] : 0;
  return call.setOutput(1, tensorOf<float>({shape[0], width}, all));
}
