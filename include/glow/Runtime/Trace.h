//===- Trace.h - what ran when ----------------------------------*- C++ -*-===//

#ifndef GLOW_RUNTIME_TRACE_H
#define GLOW_RUNTIME_TRACE_H

#include "glow/Program/Tensor.h"
#include <chrono>
#include <map>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace glow {

/// One step of a run. The texts live as long as the call.
struct StepEvent {
  std::string_view node;        ///< the model's name of it
  std::string_view instruction; ///< its mnemonic
  std::chrono::steady_clock::time_point begin, end;
  std::span<const TensorView> results = {}; ///< as long as the call
  uint64_t parent = 0; ///< the span of the run; 0 if nothing asked
};

/// A time in the life of a request: all of it ("request", whose parent is what
/// the caller said), in a queue ("queue"), on a device ("run"), within it; or
/// of one of a step's threads ("part", without a span). Texts live as the call.
struct SpanEvent {
  uint64_t span, parent; ///< 0: none
  std::string_view name; ///< of the model, or of the step's node
  std::string_view category;
  std::chrono::steady_clock::time_point begin, end;
};

/// Is told about every step of a device's runs, on the thread that ran it, and
/// about spans of requests, on any thread.
class StepObserver {
public:
  virtual ~StepObserver() = default;
  virtual void stepDone(const StepEvent &event) = 0;
  virtual void spanDone(const SpanEvent &event) {}
};

/// Collects steps, and prints them as a Chrome trace.
class Trace final : public StepObserver {
public:
  void stepDone(const StepEvent &event) override;
  void spanDone(const SpanEvent &event) override;

  /// What is said of the steps of a node and an instruction.
  struct Note {
    std::string members;   ///< of a JSON object: "\"kernel\": \"winograd\""
    double operations = 0; ///< on elements, for a rate; 0 if unknown
  };
  using Notes = std::map<std::pair<std::string, std::string>, Note>;

  /// The steps and spans so far, as JSON that chrome://tracing and Perfetto
  /// open: one complete event ("ph": "X") each, a step named by its node, of
  /// the category of its instruction, in the row of the thread that told of it;
  /// times in microseconds since the first. "args" has "span" and "parent"
  /// where there are any, the types of what a step wrote, its note, and how
  /// many operations it made in a second.
  std::string chromeJson(const Notes &notes = {}) const;

private:
  struct Row {
    std::string node, instruction;
    std::chrono::steady_clock::time_point begin, end;
    uint64_t span, parent;
    std::string shape; ///< of the results
    size_t thread;     ///< counted from 1 on, as they came
  };
  void add(Row row);

  mutable std::mutex mutex;
  std::vector<Row> rows;
  std::vector<std::thread::id> threads;
};

/// `text` between quotes, as JSON spells it. Bytes that are no UTF-8 stay.
std::string jsonText(std::string_view text);

} // namespace glow

#endif // GLOW_RUNTIME_TRACE_H
