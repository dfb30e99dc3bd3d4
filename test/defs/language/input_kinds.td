// RUN: %classgen %library -gen-onnx-imports %s | FileCheck %s
// RUN: not %classgen %library -gen-onnx-imports -DNO_INPUT %s -o %t 2>&1 | FileCheck %s --check-prefix=INPUT
// RUN: not %classgen %library -gen-onnx-imports -DNO_KIND %s -o %t 2>&1 | FileCheck %s --check-prefix=KIND
// RUN: not %classgen %library -gen-onnx-imports -DNO_HOST_INPUT %s -o %t 2>&1 | FileCheck %s --check-prefix=INPUT
// RUN: not %classgen %library -gen-onnx-imports -DNO_VALUES %s -o %t 2>&1 | FileCheck %s --check-prefix=VALUES
// RUN: %classgen %library -gen-host-operators %s | FileCheck %s --check-prefix=HOST
// A record has the kinds of inputs for which a net of Caffe2 has none.

include "glow/Glow.td"

def : Caffe2Import<"Pick", (ins "table", "rows", "scale?"), (ins), "Y = Gather(table, rows, 0);"> {
  let kinds = (ins "i64":$rows);
}
def : HostOperator<"Best", 1, (ins "table", "count"), [], SizeByValue, "best"> {
  let kinds = (ins "i64":$count);
}
#ifdef NO_HOST_INPUT
def : HostOperator<"Worst", 1, (ins "X"), [], SizeByValue, "worst"> {
  let kinds = (ins "i64":$Z);
}
#endif
#ifdef NO_VALUES
def : Caffe2Import<"Fill", (ins), (ins RequiredTensor:$values), "Y = values;"> {
  let valuesAs = "long";
}
#endif
#ifdef NO_INPUT
def : Caffe2Import<"Dream", (ins "X"), (ins), "Y = X;"> { let kinds = (ins "i64":$Z); }
#endif
#ifdef NO_KIND
def : Caffe2Import<"Dream", (ins "X"), (ins), "Y = X;"> { let kinds = (ins "long":$X); }
#endif

// CHECK: importorg_pytorch__caffe2_Pick1Kinds[] = {"", "i64", };
// CHECK: {"org.pytorch._caffe2", "Pick", 1, {{.*}}importorg_pytorch__caffe2_Pick1Kinds
// INPUT: error: no input is called 'Z', which `kinds` names
// HOST: Kinds[] = {"", "i64", };
// VALUES: error: valuesAs is 'long', it should be an element kind, as "i64"
// KIND: error: the kind of input 'X' should be an element kind, as "i64"
