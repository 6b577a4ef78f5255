#include "layout.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

namespace crawler::ctl {
namespace {

struct Range {
    std::uint32_t first = 0;
    std::uint32_t last = 0;
};
// What terminals draw two cells wide: Hangul, CJK, kana, full-width forms, emoji.
constexpr std::array wide{Range{0x1100, 0x115F},  Range{0x2E80, 0x303E}, Range{0x3041, 0x33FF}, Range{0x3400, 0x4DBF},
                          Range{0x4E00, 0x9FFF},  Range{0xA000, 0xA4CF}, Range{0xAC00, 0xD7A3}, Range{0xF900, 0xFAFF},
                          Range{0xFE30, 0xFE6F},  Range{0xFF00, 0xFF60}, Range{0xFFE0, 0xFFE6}, Range{0x1F300, 0x1FAFF},
                          Range{0x20000, 0x3FFFD}};

bool is_wide(std::uint32_t letter) {
    return std::ranges::any_of(wide, [=](const Range& range) { return letter >= range.first && letter <= range.last; });
}

bool is_continuation(unsigned char byte) {
    return (byte & 0xC0U) == 0x80U;
}

std::string blanks(std::size_t count) {
    return std::string(count, ' ');
}

}  // namespace

std::size_t cells_of(std::string_view text) {
    std::size_t cells = 0;
    for (std::size_t i = 0; i < text.size();) {
        const auto lead = static_cast<unsigned char>(text[i++]);
        std::uint32_t letter = lead < 0x80U   ? lead
                               : lead < 0xE0U ? lead & 0x1FU
                               : lead < 0xF0U ? lead & 0x0FU
                                              : lead & 0x07U;
        for (; i < text.size() && is_continuation(static_cast<unsigned char>(text[i])); ++i)
            letter = (letter << 6U) | (static_cast<unsigned char>(text[i]) & 0x3FU);
        cells += is_wide(letter) ? 2 : 1;
    }
    return cells;
}

std::string Table::text(std::string_view indent) const {
    std::vector<std::string> heads;
    std::vector<std::size_t> widths;
    for (const auto& column : columns_) {
        heads.push_back(column.head);
        widths.push_back(cells_of(column.head));
    }
    for (const auto& row : rows_) {
        for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], cells_of(row[i]));
    }
    auto text = std::string(indent) + line(heads, widths);
    for (const auto& row : rows_) text.append(indent).append(line(row, widths));
    return text;
}

std::string Table::line(const std::vector<std::string>& cells, const std::vector<std::size_t>& widths) const {
    std::string line;
    for (std::size_t i = 0; i < cells.size(); ++i) {
        const auto gap = blanks(widths[i] - cells_of(cells[i]));
        line.append(i == 0 ? "" : "  ").append(columns_[i].side == Side::right ? gap + cells[i] : cells[i] + gap);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    return line + "\n";
}

std::string progress_bar(double per_cent, int width) {
    const auto full = std::clamp(static_cast<int>(per_cent / 100 * width), 0, width);
    return "[" + std::string(static_cast<std::size_t>(full), '#') +
           std::string(static_cast<std::size_t>(width - full), '.') + "]";
}

std::string per_cent_text(double per_cent) {
    // Rounded down: what is not all done is never shown as 100 %.
    const auto tenths = static_cast<std::int64_t>(std::floor(per_cent * 10));
    return std::to_string(tenths / 10) + "." + std::to_string(tenths % 10) + " %";
}

std::string length_text(Duration length) {
    const auto all = std::chrono::floor<std::chrono::seconds>(std::max(length, Duration{})).count();
    const auto two = [](std::int64_t first, const char* unit, std::int64_t second, const char* next) {
        return std::to_string(first) + unit + " " + std::to_string(second) + next;
    };
    if (all >= 86'400) return two(all / 86'400, "d", all % 86'400 / 3600, "h");
    if (all >= 3600) return two(all / 3600, "h", all % 3600 / 60, "m");
    if (all >= 60) return two(all / 60, "m", all % 60, "s");
    return std::to_string(all) + "s";
}

std::string age_text(std::optional<TimePoint> since, TimePoint now) {
    return since ? length_text(now - *since) : "-";
}

}  // namespace crawler::ctl
