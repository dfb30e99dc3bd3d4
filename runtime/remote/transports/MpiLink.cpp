//===- MpiLink.cpp - the host's side of MPI -------------------------------===//
// SPDX-License-Identifier: MIT

#include "Ranks.h"
#include "glow/Base/Hash.h"
#include <atomic>

using namespace glow;
using namespace glow::remote;

namespace {

/// Bytes of a program that go in one message.
constexpr size_t pieceBytes = size_t(1) << 20;

/// A link to a rank. It has no thread: Ranks sends messages and calls answers.
class MpiLink final : public Link {
public:
  explicit MpiLink(int to) : to(to) {}
  ~MpiLink() override { drop(); }

  void open(SessionId previous, Duration limit,
            Done<RemoteSession> done) override {
    call(Kind::Open, previous, limit, [done](Result<Message> answer) {
      if (!answer)
        return done(answer.status());
      RemoteSession session;
      session.id = SessionId(answer->session);
      session.freeBytes = numberOf(*answer, 0);
      DeviceInfo &device = session.device;
      device.backend = answer->text;
      device.programsAtOnce = std::max(1u, unsigned(numberOf(*answer, 1)));
      device.threads = unsigned(numberOf(*answer, 2));
      device.memoryBytes = numberOf(*answer, 3);
      device.rates = ratesOf(answer->rates);
      for (size_t i = 4; i < answer->numbers.size(); ++i)
        device.processors.push_back(unsigned(answer->numbers[i]));
      done(session);
    });
  }
  void ping(SessionId session, uint64_t moreBytes, Duration limit,
            Done<uint64_t> done) override {
    Message message = messageOf(Kind::Ping, session);
    message.text.resize(size_t(moreBytes));
    call(std::move(message), limit, freeOf(done));
  }
  void measure(SessionId session, Done<DeviceRates> done) override {
    call(Kind::Measure, session, Duration::zero(),
         [done](Result<Message> answer) {
           done(answer ? Result<DeviceRates>(ratesOf(answer->rates))
                       : Result<DeviceRates>(answer.status()));
         });
  }
  void load(SessionId session, const Program &program,
            const std::string &description, Done<RemoteProgram> done) override;
  std::function<void()>
  run(SessionId session, ProgramId program, const Ints &sizes,
      const std::vector<TensorView> &inputs,
      std::function<void(Status, const Outputs &)> done) override;
  void unload(SessionId session, ProgramId program,
              Done<uint64_t> done) override {
    Message message = messageOf(Kind::Unload, session);
    message.program = uint64_t(program);
    call(std::move(message), Duration::zero(), freeOf(done));
  }
  void close(SessionId session) override {
    Ranks::instance().send(to, messageOf(Kind::Close, session));
  }
  void drop() override { Ranks::instance().drop(this); }

private:
  static Message messageOf(Kind kind, SessionId session) {
    Message message;
    message.kind = kind;
    message.session = uint64_t(session);
    return message;
  }
  static Answered freeOf(Done<uint64_t> done) {
    return [done = std::move(done)](Result<Message> answer) {
      done(answer ? Result<uint64_t>(numberOf(*answer, 0))
                  : Result<uint64_t>(answer.status()));
    };
  }
  uint64_t call(Message message, Duration limit, Answered answered) {
    return Ranks::instance().call(to, this, std::move(message), limit,
                                  std::move(answered));
  }
  void call(Kind kind, SessionId session, Duration limit, Answered answered) {
    call(messageOf(kind, session), limit, std::move(answered));
  }

  const int to;
};

} // namespace

void MpiLink::load(SessionId session, const Program &program,
                   const std::string &description, Done<RemoteProgram> done) {
  HashOfParts hash;
  std::vector<std::string_view> parts{description};
  writeBlock(program, [&](std::string_view part) { parts.push_back(part); });
  for (std::string_view part : parts)
    hash.add(part);
  const Hash sum = hash.finish();
  Message begin = messageOf(Kind::Begin, session);
  begin.numbers = {int64_t(description.size()),
                   int64_t(blockBytes(program).value_or(0)), int64_t(sum.high),
                   int64_t(sum.low)};
  // Distinguishes programs that are sent at the same time.
  static std::atomic<uint64_t> loads = 0;
  const uint64_t number = ++loads;
  begin.program = number;
  Ranks &ranks = Ranks::instance();
  ranks.send(to, std::move(begin));
  for (std::string_view part : parts)
    for (; !part.empty();
         part.remove_prefix(std::min(pieceBytes, part.size()))) {
      Message piece = messageOf(Kind::Piece, session);
      piece.program = number;
      piece.text = part.substr(0, pieceBytes);
      ranks.send(to, std::move(piece));
    }
  Message load = messageOf(Kind::Load, session);
  load.program = number;
  call(std::move(load), Duration::zero(), [done](Result<Message> answer) {
    done(answer ? Result<RemoteProgram>(RemoteProgram{
                      ProgramId(answer->program), numberOf(*answer, 0)})
                : Result<RemoteProgram>(answer.status()));
  });
}

std::function<void()>
MpiLink::run(SessionId session, ProgramId program, const Ints &sizes,
             const std::vector<TensorView> &inputs,
             std::function<void(Status, const Outputs &)> done) {
  Message message = messageOf(Kind::Run, session);
  message.program = uint64_t(program);
  message.numbers.assign(sizes.begin(), sizes.end());
  setTensors(message, inputs);
  const uint64_t number = call(
      std::move(message), Duration::zero(), [done](Result<Message> answer) {
        done(answer.status(), [&](const std::vector<TensorView> &into) {
          return takeTensors(*answer, into);
        });
      });
  return [to = to, session, number] {
    Message cancel = messageOf(Kind::Cancel, session);
    cancel.call = number;
    Ranks::instance().send(to, std::move(cancel));
  };
}

std::unique_ptr<Link> remote::linkToRank(int rank) {
  return std::make_unique<MpiLink>(rank);
}
