// Crawler tasks for tests: a_task("t-1").of_run("e-2").in_progress().build(), or as an argument without build().
#pragma once
#include <string>

#include "domain/crawler_task.hpp"
#include "support/t0.hpp"

namespace crawler::test {

// Page `page` of the listing of a seller.
inline RequestUrl a_listing_url(std::int64_t page = 0, const std::string& seller = "shop-1") {
    return *RequestUrl::minishop(*SellerId::parse(seller), page);
}
inline RequestUrl a_detail_url(ItemNo item = 5'000'000'001) {
    return *RequestUrl::detail(item);
}

class TaskBuilder {
  public:
    TaskBuilder with_id(std::string id) { return with(&CrawlerTask::State::id, TaskId{std::move(id)}); }
    TaskBuilder of_run(std::string id) { return with(&CrawlerTask::State::execution, ExecutionId{std::move(id)}); }
    TaskBuilder of_seller(std::string id) { return with(&CrawlerTask::State::seller, *SellerId::parse(std::move(id))); }
    TaskBuilder asking(RequestUrl url) { return with(&CrawlerTask::State::request_url, std::move(url)); }
    TaskBuilder attempts(int count) { return with(&CrawlerTask::State::attempt, count); }
    TaskBuilder retries(int count) { return with(&CrawlerTask::State::retry_count, count); }
    TaskBuilder rescues(int count) { return with(&CrawlerTask::State::rescue_count, count); }
    TaskBuilder publications(int count) { return with(&CrawlerTask::State::publications, count); }
    TaskBuilder leased_until(std::optional<TimePoint> end) { return with(&CrawlerTask::State::lease_until, end); }
    TaskBuilder failed_as(ErrorClass why, std::string message) {
        return with(&CrawlerTask::State::error_class, why).with(&CrawlerTask::State::error_message, std::move(message));
    }

    TaskBuilder published() { return in(TaskStatus::published); }
    TaskBuilder in_progress() { return in(TaskStatus::in_progress); }
    // As if it had come there at t0, on the shortest way; IN_PROGRESS under a lease of a minute.
    TaskBuilder in(TaskStatus status) {
        state_.status = status;
        if (status == TaskStatus::waiting) return *this;
        state_.publications = 1;
        state_.published_at = t0;
        if (status == TaskStatus::published) return *this;
        state_.attempt = 1;
        state_.started_at = t0;
        if (status == TaskStatus::in_progress) state_.lease_until = t0 + std::chrono::minutes{1};
        if (status == TaskStatus::completed) state_.completed_as = CompletedAs::fetched;
        if (status == TaskStatus::completed || status == TaskStatus::failed) state_.completed_at = t0;
        return *this;
    }

    CrawlerTask build() const { return CrawlerTask::restore(state_); }
    operator CrawlerTask() const { return build(); }

  private:
    template <class T>
    TaskBuilder with(T CrawlerTask::State::* member, T value) {
        state_.*member = std::move(value);
        return *this;
    }
    template <class T>
    TaskBuilder with(std::optional<T> CrawlerTask::State::* member, T value) {
        state_.*member = std::move(value);
        return *this;
    }

    CrawlerTask::State state_ =
        CrawlerTask::create(TaskId{"t-1"}, ExecutionId{"e-1"}, *SellerId::parse("shop-1"), a_listing_url(), t0).state();
};

inline TaskBuilder a_task(const std::string& id = "t-1", const std::string& execution = "e-1") {
    return TaskBuilder{}.with_id(id).of_run(execution);
}
inline TaskBuilder a_running_task(const std::string& id, const std::string& execution = "e-1") {
    return a_task(id, execution).in_progress();
}

}  // namespace crawler::test
