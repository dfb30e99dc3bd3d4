//===- Bpe.cpp - byte pair encoding ---------------------------------------===//
// SPDX-License-Identifier: MIT
//
// Sennrich et al., "Neural Machine Translation of Rare Words with Subword
// Units" (2016): neighbours in a word are merged, the pair of the lowest rank
// first, and the leftmost one among equals.
//
//===----------------------------------------------------------------------===//

#include "Fields.h"
#include "MergeTable.h"
#include "Model.h"
#include "Unicode.h"
#include <algorithm>
#include <mutex>
#include <tuple>

using namespace glow;
using namespace glow::tokenizer;

namespace {

/// A token of a word, in a list of its neighbours.
struct Symbol {
  TokenId id;
  int32_t previous, next; ///< -1: there is none
  bool isGone = false;    ///< merged into its neighbour
};

/// A possible merge of the symbol at `place` with the next one.
struct Candidate {
  Merge merge;
  int32_t place;

  /// The order of a heap, whose first element is merged first.
  bool operator<(const Candidate &other) const {
    return std::tie(merge.rank, place) >
           std::tie(other.merge.rank, other.place);
  }
};

class Bpe final : public Model {
public:
  explicit Bpe(const Fields &of);

  Status encode(std::string_view word, std::vector<TokenId> &to) const override;

private:
  void readVocabulary(const Fields &of);
  void readMerges(const Fields &of);
  void readMerge(const Fields &of, const Json &pair, const std::string &place,
                 uint32_t rank);

  /// The ids of the characters of a word.
  Status begin(std::string_view word, std::vector<TokenId> &ids) const;
  void merge(std::vector<TokenId> &ids) const;

  MergeTable merges;
  std::string prefix, suffix; ///< of characters behind the first; of the last
  std::string unknown;
  bool hasUnknown, fuses, hasBytes, takesWords;

  // Texts repeat words. Words of earlier texts are kept, up to a number.
  static constexpr size_t mostWords = 1 << 16, longestWord = 64;
  mutable std::mutex mutex;
  mutable TextMap<std::vector<TokenId>> known;
};

} // namespace

Bpe::Bpe(const Fields &of) {
  of.allow({"dropout", "unk_token", "continuing_subword_prefix",
            "end_of_word_suffix", "fuse_unk", "byte_fallback", "ignore_merges",
            "vocab", "merges"});
  if (const Json *dropout = of.find("dropout"))
    if (!dropout->is_number() || dropout->get<double>() != 0)
      of.fail("dropout", "null or 0, for ids that do not vary",
              Code::Unsupported);
  hasUnknown = of.has("unk_token");
  unknown = of.textOr("unk_token", "");
  prefix = of.textOr("continuing_subword_prefix", "");
  suffix = of.textOr("end_of_word_suffix", "");
  fuses = of.flagOr("fuse_unk", false);
  hasBytes = of.flagOr("byte_fallback", false);
  takesWords = of.flagOr("ignore_merges", false);
  readVocabulary(of);
  if (of.ok())
    readMerges(of);
}

void Bpe::readVocabulary(const Fields &of) {
  const Json *tokens = of.find("vocab");
  if (!tokens || !tokens->is_object())
    return of.fail("vocab", "an object of tokens and their ids");
  for (const auto &[token, id] : tokens->items()) {
    if (!id.is_number_unsigned() || id.get<uint64_t>() >= mostIds)
      return of.fail(failure(Code::InvalidArgument, of.place(), ".vocab has ",
                             shown(token), ": ", shown(id),
                             ", the id should be a number below ", mostIds));
    theVocabulary.add(token, id.get<TokenId>());
  }
}

void Bpe::readMerges(const Fields &of) {
  const Json *list = of.find("merges");
  if (!list || !list->is_array())
    return of.fail("merges", "a list of pairs of tokens");
  merges.reserve(list->size());
  for (size_t i = 0; i < list->size() && of.ok(); ++i)
    readMerge(of, (*list)[i], of.place() + ".merges[" + std::to_string(i) + "]",
              uint32_t(i));
}

/// ["a", "b"], or "a b" in older files.
void Bpe::readMerge(const Fields &of, const Json &pair,
                    const std::string &place, uint32_t rank) {
  std::string_view left, right;
  auto view = [](const Json &text) -> std::string_view {
    return text.get_ref<const std::string &>();
  };
  if (pair.is_array() && pair.size() == 2 && pair[0].is_string() &&
      pair[1].is_string()) {
    left = view(pair[0]), right = view(pair[1]);
  } else if (pair.is_string() && std::ranges::count(view(pair), ' ') == 1) {
    const size_t blank = view(pair).find(' ');
    left = view(pair).substr(0, blank), right = view(pair).substr(blank + 1);
  } else {
    return of.fail(failure(Code::InvalidArgument, place,
                           " should be two tokens, as [\"a\", \"b\"] or "
                           "\"a b\""));
  }
  if (right.size() < prefix.size())
    return of.fail(failure(Code::InvalidArgument, place, " has ", shown(right),
                           ", it should begin with ", shown(prefix)));
  const std::string whole =
      std::string(left) + std::string(right.substr(prefix.size()));
  auto id = [&](std::string_view token) {
    std::optional<TokenId> found = theVocabulary.idOf(token);
    if (!found)
      of.fail(failure(Code::InvalidArgument, place, " has ", shown(token),
                      ", which vocab should have"));
    return found.value_or(0);
  };
  const TokenId a = id(left), b = id(right);
  merges.add(a, b, {rank, id(whole)});
}

Status Bpe::encode(std::string_view word, std::vector<TokenId> &to) const {
  if (takesWords)
    if (std::optional<TokenId> id = theVocabulary.idOf(word)) {
      to.push_back(*id);
      return Status();
    }
  const bool isKept = word.size() <= longestWord;
  if (isKept) {
    std::lock_guard lock(mutex);
    if (auto found = known.find(word); found != known.end()) {
      to.insert(to.end(), found->second.begin(), found->second.end());
      return Status();
    }
  }
  std::vector<TokenId> ids;
  if (Status status = begin(word, ids); !status.ok())
    return status;
  merge(ids);
  to.insert(to.end(), ids.begin(), ids.end());
  if (isKept) {
    std::lock_guard lock(mutex);
    if (known.size() >= mostWords)
      known.clear();
    known.emplace(word, std::move(ids));
  }
  return Status();
}

Status Bpe::begin(std::string_view word, std::vector<TokenId> &ids) const {
  // Unknown characters, of which none is appended yet. As in the format's
  // library, bytes of later characters stand before them.
  bool isPending = false;
  const std::optional<TokenId> unknownId = theVocabulary.idOf(unknown);
  std::string spelled;
  for (size_t at = 0; at < word.size();) {
    const size_t from = at;
    nextCharacter(word, at);
    std::string_view token = word.substr(from, at - from);
    const bool isInside = from > 0 && !prefix.empty();
    if (isInside || (at == word.size() && !suffix.empty())) {
      spelled = isInside ? prefix : "";
      spelled += token;
      spelled += at == word.size() ? suffix : "";
      token = spelled;
    }
    if (std::optional<TokenId> id = theVocabulary.idOf(token)) {
      if (std::exchange(isPending, false))
        ids.push_back(*unknownId);
      ids.push_back(*id);
      continue;
    }
    if ((hasBytes && appendBytes(theVocabulary, token, ids)) || !hasUnknown)
      continue;
    if (!unknownId)
      return failure(Code::InvalidArgument, "there is no token for ",
                     shown(token), ", and unk_token, ", shown(unknown),
                     ", is not in vocab");
    if (isPending && !fuses)
      ids.push_back(*unknownId);
    isPending = true;
  }
  if (isPending)
    ids.push_back(*unknownId);
  return Status();
}

void Bpe::merge(std::vector<TokenId> &ids) const {
  thread_local std::vector<Symbol> symbols;
  thread_local std::vector<Candidate> heap;
  const auto count = int32_t(ids.size());
  symbols.clear(), heap.clear();
  for (int32_t i = 0; i < count; ++i)
    symbols.push_back({ids[size_t(i)], i - 1, i + 1 < count ? i + 1 : -1});
  auto mergeAt = [&](int32_t place) -> const Merge * {
    const Symbol &left = symbols[size_t(place)];
    return left.next < 0 ? nullptr
                         : merges.find(left.id, symbols[size_t(left.next)].id);
  };
  auto consider = [&](int32_t place) {
    const Merge *merge = place < 0 ? nullptr : mergeAt(place);
    if (!merge)
      return;
    heap.push_back({*merge, place});
    std::push_heap(heap.begin(), heap.end());
  };
  for (int32_t i = 0; i < count; ++i)
    consider(i);
  while (!heap.empty()) {
    std::pop_heap(heap.begin(), heap.end());
    const Candidate best = heap.back();
    heap.pop_back();
    Symbol &left = symbols[size_t(best.place)];
    // An earlier merge may have taken one of the two, or changed the pair.
    const Merge *now = left.isGone ? nullptr : mergeAt(best.place);
    if (!now || now->id != best.merge.id)
      continue;
    Symbol &right = symbols[size_t(left.next)];
    right.isGone = true;
    left.id = best.merge.id, left.next = right.next;
    if (left.next >= 0)
      symbols[size_t(left.next)].previous = best.place;
    consider(left.previous);
    consider(best.place);
  }
  ids.clear();
  for (const Symbol &symbol : symbols)
    if (!symbol.isGone)
      ids.push_back(symbol.id);
}

std::unique_ptr<const Model> tokenizer::bpeOf(const Fields &of) {
  return std::make_unique<Bpe>(of);
}
