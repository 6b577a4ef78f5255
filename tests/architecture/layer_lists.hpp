// Which files libcrawler/CMakeLists.txt gives to a layer, so that none in the tree is forgotten.
#pragma once
#include <set>
#include <string>
#include <string_view>

namespace crawler::architecture {

// Paths from libcrawler/ of every file that a crawler_layer(...) lists, plus every whole path the text names elsewhere.
std::set<std::string> listed_files(std::string_view cmake);

}  // namespace crawler::architecture
