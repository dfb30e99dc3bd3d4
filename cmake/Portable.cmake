# SPDX-License-Identifier: MIT
#
# Programs for any Linux of x86-64 with glibc 2.31 or later and the compiler's libgcc_s.
# With GLOW_PORTABLE the installed ones are such: all other libraries are in them, and they
# look up symbols that glibc 2.31 has. tools/package.sh makes a tar.xz; test/portable has a
# program in any build.
option(GLOW_PORTABLE "programs have their libraries in themselves, but for glibc's" OFF)
set(GLOW_PORTABLE_ARCHIVES "" CACHE PATH
  "with GLOW_PORTABLE, folder of libprotobuf.a and libre2.a as code for shared libraries")

# By the version that glibc 2.31 has.
set(moved
  dladdr=2.2.5 dladdr1=2.3.3 dlclose=2.2.5 dlerror=2.2.5 dlopen=2.2.5 dlsym=2.2.5
  pthread_attr_setstacksize=2.2.5 pthread_cond_clockwait=2.30 pthread_create=2.2.5
  pthread_detach=2.2.5 pthread_getname_np=2.12 pthread_getspecific=2.2.5 pthread_join=2.2.5
  pthread_key_create=2.2.5 pthread_key_delete=2.2.5 pthread_mutex_trylock=2.2.5
  pthread_once=2.2.5 pthread_rwlock_destroy=2.2.5 pthread_rwlock_init=2.2.5
  pthread_rwlock_rdlock=2.2.5 pthread_rwlock_unlock=2.2.5 pthread_rwlock_wrlock=2.2.5
  pthread_setname_np=2.12 pthread_setspecific=2.2.5 pthread_sigmask=2.2.5)
set(replaced arc4random fstat fstat64 lstat lstat64 mallinfo2 mknod stat stat64
  __libc_start_main)
if(CMAKE_SYSTEM_NAME STREQUAL Linux AND CMAKE_SYSTEM_PROCESSOR STREQUAL x86_64)
  set(table)
  foreach(row ${moved})
    string(REGEX REPLACE "(.*)=(.*)" "MOVED(\\1, \"\\2\")\n" line ${row})
    string(APPEND table ${line})
    string(REGEX REPLACE "=.*" "" name ${row})
    list(APPEND replaced ${name})
  endforeach()
  file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/portable/Moved.inc CONTENT "${table}")
  add_library(OldGlibcFunctions STATIC EXCLUDE_FROM_ALL
    cmake/portable/Functions.c cmake/portable/Start.c)
  target_include_directories(OldGlibcFunctions PRIVATE ${PROJECT_BINARY_DIR}/portable)
  add_library(OldGlibc INTERFACE)
  list(TRANSFORM replaced PREPEND LINKER:--wrap=)
  # Libraries that had the functions in old versions of glibc: the linker no longer adds
  # them by itself.
  target_link_options(OldGlibc INTERFACE -fuse-ld=lld-22 -static-libstdc++ ${replaced})
  target_link_libraries(OldGlibc INTERFACE OldGlibcFunctions
    "-Wl,--push-state,--no-as-needed,-l:libpthread.so.0,-l:libdl.so.2,--pop-state")
elseif(GLOW_PORTABLE)
  message(FATAL_ERROR "GLOW_PORTABLE is for Linux on x86-64")
endif()

if(GLOW_PORTABLE)
  # Archives of the distribution. zlib was found for LLVM as a shared library. There is no
  # archive of ONNX's messages.
  set(CMAKE_FIND_LIBRARY_SUFFIXES .a .so)
  find_library(GLOW_ZLIB z REQUIRED)
  set_target_properties(ZLIB::ZLIB PROPERTIES
    IMPORTED_LOCATION ${GLOW_ZLIB} IMPORTED_LOCATION_RELEASE ${GLOW_ZLIB})
  find_package(Protobuf REQUIRED)
  find_package(ONNX REQUIRED)
  find_path(GLOW_ONNX_MESSAGES onnx/onnx-ml.proto REQUIRED
    PATHS /usr/lib/python3/dist-packages)
  set(out ${PROJECT_BINARY_DIR}/portable)
  foreach(name onnx-ml onnx-data)
    # As the distribution's headers have them: with reflection.
    file(READ ${GLOW_ONNX_MESSAGES}/onnx/${name}.proto text)
    string(REPLACE "option optimize_for = LITE_RUNTIME;" "" text "${text}")
    file(CONFIGURE OUTPUT ${out}/onnx/${name}.proto CONTENT "${text}" @ONLY)
    add_custom_command(OUTPUT ${out}/onnx/${name}.pb.cc ${out}/onnx/${name}.pb.h
      COMMAND protobuf::protoc --proto_path=${out} --cpp_out=${out}
              ${out}/onnx/${name}.proto DEPENDS ${out}/onnx/${name}.proto)
    list(APPEND messages ${out}/onnx/${name}.pb.cc ${out}/onnx/${name}.pb.h)
  endforeach()
  add_library(OnnxMessages STATIC ${messages})
  target_include_directories(OnnxMessages PRIVATE ${out})
  set_target_properties(onnx_proto PROPERTIES
    IMPORTED_LOCATION_RELEASE ${PROJECT_BINARY_DIR}/libOnnxMessages.a
    INTERFACE_LINK_LIBRARIES protobuf::libprotobuf)
  add_dependencies(onnx_proto OnnxMessages)
  add_library(OwnStreams OBJECT cmake/portable/Streams.c)
  set_target_properties(OwnStreams PROPERTIES POSITION_INDEPENDENT_CODE ON)
endif()

# Has installed programs be portable, if they should be. The distribution's archives of
# protobuf and re2 are code for programs: they reach variables of threads as a shared library
# cannot, or as only a library can that is loaded with its program. libglow needs the folder
# with others.
function(glow_make_portable)
  if(GLOW_PORTABLE)
    foreach(program ${ARGN})
      target_link_libraries(${program} PRIVATE OldGlibc)
    endforeach()
    if(GLOW_PORTABLE_ARCHIVES)
      foreach(property IMPORTED_LOCATION IMPORTED_LOCATION_RELEASE)
        set_target_properties(protobuf::libprotobuf PROPERTIES
          ${property} ${GLOW_PORTABLE_ARCHIVES}/libprotobuf.a)
      endforeach()
      set_target_properties(PkgConfig::RE2 PROPERTIES
        INTERFACE_LINK_LIBRARIES ${GLOW_PORTABLE_ARCHIVES}/libre2.a)
    endif()
  endif()
endfunction()
