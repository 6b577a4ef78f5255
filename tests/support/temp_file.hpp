// A file that lives as long as the test that needs it, in a folder of its own.
#pragma once
#include <filesystem>
#include <string>
#include <string_view>

#include "support/temp_dir.hpp"

namespace crawler::test {

class TempFile {
  public:
    explicit TempFile(std::string_view text, std::string_view name = "worker.yaml")
        : path_(folder_.write(std::string(name), std::string(text))) {}

    const std::filesystem::path& path() const { return path_; }
    const std::filesystem::path& folder() const { return folder_.path(); }

  private:
    TempDir folder_;
    std::filesystem::path path_;
};

}  // namespace crawler::test
