// RUN: %classgen %library -gen-instr-records -include-name=calls.td %s -o %t.td
// RUN: %classgen %library -gen-calls %t.td -I %S | FileCheck %s
// RUN: %classgen %library -gen-choices %s | FileCheck %s --check-prefix=CHOICE
// RUN: %classgen %library -gen-instr-table %t.td -I %S | FileCheck %s --check-prefix=TABLE
// What an instruction is called with has its operands and attributes by name: the
// place of a buffer is known until one may be absent. It is also made of names, and
// shows its members in order. A choice is an enumeration.

include "glow/Glow.td"

def Corner : Choice<["round", "cut_off"]>;

def Carve : Node<"carve", (ins "T[*s]":$in, "T[*s]?":$mask, "T[*s]...":$tools), (outs "T[*s]":$out),
                 (ins Corner:$corner, Ints:$places, Kind:$kind)> {
  let summary = "a test of calls";
  let hand = "carve";
  let reason = "a test of calls";
  let gradient = [{ none("a test") }];
  let samples = [Sample<"small", (ins "f32[2]", "", ""), "corner = \"round\"; places = [1]; kind = f32">];
}
// CHECK-LABEL: struct CarveCall {
// CHECK:      static CarveCall of({{.*}}const CallView::Source &call) {
// CHECK-NEXT: return {.out = CallView::buffer(call, 0),
// CHECK-NEXT: .in = CallView::buffer(call, 1),
// CHECK-NEXT: .mask = CallView::maybe(call, 2, 2),
// CHECK-NEXT: .tools = CallView::many(call, 3, CallView::first(call, 3)),
// CHECK-NEXT: .corner = CallView::attribute<::glow::Corner>(call, 0),
// CHECK-NEXT: .places = CallView::attribute<CallView::IntList>(call, 1),
// CHECK-NEXT: .kind = CallView::attribute<::glow::ElementKind>(call, 2)};
// CHECK:      visitor(out);
// CHECK:      visitor(kind);
// CHECK:      visitor.template member<CallView::Buffer>("out");
// CHECK-NEXT: visitor.template member<CallView::Buffer>("in");
// CHECK-NEXT: visitor.template member<CallView::MaybeBuffer>("mask");
// CHECK-NEXT: visitor.template member<CallView::Buffers>("tools");
// CHECK-NEXT: visitor.template member<::glow::Corner>("corner");
// CHECK-NEXT: visitor.template member<CallView::IntList>("places");
// CHECK-NEXT: visitor.template member<::glow::ElementKind>("kind");
// CHECK-NEXT: }
// CHECK-NEXT: CallView::Buffer out;
// CHECK-NEXT: CallView::Buffer in;
// CHECK-NEXT: CallView::MaybeBuffer mask{};
// CHECK-NEXT: CallView::Buffers tools{};
// CHECK-NEXT: ::glow::Corner corner;
// CHECK-NEXT: CallView::IntList places;
// CHECK-NEXT: ::glow::ElementKind kind;

// CHOICE:      enum class Corner : int64_t { Round, CutOff, };
// CHOICE-NEXT: wordsOfCorner[] = {"round", "cut_off", };

// TABLE: const AttributeInfo CarveInstrAttributes[] = {
// TABLE-SAME: {"corner", AttributeForm::Text, ::glow::wordsOfCorner}
// TABLE-SAME: {"places", AttributeForm::Ints, {}}
