# SPDX-License-Identifier: MIT
#
# cmake -DROOT=dir -DOUTPUT=file -P CxxNames.cmake
#
# Writes the names of types that generated code sees in the namespace glow, one `"NAME",`
# a line: a class that is made of a record has none of them. Generated code includes what
# the templates include.

cmake_minimum_required(VERSION 3.25)
set(includes "^#include \"(glow/[A-Za-z/]*[.]h)\"")
file(GLOB templates ${ROOT}/cmake/templates/*.in)
set(left)
foreach(file ${templates})
  file(STRINGS ${file} found REGEX ${includes})
  list(APPEND left ${found})
endforeach()
set(headers)
while(left)
  list(POP_FRONT left line)
  string(REGEX REPLACE "${includes}.*" "${ROOT}/include/\\1" header "${line}")
  if(EXISTS ${header} AND NOT header IN_LIST headers)
    list(APPEND headers ${header})
    file(STRINGS ${header} found REGEX ${includes})
    list(APPEND left ${found})
  endif()
endwhile()
set(names)
foreach(header ${headers})
  # A semicolon would end an element of the list of lines.
  file(STRINGS ${header} lines REGEX
    "^(namespace |} // namespace|(enum )?(class|struct) [^;]*$|enum [A-Z]|using [A-Za-z:]+( =|.$))")
  string(REPLACE ";\n" "\n" lines "${lines}")
  set(space "")
  foreach(line IN LISTS lines)
    string(REGEX REPLACE "\\[\\[[a-z]*\\]\\] " "" line "${line}")
    if(line MATCHES "^namespace ([a-z:A-Z]*)")
      set(space "${CMAKE_MATCH_1}")
    elseif(line MATCHES "^} // namespace")
      set(space "")
    elseif(space STREQUAL "glow" AND
        line MATCHES "^(enum class|enum|class|struct|using) ([a-z:]*::)?([A-Z][A-Za-z0-9]*)")
      list(APPEND names ${CMAKE_MATCH_3})
    endif()
  endforeach()
endforeach()
list(REMOVE_DUPLICATES names)
list(SORT names)
list(JOIN names "\",\n\"" text)
file(WRITE ${OUTPUT}.new "\"${text}\",\n")
file(COPY_FILE ${OUTPUT}.new ${OUTPUT} ONLY_IF_DIFFERENT)
