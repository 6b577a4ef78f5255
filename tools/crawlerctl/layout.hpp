// How things are laid out on a terminal.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "domain/time.hpp"

namespace crawler::ctl {

// How many cells of a terminal the text takes: letters of Korean, Chinese and Japanese take two. It is UTF-8.
std::size_t cells_of(std::string_view text);

// Rows of cells under a head, each column as wide as its widest cell; numbers to the right. A line ends without blanks.
class Table {
  public:
    enum class Side { left, right };
    struct Column {
        std::string head;
        Side side = Side::left;
    };
    explicit Table(std::vector<Column> columns) : columns_(std::move(columns)) {}

    void add(std::vector<std::string> row) { rows_.push_back(std::move(row)); }
    std::string text(std::string_view indent = "") const;

  private:
    std::string line(const std::vector<std::string>& cells, const std::vector<std::size_t>& widths) const;
    std::vector<Column> columns_;
    std::vector<std::vector<std::string>> rows_;
};

// [#####.....]
std::string progress_bar(double per_cent, int width);
// 52.1 %
std::string per_cent_text(double per_cent);
// 3d 4h, 12m 5s, 40s, 0s
std::string length_text(Duration length);
// How long ago it was; "-" for none.
std::string age_text(std::optional<TimePoint> since, TimePoint now);

}  // namespace crawler::ctl
