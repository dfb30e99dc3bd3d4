//===- Renamed.td - names that records had --------------------------------===//
// SPDX-License-Identifier: MIT
//
// ClassGen refuses a record that uses such a name, and prints the new one.
// docs/Versions.md lists all changes for records and plug-ins.
//
//===----------------------------------------------------------------------===//

#ifndef GLOW_BASE_RENAMED
#define GLOW_BASE_RENAMED

class Renamed<string was_, string now_> {
  string was = was_;
  string now = now_;
}

class Fold<code equation_, dag operands_, string values_ = "">
    : Rewrite<equation_, operands_, values_>, Renamed<"Fold", "Rewrite">;

// A field of a class, which a record must not set.
class RenamedField<string class_, string was_, string now_> : Renamed<was_, now_> {
  string of = class_;
}
def : RenamedField<"Node", "begins", "inout">;

def Axis : Default<Int, "">, Renamed<"Axis", "Int">;

#endif // GLOW_BASE_RENAMED
