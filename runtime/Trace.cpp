//===- Trace.cpp - what ran when ------------------------------------------===//

#include "glow/Runtime/Trace.h"
#include "glow/Base/OneLine.h"
#include <algorithm>
#include <cstdio>

using namespace glow;

void Trace::stepDone(const StepEvent &event) {
  std::lock_guard lock(mutex);
  rows.push_back({std::string(event.node), std::string(event.instruction),
                  event.begin, event.end, 0, event.parent});
}

void Trace::spanDone(const SpanEvent &event) {
  std::lock_guard lock(mutex);
  rows.push_back({std::string(event.name), std::string(event.category),
                  event.begin, event.end, event.span, event.parent});
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

std::string Trace::chromeJson() const {
  std::lock_guard lock(mutex);
  auto first = std::chrono::steady_clock::time_point::max();
  for (const Row &row : rows)
    // Steps of several threads do not come in order.
    first = std::min(first, row.begin);
  std::string json = "{\"displayTimeUnit\": \"ms\", \"traceEvents\": [";
  for (const Row &row : rows) {
    json += &row == rows.data() ? "\n" : ",\n";
    const std::string &name = row.node.empty() ? row.instruction : row.node;
    json += "{\"name\": " + jsonText(name) +
            ", \"cat\": " + jsonText(row.instruction) +
            ", \"ph\": \"X\", \"pid\": 1, \"tid\": 1, \"ts\": " +
            microseconds(row.begin - first) +
            ", \"dur\": " + microseconds(row.end - row.begin);
    if (row.span || row.parent)
      json += ", \"args\": {\"span\": " + std::to_string(row.span) +
              ", \"parent\": " + std::to_string(row.parent) + "}";
    json += "}";
  }
  return json + "\n]}\n";
}
