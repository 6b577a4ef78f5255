#include "support/http_get.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdlib>

namespace crawler::test {
namespace {

std::optional<std::string> exchange(int fd, std::uint16_t port, const std::string& request) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (::connect(fd, reinterpret_cast<sockaddr*>(&address), sizeof address) != 0) return std::nullopt;
    if (::send(fd, request.data(), request.size(), MSG_NOSIGNAL) != static_cast<ssize_t>(request.size()))
        return std::nullopt;
    std::string answer;
    char buffer[8192];
    ssize_t count = 0;
    while ((count = ::recv(fd, buffer, sizeof buffer, 0)) > 0) answer.append(buffer, static_cast<std::size_t>(count));
    if (count < 0) return std::nullopt;
    return answer;
}

}  // namespace

std::optional<Answer> http_get(std::uint16_t port, const std::string& path) {
    const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    const timeval limit{.tv_sec = 10, .tv_usec = 0};
    ::setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
    const auto text = exchange(fd, port, "GET " + path + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
    ::close(fd);
    if (!text || text->rfind("HTTP/1.1 ", 0) != 0) return std::nullopt;
    const auto body = text->find("\r\n\r\n");
    if (body == std::string::npos) return std::nullopt;
    return Answer{std::atoi(text->c_str() + 9), text->substr(body + 4)};
}

}  // namespace crawler::test
