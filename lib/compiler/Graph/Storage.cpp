//===- Storage.cpp - element kinds and bytes of tensors -------------------===//
// SPDX-License-Identifier: MIT

#include "glow/Graph/Storage.h"
#include "glow/Graph/Shape.h"
#include "mlir/IR/AsmState.h"
#include "mlir/IR/BuiltinDialect.h"
#include "mlir/IR/DialectResourceBlobManager.h"

using namespace mlir;
using namespace glow;

std::optional<ElementKind> glow::kindOf(Type element) {
  if (!storageOf(element).isIntOrFloat())
    return std::nullopt;
  return elementKindNamed(kindName(storageOf(element)));
}

Type glow::typeOf(MLIRContext *context, ElementKind kind) {
  std::string_view text = name(kind);
  return kindNamed(context, StringRef(text.data(), text.size()));
}

/// The bytes of a dense literal: splats repeated, booleans a byte each.
static TensorBytes expand(DenseElementsAttr dense) {
  auto type = llvm::cast<RankedTensorType>(dense.getType());
  size_t count = type.getNumElements();
  auto owned = std::make_shared<std::vector<char>>();
  if (type.getElementType().isInteger(1)) {
    owned->reserve(count);
    for (bool value : dense.getValues<bool>())
      owned->push_back(value);
  } else {
    size_t width = byteSize(*kindOf(type.getElementType()));
    ArrayRef<char> raw = dense.getRawData();
    owned->resize(count * width);
    for (size_t i = 0; i < count; ++i)
      std::copy_n(raw.data() + (dense.isSplat() ? 0 : i * width), width,
                  owned->data() + i * width);
  }
  return {{owned->data(), owned->size()}, owned};
}

static size_t alignmentOf(ShapedType type) {
  auto kind = kindOf(type.getElementType());
  return kind ? byteSize(*kind) : 1;
}

TensorBytes glow::bytesOf(ElementsAttr value) {
  if (auto dense = llvm::dyn_cast<DenseElementsAttr>(value))
    return expand(dense);
  auto resource = llvm::dyn_cast<DenseResourceElementsAttr>(value);
  if (!resource || !resource.getRawHandle().getBlob())
    return {};
  // The blob lives as long as the context.
  ArrayRef<char> data = resource.getRawHandle().getBlob()->getData();
  if (uintptr_t(data.data()) % alignmentOf(resource.getType()) == 0)
    return {data, nullptr};
  // A file may store elements at any address, so unaligned ones are copied.
  auto owned = std::make_shared<std::vector<char>>(data.begin(), data.end());
  return {{owned->data(), owned->size()}, owned};
}

bool glow::isKnown(ElementsAttr value) {
  auto resource = llvm::dyn_cast<DenseResourceElementsAttr>(value);
  if (!resource)
    return true;
  AsmResourceBlob *blob = resource.getRawHandle().getBlob();
  auto kind = kindOf(resource.getType().getElementType());
  return blob && kind &&
         blob->getData().size() ==
             size_t(resource.getNumElements()) * byteSize(*kind);
}

/// A name that no resource has. Existing numbers of a name have no gap, so a
/// search by bisection is enough; the context itself would try each number.
static std::string freeName(MLIRContext *context, StringRef name) {
  auto &known = DenseResourceElementsHandle::getManagerInterface(context)
                    .getBlobManager();
  auto numbered = [&](unsigned number) {
    return number ? (name + "_" + Twine(number)).str() : name.str();
  };
  unsigned taken = 0, open = 0;
  while (known.lookup(numbered(open)))
    taken = open, open = open ? 2 * open : 1;
  while (open - taken > 1) {
    unsigned middle = taken + (open - taken) / 2;
    (known.lookup(numbered(middle)) ? taken : open) = middle;
  }
  return numbered(open);
}

ElementsAttr glow::elementsOf(RankedTensorType type, TensorBytes bytes,
                              StringRef name) {
  AsmResourceBlob::DeleterFn release =
      [owner = bytes.owner](void *, size_t, size_t) mutable { owner.reset(); };
  AsmResourceBlob blob(bytes.bytes, alignmentOf(type), std::move(release),
                       /*dataIsMutable=*/false);
  return DenseResourceElementsAttr::get(type, freeName(type.getContext(), name),
                                        std::move(blob));
}

void glow::releaseBytes(ElementsAttr value) {
  if (auto resource = llvm::dyn_cast<DenseResourceElementsAttr>(value))
    resource.getRawHandle().getResource()->setBlob({});
}
