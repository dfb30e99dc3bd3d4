//===- Trace.cpp - steps and spans over time ------------------------------===//
// SPDX-License-Identifier: MIT

#include "glow/Runtime/Trace.h"
#include "glow/Base/OneLine.h"
#include <algorithm>
#include <cstdio>

using namespace glow;

/// Called by any thread, when a step or span has ended.
void Trace::add(Row row) {
  std::lock_guard lock(mutex);
  auto self = std::ranges::find(threads, std::this_thread::get_id());
  row.thread = size_t(self - threads.begin()) + 1;
  if (self == threads.end())
    threads.push_back(std::this_thread::get_id());
  rows.push_back(std::move(row));
}

void Trace::stepDone(const StepEvent &event) {
  std::string shape;
  for (const TensorView &result : event.results)
    shape += (shape.empty() ? "" : ", ") + result.type->text();
  add({std::string(event.node), std::string(event.instruction), event.begin,
       event.end, 0, event.parent, std::move(shape), 0});
}

void Trace::spanDone(const SpanEvent &event) {
  add({std::string(event.name), std::string(event.category), event.begin,
       event.end, event.span, event.parent, "", 0});
}

std::string glow::jsonText(std::string_view text) {
  std::string quoted = "\"";
  for (; !text.empty(); text.remove_prefix(1)) {
    const char c = text[0];
    const size_t length = characterLength(text);
    if (length == 0) {
      quoted += "\\ufffd"; // names in models are any bytes
    } else if (length > 1) {
      quoted += text.substr(0, length);
      text.remove_prefix(length - 1);
    } else if (c == '"' || c == '\\') {
      quoted += '\\';
      quoted += c;
    } else if (static_cast<unsigned char>(c) < 0x20) {
      char escape[8];
      std::snprintf(escape, sizeof escape, "\\u%04x", c);
      quoted += escape;
    } else {
      quoted += c;
    }
  }
  return quoted + '"';
}

static std::string microseconds(std::chrono::steady_clock::duration time) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3f",
                std::chrono::duration<double, std::micro>(time).count());
  return text;
}

/// The names of the threads, which are their numbers.
static std::string rowNames(size_t threads) {
  std::string json;
  for (size_t i = 1; i <= threads; ++i)
    json +=
        (i > 1 ? ",\n" : "\n") +
        std::string("{\"name\": \"thread_name\", \"ph\": \"M\", \"pid\": 1, "
                    "\"tid\": ") +
        std::to_string(i) + ", \"args\": {\"name\": \"thread " +
        std::to_string(i) + "\"}}";
  return json;
}

std::string Trace::chromeJson(const Notes &notes) const {
  std::lock_guard lock(mutex);
  auto first = std::chrono::steady_clock::time_point::max();
  for (const Row &row : rows)
    // Rows of several threads are not in order of time.
    first = std::min(first, row.begin);
  std::string json = "{\"displayTimeUnit\": \"ms\", \"traceEvents\": [" +
                     rowNames(threads.size());
  for (const Row &row : rows) {
    const std::string &name = row.node.empty() ? row.instruction : row.node;
    json +=
        ",\n{\"name\": " + jsonText(name) +
        ", \"cat\": " + jsonText(row.instruction) +
        ", \"ph\": \"X\", \"pid\": 1, \"tid\": " + std::to_string(row.thread) +
        ", \"ts\": " + microseconds(row.begin - first) +
        ", \"dur\": " + microseconds(row.end - row.begin);
    std::string arguments;
    auto say = [&](const std::string &member) {
      arguments += (arguments.empty() ? "" : ", ") + member;
    };
    if (row.span || row.parent)
      say("\"span\": " + std::to_string(row.span) +
          ", \"parent\": " + std::to_string(row.parent));
    if (!row.shape.empty())
      say("\"shape\": " + jsonText(row.shape));
    if (auto note = notes.find({row.node, row.instruction});
        note != notes.end() && row.span == 0) {
      if (!note->second.members.empty())
        say(note->second.members);
      auto seconds = std::chrono::duration<double>(row.end - row.begin);
      if (note->second.operations > 0 && seconds.count() > 0)
        say("\"gflop_per_s\": " +
            std::to_string(note->second.operations / seconds.count() / 1e9));
    }
    if (!arguments.empty())
      json += ", \"args\": {" + arguments + "}";
    json += "}";
  }
  return json + "\n]}\n";
}
