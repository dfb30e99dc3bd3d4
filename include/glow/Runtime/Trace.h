//===- Trace.h - steps and spans over time ----------------------*- C++ -*-===//
// SPDX-License-Identifier: MIT

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

/// One step of a run. The texts are valid during the call.
struct StepEvent {
  std::string_view node;        ///< the node's name in the model
  std::string_view instruction; ///< its mnemonic
  std::chrono::steady_clock::time_point begin, end;
  std::span<const TensorView> results = {}; ///< valid during the call
  uint64_t parent = 0; ///< the span of the run; 0 without one
};

/// A span of time in the life of a request. "request" is all of it, with the
/// caller's span as parent; "queue" is the time in a queue, "run" the time on a
/// device within the request. "part" is the work of one thread on a step, and
/// has no span of its own. Texts are valid during the call.
struct SpanEvent {
  uint64_t span, parent; ///< 0 for none
  std::string_view name; ///< name of the model, or of the step's node
  std::string_view category;
  std::chrono::steady_clock::time_point begin, end;
};

/// Observer of the steps of a device's runs, on the thread of the run, and of
/// the spans of requests, on any thread.
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

  /// Note on the steps of a node and an instruction.
  struct Note {
    std::string members;   ///< members of a JSON object: "\"kernel\":
                           ///< \"winograd\""
    double operations = 0; ///< on elements, for a rate; 0 if unknown
  };
  using Notes = std::map<std::pair<std::string, std::string>, Note>;

  /// The steps and spans so far, as JSON for chrome://tracing and Perfetto.
  /// Each is a complete event ("ph": "X"). A step has the name of its node, the
  /// category of its instruction, and the row of the reporting thread. Times
  /// are in microseconds since the first event. "args" has "span" and "parent"
  /// where they exist, the types of a step's results, its note, and its
  /// operations in a second.
  std::string chromeJson(const Notes &notes = {}) const;

private:
  struct Row {
    std::string node, instruction;
    std::chrono::steady_clock::time_point begin, end;
    uint64_t span, parent;
    std::string shape; ///< types of the results
    size_t thread;     ///< from 1 on, in the order of arrival
  };
  void add(Row row);

  mutable std::mutex mutex;
  std::vector<Row> rows;
  std::vector<std::thread::id> threads;
};

/// `text` in quotes, as a JSON string. Bytes that are no UTF-8 stay.
std::string jsonText(std::string_view text);

} // namespace glow

#endif // GLOW_RUNTIME_TRACE_H
