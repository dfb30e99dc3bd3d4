//===- BundleHeader.cpp - the header of a bundle --------------------------===//
// SPDX-License-Identifier: MIT
//
// The header of a static bundle has sizes and offsets as macros, which the
// user's compiler sees as constants. The header of a dynamic bundle declares a
// table, so that one program can load any bundle. Code of users depends on the
// names.
//
//===----------------------------------------------------------------------===//

#include "Bundle.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"
#include <set>

using namespace glow;
using namespace glow::cpu;

/// Common to all bundles of a program; guarded, since it may include several.
static constexpr const char *common = R"(#include <stddef.h>
#include <stdint.h>

#ifndef GLOW_BUNDLE_COMMON
#define GLOW_BUNDLE_COMMON

/* What entry points return: of a model that finds an input out of range, such
   as an index, and of constants that are those of another bundle. */
#define GLOW_SUCCESS 0
#define GLOW_WRONG_VALUE 1
#define GLOW_WRONG_WEIGHTS 2

/* Puts a variable at a multiple of `size` bytes. */
#if defined(_MSC_VER)
#define GLOW_MEM_ALIGN(size) __declspec(align(size))
#else
#define GLOW_MEM_ALIGN(size) __attribute__((aligned(size)))
#endif

/* The address of an input or output. */
#define GLOW_GET_ADDR(mutableBaseAddr, placeholderOff) \
  (((uint8_t *)(mutableBaseAddr)) + (placeholderOff))
)";

static constexpr const char *dynamicTypes = R"(
struct SymbolTableEntry {
  const char *name;
  size_t offset; /* in bytes, in its region */
  size_t size;   /* in elements */
  char kind;     /* 1: input or output, 0: constant */
};

struct BundleConfig {
  size_t constantWeightVarsMemSize; /* in bytes, as the next two */
  size_t mutableWeightVarsMemSize;
  size_t activationsMemSize;
  size_t alignment; /* of each region */
  size_t numSymbols;
  const struct SymbolTableEntry *symbolTable;
};
)";

namespace {

class HeaderWriter {
public:
  HeaderWriter(const Bundle &bundle, const EmitRequest &request)
      : bundle(bundle), request(request), os(text) {}

  std::string write() {
    std::string guard = "GLOW_BUNDLE_" + llvm::StringRef(bundle.name).upper();
    os << "/* Made by glow compile --emit=bundle; see docs/Bundle.md. */\n\n"
       << "#ifndef " << guard << "\n#define " << guard << "\n\n"
       << common;
    // The types have a guard of their own: a static bundle lacks them.
    os << "\n#endif /* GLOW_BUNDLE_COMMON */\n";
    if (request.dynamicApi)
      os << "\n#ifndef GLOW_BUNDLE_CONFIG\n#define GLOW_BUNDLE_CONFIG\n"
         << dynamicTypes << "\n#endif /* GLOW_BUNDLE_CONFIG */\n";
    os << "\n#ifdef __cplusplus\nextern \"C\" {\n#endif\n";
    writeConstants();
    for (const BundleEntry &entry : bundle.entries)
      writeEntry(entry);
    os << "\n#ifdef __cplusplus\n}\n#endif\n\n#endif /* " << guard << " */\n";
    return text;
  }

private:
  void define(const llvm::Twine &name, uint64_t value) {
    os << "#define " << name << " " << value << "\n";
  }

  void writeConstants() {
    std::string upper = llvm::StringRef(bundle.name).upper();
    if (request.embedWeights)
      os << "\n/* The constants, of all entry points. */\nextern const uint8_t "
         << bundle.name << "_weights[" << bundle.constants.size() << "];\n";
    else
      os << "\n/* The constants, of all entry points: " << bundle.name
         << ".weights. */\n";
    define(upper + "_CONSTANT_MEM_SIZE", bundle.constants.size());
    define(upper + "_MEM_ALIGN", bundle.alignment);
    if (!bundle.hash)
      return;
    os << "/* The last 8 bytes of the constants, which entry points look at. "
          "*/\n#define "
       << upper << "_WEIGHTS_HASH " << llvm::format_hex(bundle.hash, 18)
       << "u\n";
  }

  void writeEntry(const BundleEntry &entry) {
    std::string upper = llvm::StringRef(entry.name).upper();
    os << "\n/* ---- " << entry.name << " ---- */\n";
    if (request.dynamicApi)
      os << "\nextern const struct BundleConfig " << entry.name << "_config;\n";
    else
      writeMacros(entry, upper);
    os << "\n/* Runs the model: regions as above, each at a multiple of "
       << bundle.alignment << " bytes.\n   Inputs and outputs are in "
       << "mutableWeight. Calls may overlap if they share\n   constants only. "
       << "Returns GLOW_SUCCESS, or why there is no result. */\nint "
       << entry.name
       << "(const uint8_t *constantWeight, uint8_t *mutableWeight,\n"
       << std::string(entry.name.size() + 5, ' ') << "uint8_t *activations);\n";
  }

  void writeMacros(const BundleEntry &entry, const std::string &upper) {
    const Program &program = entry.native.program;
    std::string bundleUpper = llvm::StringRef(bundle.name).upper();
    os << "\n/* Sizes of its regions, in bytes. */\n";
    define(upper + "_MUTABLE_MEM_SIZE", entry.mutableBytes);
    define(upper + "_ACTIVATIONS_MEM_SIZE", entry.activationBytes);
    writeTensors("Inputs", upper, program.inputs, entry.inputs);
    writeTensors("Outputs", upper, program.outputs, entry.outputs);
  }

  void writeTensors(const char *what, const std::string &upper,
                    const std::vector<Binding> &bindings,
                    const std::vector<uint64_t> &offsets) {
    os << "\n/* " << what
       << ": where in mutableWeight, and how many elements. */\n";
    for (auto [binding, offset] : llvm::zip(bindings, offsets)) {
      std::string name = macroName(upper, binding.name);
      os << "/* " << comment(binding.name) << ": " << binding.type.text()
         << ", " << binding.type.bytes() << " bytes */\n";
      define(name, offset);
      define(name + "_SIZE", uint64_t(binding.type.elements()));
    }
  }

  /// `<entry>_<tensor>`, with a suffix if the name is in use already.
  std::string macroName(const std::string &upper, const std::string &tensor) {
    std::string name = upper + "_";
    for (char c : tensor)
      name += llvm::isAlnum(c) ? c : '_';
    // Names of a model may differ only in characters that no macro has.
    for (std::string first = name; !used.insert(name).second;)
      name = first + "_" + std::to_string(++last);
    used.insert(name + "_SIZE");
    return name;
  }

  /// A name in a comment, which it cannot end.
  static std::string comment(std::string name) {
    for (char &c : name)
      if (!llvm::isPrint(c) || c == '*' || c == '\\')
        c = '?';
    return name;
  }

  const Bundle &bundle;
  const EmitRequest &request;
  std::set<std::string> used;
  unsigned last = 1;
  std::string text;
  llvm::raw_string_ostream os;
};

} // namespace

std::string cpu::bundleHeader(const Bundle &bundle,
                              const EmitRequest &request) {
  return HeaderWriter(bundle, request).write();
}
