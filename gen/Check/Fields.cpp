//===- Fields.cpp - fields of records that nothing reads ------------------===//
// SPDX-License-Identifier: MIT
//
// A field that nothing reads is never checked, and is refused here. Calls such
// as `textField<"Class.field">` note the fields that this program reads.
// TableGen keeps no trace of the fields that records read from each other while
// it computes them. So the text of the records is searched for these reads.
//
//===----------------------------------------------------------------------===//

#include "Expr/Fields.h"
#include "Check/Check.h"
#include "Model/node/Node.h"
#include "llvm/Support/Regex.h"
#include "llvm/TableGen/Error.h"

using namespace glow::gen;
using namespace llvm;

namespace {

/// The classes whose records this program reads, by name: those of which it
/// reads a field, and those of the records in a field of such a class. Others
/// only compute what records say.
class Vocabulary {
public:
  explicit Vocabulary(const RecordKeeper &records) : records(records) {
    for (const std::string &field : readFields())
      add(StringRef(field).split('.').first);
  }
  std::set<const Record *> classes;

private:
  void add(StringRef name) {
    const Record *known = records.getClass(name);
    if (!known || !classes.insert(known).second)
      return;
    for (const RecordVal &value : known->getValues())
      addType(value.getType());
  }
  void addType(const RecTy *type) {
    if (auto *list = dyn_cast<ListRecTy>(type))
      return addType(list->getElementType());
    if (auto *record = dyn_cast<RecordRecTy>(type))
      for (const Record *of : record->getClasses())
        if (!isOfMlir(*of))
          add(of->getName());
  }
  /// Whether MLIR declares the class; other programs read the fields of its
  /// records.
  static bool isOfMlir(const Record &record) {
    unsigned buffer = SrcMgr.FindBufferContainingLoc(record.getLoc().front());
    return SrcMgr.getMemoryBuffer(buffer)->getBufferIdentifier().contains(
        "/mlir/");
  }
  const RecordKeeper &records;
};

} // namespace

/// Whether the text of some record reads the field of one of the class: of
/// `Class<...>.field`, of `<Class>(...).field`, or of a parameter of the class,
/// `x.field`.
static bool isReadByRecords(StringRef name, StringRef field) {
  std::string ends = ("\\." + field + "($|[^a-zA-Z0-9_(])").str();
  Regex made(("(^|[^a-zA-Z0-9_])" + name + "(<.*>|>\\(.*\\))" + ends).str(),
             Regex::Newline);
  Regex parameter(("[<,(] *" + name + " ([a-zA-Z0-9_]+)").str());
  for (unsigned i = 1; i <= SrcMgr.getNumBuffers(); ++i) {
    StringRef text = SrcMgr.getMemoryBuffer(i)->getBuffer();
    if (made.match(text))
      return true;
    SmallVector<StringRef> found;
    for (StringRef rest = text; parameter.match(rest, &found);
         rest = rest.substr(size_t(found[1].end() - rest.begin())))
      if (Regex(("(^|[^a-zA-Z0-9_])" + found[1] + ends).str(), Regex::Newline)
              .match(text))
        return true;
  }
  return false;
}

static bool isInherited(const Record &of, const RecordVal &value) {
  return any_of(of.getDirectSuperClasses(), [&](const auto &super) {
    return super.first->getValue(value.getName());
  });
}

void glow::gen::checkFields(const Model &model) {
  bool wrong = false;
  for (const Record *known : Vocabulary(model.records).classes)
    for (const RecordVal &value : known->getValues()) {
      std::string field = (known->getName() + "." + value.getName()).str();
      // An inherited field is the business of the class that has it.
      if (known->isTemplateArg(value.getNameInit()) ||
          isInherited(*known, value) || readFields().count(field) ||
          isReadByRecords(known->getName(), value.getName()))
        continue;
      PrintError(value.getLoc(), "field '" + value.getName() + "' of class '" +
                                     known->getName() + "' is read by nothing");
      wrong = true;
    }
  if (wrong)
    PrintFatalError("a field says nothing unless ClassGen, or a record, reads "
                    "it");
}
