// Stands for the public header of any adapter.
#pragma once

namespace crawler::adapters {

void open_anything();

}  // namespace crawler::adapters
