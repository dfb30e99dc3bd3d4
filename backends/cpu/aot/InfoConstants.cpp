//===- InfoConstants.cpp - StepInfo as constants of a module --------------===//
// SPDX-License-Identifier: MIT

#include "InfoConstants.h"

using namespace glow;
using namespace glow::cpu;
using namespace llvm;

llvm::Constant *InfoConstants::whole(const Step &step, const StepInfo &info) {
  SmallVector<llvm::Constant *> shapes, values;
  for (size_t i = 0; i < step.buffers.size(); ++i)
    shapes.push_back(ConstantStruct::getAnon(
        {integers({info.shapes[i].sizes, size_t(info.shapes[i].rank)}),
         code.getInt64(info.shapes[i].rank),
         code.getInt64(info.shapes[i].kind)}));
  for (size_t i = 0; i < step.attributes.size(); ++i)
    values.push_back(attribute(info.attributes[i]));
  return global(
      ConstantStruct::getAnon({list(shapes), list(values),
                               integers({info.segments, step.segments.size()}),
                               code.getInt64(info.buffers)}));
}

llvm::Constant *InfoConstants::attributes(const Step &step,
                                          const StepInfo &info) {
  SmallVector<llvm::Constant *> values;
  for (size_t i = 0; i < step.attributes.size(); ++i)
    values.push_back(attribute(info.attributes[i]));
  return list(values);
}

llvm::Constant *InfoConstants::attribute(const cpu::Attribute &value) {
  llvm::Constant *none = ConstantPointerNull::get(code.getPtrTy());
  size_t count = size_t(value.count);
  auto *reals =
      value.reals ? global(ConstantDataArray::get(ir.getContext(),
                                                  ArrayRef(value.reals, count)))
                  : none;
  auto *text = value.text ? global(ConstantDataArray::getString(
                                ir.getContext(), StringRef(value.text, count)))
                          : none;
  return ConstantStruct::getAnon(
      {value.ints ? integers({value.ints, count}) : none, reals, text,
       code.getInt64(value.integer),
       ConstantFP::get(code.getDoubleTy(), value.real),
       code.getInt64(value.count)});
}

llvm::Constant *InfoConstants::integers(ArrayRef<int64_t> values) {
  return global(ConstantDataArray::get(
      ir.getContext(),
      ArrayRef(reinterpret_cast<const uint64_t *>(values.data()),
               values.size())));
}

llvm::Constant *InfoConstants::list(ArrayRef<llvm::Constant *> values) {
  if (values.empty())
    return ConstantPointerNull::get(code.getPtrTy());
  return global(ConstantArray::get(
      ArrayType::get(values[0]->getType(), values.size()), values));
}

llvm::Constant *InfoConstants::global(llvm::Constant *value) {
  return new GlobalVariable(ir, value->getType(), /*isConstant=*/true,
                            GlobalValue::PrivateLinkage, value);
}
