// A client that begins a request and never ends it.
#pragma once
#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdint>
#include <stdexcept>
#include <string_view>

namespace crawler::test {

class HalfRequest {
  public:
    explicit HalfRequest(std::uint16_t port) : fd_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_port = htons(port);
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        constexpr std::string_view half = "GET /healthz HTTP/1.1\r\nHost: lo";
        if (::connect(fd_, reinterpret_cast<sockaddr*>(&address), sizeof address) != 0 ||
            ::send(fd_, half.data(), half.size(), MSG_NOSIGNAL) != static_cast<ssize_t>(half.size()))
            throw std::runtime_error("cannot send half a request");
    }
    ~HalfRequest() { ::close(fd_); }
    HalfRequest(const HalfRequest&) = delete;
    HalfRequest& operator=(const HalfRequest&) = delete;

  private:
    int fd_;
};

}  // namespace crawler::test
