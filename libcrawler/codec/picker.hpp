// The handler that Boost.JSON's streaming parser drives for `pick`. Private to it.
#pragma once
#include <boost/json/basic_parser.hpp>
#include <map>
#include <string>
#include <vector>

#include "codec/pick.hpp"
#include "codec/pick_value.hpp"

namespace crawler::codec {

// The types of tagged objects whose "data" came first, by the objects' pointers: known when the text is read again.
using LateTypes = std::map<std::string, std::string>;

class Picker {
  public:
    using ErrorCode = boost::json::error_code;
    using View = boost::json::string_view;

    // What Boost.JSON asks of a handler. None is limited here: the caller limits the size of the whole.
    static constexpr std::size_t max_array_size = SIZE_MAX;
    static constexpr std::size_t max_object_size = SIZE_MAX;
    static constexpr std::size_t max_string_size = SIZE_MAX;
    static constexpr std::size_t max_key_size = SIZE_MAX;

    Picker(const PickPlan& plan, const LateTypes& known, std::size_t size_of_text);

    bool on_document_begin(ErrorCode&) { return true; }
    bool on_document_end(ErrorCode&) { return true; }
    bool on_object_begin(ErrorCode& ec) { return skipped_ != 0 ? enter_skipped() : checked(enter('{'), ec); }
    bool on_array_begin(ErrorCode& ec) { return skipped_ != 0 ? enter_skipped() : checked(enter('['), ec); }
    bool on_object_end(std::size_t, ErrorCode& ec) { return skipped_ != 0 ? leave_skipped() : checked(leave(), ec); }
    bool on_array_end(std::size_t, ErrorCode& ec) { return skipped_ != 0 ? leave_skipped() : checked(leave(), ec); }
    bool on_key_part(View part, std::size_t, ErrorCode&) { return skipped_ != 0 || keep(part); }
    bool on_key(View rest, std::size_t, ErrorCode& ec) { return skipped_ != 0 || checked(key(whole(rest)), ec); }
    bool on_string_part(View part, std::size_t, ErrorCode&) { return skipped_ != 0 || keep(part); }
    bool on_string(View rest, std::size_t, ErrorCode& ec) {
        return skipped_ != 0 || checked(value({Token::Kind::text, whole(rest)}), ec);
    }
    bool on_number_part(View part, ErrorCode&) { return skipped_ != 0 || keep(part); }
    bool on_int64(std::int64_t, View rest, ErrorCode& ec) { return number(rest, ec); }
    bool on_uint64(std::uint64_t, View rest, ErrorCode& ec) { return number(rest, ec); }
    bool on_double(double, View rest, ErrorCode& ec) { return number(rest, ec); }
    bool on_bool(bool is, ErrorCode& ec) {
        return skipped_ != 0 || checked(value({Token::Kind::flag, is ? "true" : "false"}), ec);
    }
    bool on_null(ErrorCode& ec) { return skipped_ != 0 || checked(value({}), ec); }
    bool on_comment_part(View, ErrorCode&) { return true; }
    bool on_comment(View, ErrorCode&) { return true; }

    const std::string& complaint() const { return complaint_; }  // empty unless a rule was broken
    std::string pointer() const;                                 // of what is being read
    LateTypes take_late_types() { return std::move(late_); }
    Picked take();

  private:
    struct Frame {
        const Shape* shape = nullptr;
        const Member* next = nullptr;  // what the next value is for; none: it is skipped
        std::string_view key;          // the name of it
        std::size_t index = 0;         // array: elements so far
        std::uint64_t seen = 0;        // members that were there; of an array of tagged objects the types
        const Member* type = nullptr;  // tagged: the wanted type, once it is known
        bool is_typed = false;
        bool has_data = false;
        bool is_late = false;  // its data had to be skipped
    };

    bool enter_skipped() {
        ++skipped_;
        return true;
    }
    bool leave_skipped() {
        --skipped_;
        return true;
    }
    bool number(View rest, ErrorCode& ec) {
        return skipped_ != 0 || checked(value({Token::Kind::number, whole(rest)}), ec);
    }
    static bool checked(bool good, ErrorCode& ec);
    bool keep(View part);
    std::string_view whole(View rest);

    bool key(std::string_view name);
    bool tagged_key(Frame& frame, std::string_view name);
    bool value(const Token& token);
    bool type_of(Frame& frame, const Token& token);
    bool enter(char bracket);
    bool leave();
    bool leave_object(const Frame& frame);
    bool leave_array(const Frame& frame);
    bool leave_tagged(const Frame& frame);

    const Member* next_wanted();
    void store(const Member& member, std::size_t begin);
    void store_list(const Shape& shape);
    void store_record();
    bool complain(std::string_view demand, std::string_view found);
    bool missing(std::string_view name);

    const PickPlan& plan_;
    const LateTypes& known_;
    Member root_;
    std::size_t skipped_ = 0;  // how deep we are inside what nobody wants
    std::vector<Frame> frames_;
    std::string pieces_;  // of a text that comes in parts ...
    std::string joined_;  // ... and the text, once it is whole
    std::string values_;
    std::vector<Extent> slots_;
    std::vector<Extent> records_;
    std::vector<Extent> items_;  // of the list being read
    bool in_list_ = false;
    LateTypes late_;
    std::string complaint_;
};

}  // namespace crawler::codec
