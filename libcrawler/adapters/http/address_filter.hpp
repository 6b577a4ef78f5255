// Which addresses are somebody else's: a name of the public internet that leads into our own network was put there to reach what
// only we can. Private to the client.
#pragma once
#include <boost/asio/ip/address.hpp>

namespace crawler::adapters {

// False for what is private, loopback, link-local, shared, reserved, multicast or unspecified, in IPv4, in IPv6, and in IPv4 that is
// written as IPv6 (mapped, 6to4, NAT64).
bool is_public(const boost::asio::ip::address& address);

}  // namespace crawler::adapters
