# crawler_embed_migrations(<target> <folder>): the SQL files <folder>/<dialect>/NNNN_what.sql become part of the target, in a
# generated source that defines crawler::adapters::sql::embedded_migrations().
function(crawler_embed_migrations target folder)
    file(GLOB files CONFIGURE_DEPENDS ${folder}/*/*.sql)
    list(SORT files)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${files})
    set(rows "")
    foreach(file IN LISTS files)
        cmake_path(GET file STEM name)
        cmake_path(GET file PARENT_PATH above)
        cmake_path(GET above FILENAME dialect)
        string(REGEX MATCH "^[0-9]+" version ${name})
        string(REGEX REPLACE "^0+" "" version ${version})
        file(READ ${file} text)
        string(APPEND rows "    {\"${dialect}\", ${version}, \"${name}\", R\"sql(${text})sql\"},\n")
    endforeach()
    set(source ${CMAKE_BINARY_DIR}/generated/${target}_migrations.cpp)
    file(CONFIGURE OUTPUT ${source} @ONLY CONTENT
"#include \"adapters/sql/migrator.hpp\"

namespace crawler::adapters::sql {

std::vector<Migration> embedded_migrations() {
    return {
@rows@    };
}

}  // namespace crawler::adapters::sql
")
    target_sources(${target} PRIVATE ${source})
endfunction()

# crawler_embed_scripts(<target> <folder>): the Lua files of <folder> become part of the target, in a generated source that defines
# crawler::adapters::redis::embedded_script().
function(crawler_embed_scripts target folder)
    file(GLOB files CONFIGURE_DEPENDS ${folder}/*.lua)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${files})
    set(rows "")
    foreach(file IN LISTS files)
        cmake_path(GET file STEM name)
        file(READ ${file} text)
        string(APPEND rows "    if (name == \"${name}\") return R\"lua(${text})lua\";\n")
    endforeach()
    set(source ${CMAKE_BINARY_DIR}/generated/${target}_scripts.cpp)
    file(CONFIGURE OUTPUT ${source} @ONLY CONTENT
"#include \"adapters/redis/scripts.hpp\"

namespace crawler::adapters::redis {

std::string_view embedded_script(std::string_view name) {
@rows@    return {};
}

}  // namespace crawler::adapters::redis
")
    target_sources(${target} PRIVATE ${source})
endfunction()
