# SPDX-License-Identifier: MIT
#
# cmake -DFROM=FILE -DTO=FILE -P: copies declarations of mlir-tblgen without the summaries
# of records, and leaves a file as it is that has the same text: sources that include the
# declarations depend on no summary.
file(READ ${FROM} text)
string(REGEX REPLACE "\n/// [^\n]*" "" text "${text}")
set(before)
if(EXISTS ${TO})
  file(READ ${TO} before)
endif()
if(NOT text STREQUAL before)
  file(WRITE ${TO} "${text}")
endif()
