#include "layout.hpp"

#include <catch2/catch_test_macros.hpp>

using namespace crawler;
using namespace crawler::ctl;
using namespace std::chrono_literals;

TEST_CASE("layout: letters of Korean take two cells, others one") {
    CHECK(cells_of("") == 0);
    CHECK(cells_of("shop") == 4);
    CHECK(cells_of("가방") == 4);
    CHECK(cells_of("é가!") == 4);
    CHECK(cells_of("日本、ｗ") == 8);
    CHECK(cells_of("👜") == 2);
}

TEST_CASE("layout: columns are as wide as their widest cell, whatever the letters, and lines end without blanks") {
    Table table({{"name"}, {"n", Table::Side::right}, {"end"}});
    table.add({"가방가게", "7", "x"});
    table.add({"b", "123", ""});

    CHECK(table.text("> ") ==
          "> name        n  end\n"
          "> 가방가게    7  x\n"
          "> b         123\n");
}

TEST_CASE("layout: a bar is full only at a hundred per cent, and no share is rounded up") {
    CHECK(progress_bar(0, 4) == "[....]");
    CHECK(progress_bar(99.9, 4) == "[###.]");
    CHECK(progress_bar(100, 4) == "[####]");
    CHECK(per_cent_text(0) == "0.0 %");
    CHECK(per_cent_text(99.99) == "99.9 %");
    CHECK(per_cent_text(100) == "100.0 %");
}

TEST_CASE("layout: a length of time is told in its two greatest units") {
    CHECK(length_text(-1s) == "0s");
    CHECK(length_text(59'999ms) == "59s");
    CHECK(length_text(60s) == "1m 0s");
    CHECK(length_text(2h + 3min + 4s) == "2h 3m");
    CHECK(length_text(49h) == "2d 1h");
    CHECK(age_text(std::nullopt, TimePoint{}) == "-");
    CHECK(age_text(TimePoint{}, TimePoint{90s}) == "1m 30s");
}
