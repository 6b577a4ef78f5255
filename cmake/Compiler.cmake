# The compiler we trust, its warnings, the sanitizers and the linker. Targets take all of it from `crawler_compiler`.

if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
    message(FATAL_ERROR
        "g++ ${CMAKE_CXX_COMPILER_VERSION} miscompiles coroutines without a warning (docs/adr/0008-clang-19.md). "
        "Use clang++-19 (what the presets do) or g++ 13 and newer.")
endif()

add_library(crawler_compiler INTERFACE)
target_compile_options(crawler_compiler INTERFACE
    -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wnon-virtual-dtor -Wimplicit-fallthrough
    # A designated initialiser that leaves a field to its default is why defaults are there.
    $<$<CXX_COMPILER_ID:Clang>:-Wno-missing-designated-field-initializers>
    $<$<CXX_COMPILER_ID:GNU>:-Wno-missing-field-initializers>
    $<$<BOOL:${CRAWLER_WERROR}>:-Werror>)

if(CRAWLER_SANITIZE STREQUAL "address")
    # vptr checks need RTTI that Debian's SOCI does not export.
    set(sanitize_flags -fsanitize=address,undefined -fno-sanitize=vptr -fno-sanitize-recover=all -fno-omit-frame-pointer)
elseif(CRAWLER_SANITIZE STREQUAL "thread")
    set(sanitize_flags -fsanitize=thread -fno-omit-frame-pointer)
elseif(CRAWLER_SANITIZE)
    message(FATAL_ERROR "CRAWLER_SANITIZE is '${CRAWLER_SANITIZE}'; it must be empty, 'address' or 'thread'")
endif()
target_compile_options(crawler_compiler INTERFACE ${sanitize_flags})
target_link_options(crawler_compiler INTERFACE ${sanitize_flags})

find_program(MOLD_LINKER mold)
if(MOLD_LINKER)
    target_link_options(crawler_compiler INTERFACE -fuse-ld=mold)
endif()

find_program(CCACHE ccache)
if(CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
    set(CMAKE_CXX_COMPILER_LAUNCHER ${CCACHE})
endif()
