// SPDX-License-Identifier: MIT
// A runtime that is too old for the provider: old LIBRARY
#include "ProviderInterface.h"
#include <cstdio>
#include <dlfcn.h>

using namespace glow::ort;

struct OrtStatus {
  int code;
  char text[300];
};

static Status made;

static Status *make(int code, const char *text) {
  made.code = code;
  std::snprintf(made.text, sizeof made.text, "%s", text);
  return &made;
}

/// A table with the only entry of this runtime.
static const Api *first() {
  static Api table = {};
  table.CreateStatus = make;
  return &table;
}

int main(int, char **arguments) {
  void *library = dlopen(arguments[1], RTLD_NOW);
  if (!library) {
    std::printf("%s\n", dlerror());
    return 1;
  }
  using Create = Status *(const char *, const Base *, const Logger *,
                          Factory **, size_t, size_t *);
  auto *create =
      reinterpret_cast<Create *>(dlsym(library, "CreateEpFactories"));
  Base base = {[](uint32_t version) -> const Api * {
                 std::printf("version %u is asked for\n", version);
                 return version <= 23 ? first() : nullptr;
               },
               [] { return "1.23.2"; }};
  Factory *factories[1] = {};
  size_t count = 0;
  Status *status = create("glow", &base, nullptr, factories, 1, &count);
  if (!status)
    return 1;
  std::printf("code %d: %s\n", status->code, status->text);
  std::printf("%zu factories\n", count);
  return 0;
}
