// The states of a crawler task and every way from one to another. Used by CrawlerTask, which moves by it, and by whoever
// stores, counts or draws the states.
#pragma once
#include "domain/state_table.hpp"

namespace crawler {

enum class TaskStatus { waiting, published, in_progress, completed, failed, retry };
constexpr auto names(TaskStatus) {
    return std::to_array<EnumName<TaskStatus>>({{TaskStatus::waiting, "WAITING"},
                                                {TaskStatus::published, "PUBLISHED"},
                                                {TaskStatus::in_progress, "IN_PROGRESS"},
                                                {TaskStatus::completed, "COMPLETED"},
                                                {TaskStatus::failed, "FAILED"},
                                                {TaskStatus::retry, "RETRY"}});
}

enum class TaskVerb { publish, start, complete, fail, postpone, abandon, republish, retry };
constexpr auto names(TaskVerb) {
    return std::to_array<EnumName<TaskVerb>>({{TaskVerb::publish, "publish"},
                                              {TaskVerb::start, "start"},
                                              {TaskVerb::complete, "complete"},
                                              {TaskVerb::fail, "fail"},
                                              {TaskVerb::postpone, "postpone"},
                                              {TaskVerb::abandon, "abandon"},
                                              {TaskVerb::republish, "republish"},
                                              {TaskVerb::retry, "retry"}});
}

inline constexpr StateTable task_table{
    "CrawlerTask", TaskStatus::waiting,
    std::to_array<Transition<TaskStatus, TaskVerb>>({
        {TaskStatus::waiting, TaskVerb::publish, TaskStatus::published},
        {TaskStatus::retry, TaskVerb::publish, TaskStatus::published},
        {TaskStatus::published, TaskVerb::start, TaskStatus::in_progress},
        {TaskStatus::in_progress, TaskVerb::complete, TaskStatus::completed},
        {TaskStatus::in_progress, TaskVerb::fail, TaskStatus::retry, "retries left"},
        {TaskStatus::in_progress, TaskVerb::fail, TaskStatus::failed, "retries spent, or it can never succeed"},
        {TaskStatus::in_progress, TaskVerb::postpone, TaskStatus::retry},
        {TaskStatus::in_progress, TaskVerb::abandon, TaskStatus::retry, "lease over, retries left"},
        {TaskStatus::in_progress, TaskVerb::abandon, TaskStatus::failed, "lease over, retries spent"},
        {TaskStatus::waiting, TaskVerb::republish, TaskStatus::waiting, "rescues left"},
        {TaskStatus::waiting, TaskVerb::republish, TaskStatus::failed, "rescues spent"},
        {TaskStatus::published, TaskVerb::republish, TaskStatus::published, "rescues left"},
        {TaskStatus::published, TaskVerb::republish, TaskStatus::failed, "rescues spent"},
        {TaskStatus::retry, TaskVerb::republish, TaskStatus::retry, "rescues left"},
        {TaskStatus::retry, TaskVerb::republish, TaskStatus::failed, "rescues spent"},
        {TaskStatus::failed, TaskVerb::retry, TaskStatus::retry},
    })};

}  // namespace crawler
