#include "serve/connection.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/epoll.h>
#include <sys/socket.h>

#include <chrono>

#include "tests/support/temporary_folder.h"

namespace curupira::serve {
namespace {

using namespace std::chrono_literals;

class HandClock final : public Clock {
 public:
  std::chrono::system_clock::time_point now() const override { return {}; }
  std::chrono::steady_clock::time_point steady_now() const override { return steady; }
  std::chrono::steady_clock::time_point steady{1h};
};

/// A connection and its client's end of the socket; time passes when the test says so.
class ConnectionTest : public ::testing::Test {
 protected:
  ConnectionTest() {
    folder_.write("archives/big", std::string(8u << 20, 'x'));
    int ends[2];
    if (::socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0) throw std::runtime_error("socketpair");
    client_ = UniqueFd(ends[0]);
    ::fcntl(ends[1], F_SETFL, O_NONBLOCK);
    connection_.emplace(tools_, UniqueFd(ends[1]), "client");
  }

  bool send(std::string_view text) {
    EXPECT_EQ(::send(client_.get(), text.data(), text.size(), 0), static_cast<ssize_t>(text.size()));
    return connection_->step();
  }

  std::string receive() {
    std::string text(1u << 20, '\0');
    const ssize_t count = ::recv(client_.get(), text.data(), text.size(), MSG_DONTWAIT);
    text.resize(count < 0 ? 0 : static_cast<std::size_t>(count));
    return text;
  }

  bool in_time_after(std::chrono::milliseconds time) {
    clock_.steady += time;
    return connection_->in_time(clock_.steady);
  }

  test::TemporaryFolder folder_;
  HandClock clock_;
  Answers answers_{*ServedFolder::open(folder_.path()), {.html = "page", .policy = "default-src 'none'"}};
  ServeLimits limits_;
  std::function<void(const AnsweredRequest&)> log_;
  ConnectionTools tools_{answers_, clock_, limits_, log_};
  UniqueFd client_;
  std::optional<Connection> connection_;
};

constexpr std::string_view page = "GET / HTTP/1.1\r\nHost: x\r\n\r\n";
constexpr std::string_view big = "GET /archives/big HTTP/1.1\r\nHost: x\r\n\r\n";

TEST_F(ConnectionTest, WaitsForTheNextRequestAndNotForEver) {
  ASSERT_TRUE(send(page));
  EXPECT_TRUE(receive().ends_with("\r\n\r\npage"));
  EXPECT_EQ(connection_->waits_for(), static_cast<std::uint32_t>(EPOLLIN));
  EXPECT_TRUE(in_time_after(29s));
  EXPECT_FALSE(in_time_after(2s));
}

TEST_F(ConnectionTest, AHeadThatComesByteByByteGetsNoMoreTime) {
  for (int i = 0; i < 9; ++i) {
    ASSERT_TRUE(send("G"));
    ASSERT_TRUE(in_time_after(1s));
  }
  ASSERT_TRUE(send("G"));
  EXPECT_FALSE(in_time_after(1100ms));
}

TEST_F(ConnectionTest, AClientThatDoesNotReadHasItsTime) {
  ASSERT_TRUE(send(big));
  EXPECT_EQ(connection_->waits_for(), static_cast<std::uint32_t>(EPOLLOUT));
  EXPECT_TRUE(in_time_after(29s));
  EXPECT_FALSE(in_time_after(2s));
}

TEST_F(ConnectionTest, AClientThatReadsSlowlyGoesOn) {
  ASSERT_TRUE(send(big));
  for (int i = 0; i < 5; ++i) {
    ASSERT_TRUE(in_time_after(20s));
    ASSERT_FALSE(receive().empty());
    ASSERT_TRUE(connection_->step());
  }
}

TEST_F(ConnectionTest, OneTurnSendsOnlySoMuch) {
  const int size = 16 << 20;
  ::setsockopt(connection_->descriptor(), SOL_SOCKET, SO_SNDBUF, &size, sizeof size);
  ASSERT_TRUE(send(big));
  std::size_t got = 0;
  for (std::string text = receive(); !text.empty(); text = receive())
    got += text.size();
  EXPECT_LE(got, (1u << 20) + 4096u);
}

TEST_F(ConnectionTest, WhatIsNoRequestGetsAnAnswerAndAMomentToReadIt) {
  ASSERT_TRUE(send("nonsense\r\n\r\n"));
  EXPECT_TRUE(receive().starts_with("HTTP/1.1 400 "));
  EXPECT_TRUE(in_time_after(1s));
  EXPECT_FALSE(in_time_after(1100ms));
}

TEST_F(ConnectionTest, AFileThatBecameShorterEndsTheConnection) {
  ASSERT_TRUE(send(big));
  folder_.write("archives/big", "short");
  bool goes_on = true;
  for (int i = 0; i < 100 && goes_on; ++i) {
    receive();
    goes_on = connection_->step();
  }
  EXPECT_FALSE(goes_on);
}

TEST_F(ConnectionTest, AtTheEndOnlyWhatIsUnderWayIsFinished) {
  EXPECT_FALSE(connection_->finish_up());
  ASSERT_TRUE(send(big));
  EXPECT_TRUE(connection_->finish_up());
}

TEST_F(ConnectionTest, DatesAreThoseOfHttp) {
  EXPECT_EQ(http_date(std::chrono::sys_seconds(784111777s)), "Sun, 06 Nov 1994 08:49:37 GMT");
}

}  // namespace
}  // namespace curupira::serve
