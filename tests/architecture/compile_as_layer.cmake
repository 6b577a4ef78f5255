# Compiles SOURCE exactly as the build compiles a file of libcrawler/LAYER: the command comes from COMMANDS
# (compile_commands.json). Without POISONED the file must compile. With it the compiler must refuse the file, and its first
# complaint must be that POISONED is poisoned.

file(READ ${COMMANDS} commands)
string(JSON count LENGTH "${commands}")
set(found "")
math(EXPR last "${count} - 1")
foreach(index RANGE ${last})
    string(JSON file GET "${commands}" ${index} file)
    string(FIND "${file}" "${ROOT}/libcrawler/${LAYER}/" position)
    if(position EQUAL 0)
        string(JSON found GET "${commands}" ${index} command)
        string(JSON directory GET "${commands}" ${index} directory)
        break()
    endif()
endforeach()
if(NOT found)
    message(FATAL_ERROR "${COMMANDS} has no file of libcrawler/${LAYER}: no source, no command to compile ${SOURCE} with")
endif()

separate_arguments(words UNIX_COMMAND "${found}")
list(FILTER words EXCLUDE REGEX "ccache$")
list(FIND words -o output)
list(REMOVE_AT words ${output})
list(REMOVE_AT words ${output})
list(REMOVE_ITEM words -c ${file})
list(APPEND words -fsyntax-only ${SOURCE})

execute_process(COMMAND ${CMAKE_COMMAND} -E env LC_ALL=C ${words}
    WORKING_DIRECTORY ${directory} RESULT_VARIABLE result OUTPUT_VARIABLE said ERROR_VARIABLE said)
list(JOIN words " " command)

if(NOT DEFINED POISONED)
    if(NOT result EQUAL 0)
        message(FATAL_ERROR "${SOURCE} must compile as a file of ${LAYER}, but:\n${said}\n${command}")
    endif()
    return()
endif()

if(result EQUAL 0)
    message(FATAL_ERROR "${SOURCE} compiled: ${LAYER} can utter '${POISONED}'. Is it poisoned in layer.hpp?\n${command}")
endif()
# g++ names the identifier, clang quotes the line.
string(REGEX MATCH "error: [^\n]*\n[^\n]*" complaint "${said}")
if(NOT complaint MATCHES "poisoned (identifier\n.*[^A-Za-z0-9_]${POISONED}([^A-Za-z0-9_]|$)|\"${POISONED}\")")
    message(FATAL_ERROR "${SOURCE} must be refused because '${POISONED}' is poisoned, but the first complaint is:\n${said}\n${command}")
endif()
