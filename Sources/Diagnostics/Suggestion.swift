/// A search for the valid name that is most similar to a misspelled name, for "did you mean" suggestions.
package enum Suggestion {
  /// Returns the candidate that is most similar to `word`, or nil if no candidate is similar enough.
  ///
  /// The comparison ignores case, `-`, `_`, and spaces, so that `client_id` matches `ClientId`.
  package static func nearest(to word: String, among candidates: some Sequence<String>) -> String? {
    let folded = fold(word)
    var best: (distance: Int, candidate: String)?
    for candidate in candidates {
      let other = fold(candidate)
      let limit = max(1, min(folded.count, other.count) / 3)
      let distance = editDistance(folded, other, atMost: limit)
      if let distance, best.map({ distance < $0.distance }) ?? true { best = (distance, candidate) }
    }
    return best?.candidate
  }

  /// Returns the candidate that contains the word, or that the word contains, with the most shared characters. For
  /// `extraScopes`, this is `scopes`, unless `extraScopesToConsent` is a candidate.
  package static func containing(_ word: String, among candidates: some Sequence<String>) -> String? {
    let folded = String(decoding: fold(word), as: UTF8.self)
    var best: (shared: Int, candidate: String)?
    for candidate in candidates {
      let other = String(decoding: fold(candidate), as: UTF8.self)
      let (short, long) = other.count < folded.count ? (other, folded) : (folded, other)
      guard short.count >= 5, short.count > best?.shared ?? 0, long.hasPrefix(short) || long.hasSuffix(short) else {
        continue
      }
      best = (short.count, candidate)
    }
    return best?.candidate
  }

  private static func fold(_ word: String) -> [UInt8] {
    word.lowercased().utf8.filter { $0 != UInt8(ascii: "-") && $0 != UInt8(ascii: "_") && $0 != UInt8(ascii: " ") }
  }

  /// Returns the number of insertions, deletions, replacements, and swaps of adjacent characters between two words, or
  /// nil if the number exceeds the limit.
  static func editDistance(_ left: [UInt8], _ right: [UInt8], atMost limit: Int) -> Int? {
    guard abs(left.count - right.count) <= limit, left.count <= 64, right.count <= 64 else { return nil }
    guard !left.isEmpty, !right.isEmpty else { return max(left.count, right.count) }
    var beforeLast: [Int] = []
    var last = Array(0...right.count)
    for i in 1...left.count {
      var row = [i]
      for j in 1...right.count {
        var cost = min(last[j] + 1, row[j - 1] + 1, last[j - 1] + (left[i - 1] == right[j - 1] ? 0 : 1))
        if i > 1, j > 1, left[i - 1] == right[j - 2], left[i - 2] == right[j - 1] {
          cost = min(cost, beforeLast[j - 2] + 1)
        }
        row.append(cost)
      }
      beforeLast = last
      last = row
    }
    return last[right.count] <= limit ? last[right.count] : nil
  }
}
