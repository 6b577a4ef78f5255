// Stands for the header of any part of the runtime.
#pragma once

namespace crawler::runtime {

void run_anything();

}  // namespace crawler::runtime
