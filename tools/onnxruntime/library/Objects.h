//===- Objects.h - objects that applications have handles of ----*- C++ -*-===//
// SPDX-License-Identifier: MIT

#ifndef GLOW_TOOLS_ONNXRUNTIME_LIBRARY_OBJECTS_H
#define GLOW_TOOLS_ONNXRUNTIME_LIBRARY_OBJECTS_H

#include "Engine.h"
#include <atomic>
#include <condition_variable>
#include <map>

struct OrtStatus {
  int code;
  std::string text;
};

struct OrtMemoryInfo {
  std::string name = "Cpu";
  int allocator = OrtDeviceAllocator;
  int id = 0;
  int memory = OrtMemTypeDefault;
  int device = OrtDeviceTypeCpu;
  int deviceMemory = 0;
  uint32_t vendor = 0;
  bool operator==(const OrtMemoryInfo &) const = default;
};

struct OrtThreadingOptions {
  int threads = 0;
};

struct OrtEnv {
  int threads = 0; ///< for sessions without threads of their own; 0: Glow's
};

struct OrtKeyValuePairs {
  std::map<std::string, std::string> entries;
  std::vector<const char *> keys, values; ///< those of `entries`
  void set(const std::string &key, const std::string &value);
  void remove(const std::string &key);

private:
  void list();
};

struct OrtSessionOptions {
  std::map<std::string, std::string> entries; ///< of the configuration
  std::map<std::string, int64_t> sizes;       ///< of named dimensions
  glow::ort::Settings settings;               ///< options of Glow
  int threads = 0;
  bool sharesThreads = false;
  int mode = 0;
  int memoryPattern = 1;
};

/// Runs of these options may be ended from another thread.
struct OrtRunOptions {
  int verbosity = 0;
  int severity = -1;
  std::string tag;
  std::map<std::string, std::string> entries;

  /// A run registers its call; throws Failure if runs are ended already.
  void begin(glow_call &call) const;
  void end(glow_call &call) const;
  void checkGoesOn() const;
  /// Ends all runs, and returns when they are over.
  void terminate();
  std::atomic<bool> ended = false;

private:
  mutable std::mutex mutex; ///< of `running`
  mutable std::condition_variable over;
  mutable std::vector<glow_call *> running;
};

struct OrtTensorTypeAndShapeInfo : glow::ort::TensorType {};

struct OrtMapTypeInfo {
  int key = 0;
  std::shared_ptr<OrtTypeInfo> value;
};
struct OrtSequenceTypeInfo {
  std::shared_ptr<OrtTypeInfo> element;
};
struct OrtOptionalTypeInfo {
  std::shared_ptr<OrtTypeInfo> content;
};

/// The member of the kind has its details.
struct OrtTypeInfo {
  int kind = ONNX_TYPE_UNKNOWN;
  OrtTensorTypeAndShapeInfo tensor = {};
  OrtMapTypeInfo map = {};
  OrtSequenceTypeInfo sequence = {};
  OrtOptionalTypeInfo optional = {};
  std::string denotation = {};
};

#endif
