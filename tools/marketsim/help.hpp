// What --help says behind the flags.
#pragma once
#include <string>

namespace marketsim {

std::string help_text();

}  // namespace marketsim
