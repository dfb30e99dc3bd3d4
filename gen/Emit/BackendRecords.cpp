//===- BackendRecords.cpp - what tools know of backends, as a table -------===//

#include "Emit/Emit.h"
#include "Expr/Fields.h"
#include "llvm/TableGen/Record.h"

using namespace glow::gen;
using namespace llvm;

static bool emitBackendRecords(const Model &model, raw_ostream &os) {
  os << "static const ::std::vector<::glow::BackendRecord> backendRecords = "
        "{\n";
  for (const Record *backend : model.own("Backend"))
    os << formatv("    {{{0}, {1}, {2}},\n",
                  quoted(textField<"Backend.name">(*backend)),
                  intField<"Backend.preference">(*backend),
                  bitField<"Backend.isReference">(*backend));
  os << "};\n";
  return false;
}

static Emitter backendRecords("gen-backend-records",
                              "emit what tools know of each backend",
                              emitBackendRecords);
