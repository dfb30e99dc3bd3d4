//===- BundleHeader.cpp - the header of a bundle --------------------------===//
// SPDX-License-Identifier: MIT
//
// The header of a static bundle has sizes and offsets as macros, which the
// user's compiler sees as constants. The header of a dynamic bundle declares a
// table, so that one program can load any bundle. Code of users depends on the
// names. An entry point of open sizes has structs for the sizes of a run.
//
//===----------------------------------------------------------------------===//

#include "Bundle.h"
#include "glow/Base/WordsOfCxx.h"
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

/// The tables of entry points of open sizes; guarded as well.
static constexpr const char *dynamicSizes = R"(
#ifndef GLOW_BUNDLE_SIZES
#define GLOW_BUNDLE_SIZES

struct BundleSize {
  const char *name;
  /* A multiple of 0 is that of a size which the run computes and writes. */
  int64_t least, greatest, multiple;
};

struct BundleSizes {
  size_t numSizes;                /* of the numbers of a run */
  const struct BundleSize *sizes; /* one for each, in order */
  /* The number of dimensions of each symbol that is an input or output. */
  const size_t *ranks;
};

#endif /* GLOW_BUNDLE_SIZES */
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

/// The status that only entry points of open sizes return.
static constexpr const char *openStatus = R"(
#ifndef GLOW_WRONG_SIZES
/* What entry points of open sizes return for sizes that are out of range, or
   that the model does not take together. */
#define GLOW_WRONG_SIZES 3
#endif
)";

namespace {

class HeaderWriter {
public:
  HeaderWriter(const Bundle &bundle, const EmitRequest &request)
      : bundle(bundle), request(request),
        visible(signaturesOf(bundle, request)), os(text) {}

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
    bool isOpen = llvm::any_of(bundle.entries, [](const BundleEntry &entry) {
      return entry.isOpen();
    });
    if (isOpen)
      os << openStatus << (request.dynamicApi ? dynamicSizes : "");
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
    if (entry.isOpen())
      writeSizes(entry, upper);
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
       << std::string(entry.name.size() + 5, ' ') << "uint8_t *activations";
    if (entry.isOpen())
      os << ", " << parameter(entry.name, 3);
    os << ");\n";
  }

  std::string parameter(const std::string &function, size_t number) {
    const CSignature::Parameter &given =
        visible.at(function).parameters[number];
    return given.type + given.name;
  }

  /// Declares a function of two parameters.
  void declare(const std::string &function) {
    os << visible.at(function).result << function << "("
       << parameter(function, 0) << ", " << parameter(function, 1) << ");\n";
  }

  /// Declares the tables, structs and functions for open sizes.
  void writeSizes(const BundleEntry &entry, const std::string &upper) {
    if (request.dynamicApi)
      os << "\n/* The sizes of a run, in the order of sizes[]. */\n"
         << "extern const struct BundleSizes " << entry.name << "_sizes;\n";
    else
      writeSizesOfRun(entry, upper);
    if (!entry.native.program.conditions.empty()) {
      os << "/* Sizes for which all of this holds:";
      for (const SizeCondition &condition : entry.native.program.conditions)
        os << "\n     " << condition.text();
      os << " */\n";
    }
    if (!request.dynamicApi)
      writeTensorsOfRun(entry);
    os << (request.dynamicApi ? R"(
/* Finds the inputs and outputs of a run, whose elements are dense: for each, in
   the order of the symbols, the number of elements and the size of each
   dimension. Returns GLOW_SUCCESS, or GLOW_WRONG_SIZES. */
)"
                              : R"(
/* Finds the inputs and outputs of a run. Returns GLOW_SUCCESS, or
   GLOW_WRONG_SIZES. */
)");
    if (!entry.computed.empty())
      os << "/* Before a run, sizes that it computes are those in the struct; "
            "after a run,\n   those of the run. */\n";
    declare(entry.name + "_measure");
    os << R"(
/* The text of a mistake in sizes, the first for number 0, the next for number 1;
   a null pointer if there are not as many. */
)";
    declare(entry.name + "_mistake");
  }

  void writeSizesOfRun(const BundleEntry &entry, const std::string &upper) {
    os << "\n/* The sizes of a run. */\nstruct " << entry.name << "_sizes {\n";
    std::set<std::string> fields;
    for (const SizeVariable &size : entry.sizes) {
      os << "  int64_t " << fieldName(fields, size.name) << "; /* "
         << comment(size.name) << ": from " << size.low << " to " << size.high;
      if (size.multiple != 1)
        os << ", a multiple of " << size.multiple;
      os << " */\n";
    }
    for (const SizeVariable &size : entry.computed)
      os << "  int64_t " << fieldName(fields, size.name)
         << "; /* the run writes it: from " << size.low << " to " << size.high
         << " */\n";
    os << "};\n";
    for (const auto *sizes : {&entry.sizes, &entry.computed})
      for (const SizeVariable &size : *sizes) {
        std::string name = macroName(upper, size.name, {"_MIN", "_MAX"});
        define(name + "_MIN", uint64_t(size.low));
        define(name + "_MAX", uint64_t(size.high));
      }
  }

  void writeTensorsOfRun(const BundleEntry &entry) {
    os << R"(
/* Inputs and outputs of a run, whose elements are dense: number of elements,
   and size of each dimension. */
)";
    os << "struct " << entry.name << "_tensors {\n";
    std::set<std::string> fields;
    const Program &program = entry.native.program;
    for (const auto *bindings : {&program.inputs, &program.outputs})
      for (const Binding &binding : *bindings) {
        os << "  struct { int64_t elements";
        if (size_t rank = binding.type.shape.size())
          os << ", sizes[" << rank << "]";
        os << "; } " << fieldName(fields, binding.name) << "; /* "
           << comment(binding.name) << ": " << typeText(binding) << " */\n";
      }
    os << "};\n";
  }

  void writeMacros(const BundleEntry &entry, const std::string &upper) {
    const Program &program = entry.native.program;
    std::string bundleUpper = llvm::StringRef(bundle.name).upper();
    bool isOpen = entry.isOpen();
    os << "\n/* Sizes of its regions, in bytes"
       << (isOpen ? ", for the greatest sizes. */\n" : ". */\n");
    define(upper + "_MUTABLE_MEM_SIZE", entry.mutableBytes);
    define(upper + "_ACTIVATIONS_MEM_SIZE", entry.activationBytes);
    const char *most = isOpen ? " at most" : "";
    writeTensors("Inputs", upper, program.inputs, entry.inputs, most);
    writeTensors("Outputs", upper, program.outputs, entry.outputs, most);
  }

  void writeTensors(const char *what, const std::string &upper,
                    const std::vector<Binding> &bindings,
                    const std::vector<uint64_t> &offsets, const char *most) {
    os << "\n/* " << what << ": where in mutableWeight, and how many elements"
       << most << ". */\n";
    for (auto [binding, offset] : llvm::zip(bindings, offsets)) {
      std::string name = macroName(upper, binding.name, {"_SIZE"});
      os << "/* " << comment(binding.name) << ": " << typeText(binding) << ", "
         << (*most ? "at most " : "") << binding.type.bytes() << " bytes */\n";
      define(name, offset);
      define(name + "_SIZE", uint64_t(binding.type.elements()));
    }
  }

  /// The type, with the sizes of a run as expressions.
  static std::string typeText(const Binding &binding) {
    if (binding.lengths.empty())
      return binding.type.text();
    std::string sizes;
    for (const Length &length : binding.lengths)
      sizes += (sizes.empty() ? "" : ",") + length.text();
    return std::string(name(binding.type.kind)) + "[" + sizes + "]";
  }

  /// The characters of a name that C has in names.
  static std::string lettersOf(const std::string &text) {
    std::string name = text;
    for (char &c : name)
      c = llvm::isAlnum(c) ? c : '_';
    return name;
  }

  /// Adds the name of a field to those of its struct.
  static std::string fieldName(std::set<std::string> &fields,
                               const std::string &text) {
    std::string name = lettersOf(text);
    bool isReserved = isWordOfCxx(name) || name == "restrict" || name.empty();
    if (isReserved || llvm::isDigit(name[0]))
      name = "_" + name;
    for (std::string first = name; !fields.insert(name).second;)
      name = first + "_" + std::to_string(fields.size());
    return name;
  }

  /// `<entry>_<name>`, with a number if it is in use already, alone or with one
  /// of the suffixes.
  std::string macroName(const std::string &upper, const std::string &text,
                        std::vector<std::string> suffixes) {
    std::string name = upper + "_" + lettersOf(text);
    // Names of a model may differ only in characters that no macro has.
    for (std::string first = name; !used.insert(name).second;)
      name = first + "_" + std::to_string(++last);
    for (const std::string &suffix : suffixes)
      used.insert(name + suffix);
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
  const CSignatures visible;
  std::set<std::string> used;
  unsigned last = 1;
  std::string text;
  llvm::raw_string_ostream os;
};

} // namespace

CSignatures cpu::signaturesOf(const Bundle &bundle,
                              const EmitRequest &request) {
  CSignatures visible;
  for (const BundleEntry &entry : bundle.entries) {
    std::vector<CSignature::Parameter> regions = {
        {"const uint8_t *", "constantWeight"},
        {"uint8_t *", "mutableWeight"},
        {"uint8_t *", "activations"}};
    if (entry.isOpen()) {
      auto numbers = [&](const std::string &name) {
        return request.dynamicApi ? std::string("int64_t *")
                                  : "struct " + entry.name + name + " *";
      };
      CSignature::Parameter sizes = {"const " + numbers("_sizes"), "sizes"};
      regions.push_back(
          entry.computed.empty()
              ? sizes
              : CSignature::Parameter{numbers("_sizes"), "sizes"});
      visible[entry.name + "_measure"] = {
          "int ", {sizes, {numbers("_tensors"), "tensors"}}};
      visible[entry.name + "_mistake"] = {"const char *",
                                          {sizes, {"int ", "number"}}};
    }
    visible[entry.name] = {"int ", std::move(regions)};
  }
  return visible;
}

std::string cpu::bundleHeader(const Bundle &bundle,
                              const EmitRequest &request) {
  return HeaderWriter(bundle, request).write();
}
