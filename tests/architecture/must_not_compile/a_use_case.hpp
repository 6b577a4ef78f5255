// Stands for the header of any use case.
#pragma once

namespace crawler::application {

class DoAnything;

}  // namespace crawler::application
