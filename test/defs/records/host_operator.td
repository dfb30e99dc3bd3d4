// RUN: %classgen %library -gen-host-decls %s -o - | FileCheck %s --check-prefix=DECLS
// RUN: %classgen %library -gen-host-operators %s -o - | FileCheck %s
// A function is declared once, a row has its versions.

include "glow/Glow.td"

def : HostOperator<"Positives", 1, (ins "X", "limit?"), ["axis"], SizeByValue, "positives"> {
  let domain = "com.vendor";
}
def : HostOperator<"Positives", 3, (ins "X", "more..."), [], SizeByValue, "positives"> {
  let domain = "com.vendor";
  let unlessConstant = 1;
  let movesElements = 1;
  let isCopy = 1;
  let check = "checkPositives";
}

// DECLS:     Status positives(HostCall &call);
// DECLS-NOT: Status positives(HostCall &call);
// DECLS:     Status checkPositives(const HostNode &node);

// CHECK:     "X", "limit?",
// CHECK:     "axis",
// CHECK:     {"com.vendor", "Positives", 1, host::positives, {{.*}}, 1, 2, "how large its result is depends on values", false, false, false, nullptr, {{.*}}Kinds}
// CHECK:     {"com.vendor", "Positives", 3, host::positives, {{.*}}, 1, ~0u, "how large its result is depends on values", true, true, true, host::checkPositives, {{.*}}Kinds}
