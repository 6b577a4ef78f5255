// What an adapter must not utter: it serves a port and knows neither the use cases nor the daemons.
#pragma once
#pragma GCC poison application runtime
