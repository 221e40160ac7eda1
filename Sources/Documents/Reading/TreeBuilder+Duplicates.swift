import Diagnostics

extension TreeBuilder {
  /// Says of every key that is there twice where both stand.
  ///
  /// Small mappings are compared pair by pair; large ones are sorted, so that no choice of keys makes this quadratic.
  mutating func reportDuplicates(in mapping: Int, entries: Int) {
    var keys: [(hash: UInt64, index: Int)] = []
    keys.reserveCapacity(entries)
    let end = Int(records[mapping].second)
    var position = mapping + 1
    while position < end {
      keys.append((hash(ofKey: position), position))
      position = next(after: next(after: position))
    }
    if entries <= 12 {
      var found = false
      outer: for later in 1..<keys.count {
        for earlier in 0..<later where keys[earlier].hash == keys[later].hash {
          found = true
          break outer
        }
      }
      guard found else { return }
    }
    keys.sort { ($0.hash, $0.index) < ($1.hash, $1.index) }
    var start = 0
    while start < keys.count {
      var stop = start + 1
      while stop < keys.count, keys[stop].hash == keys[start].hash { stop += 1 }
      if stop - start > 1 { reportEqual(keys[start..<stop].map(\.index)) }
      start = stop
    }
  }

  /// Keys with one hash: equal ones are reported against the first.
  private mutating func reportEqual(_ indices: [Int]) {
    var firsts: [String: Int] = [:]
    for index in indices {
      let name = keyText(index)
      // Swift's strings are equal when they are canonically equivalent; keys are equal only byte by byte.
      let exact = name.utf8.reduce(into: "") { $0 += String($1, radix: 16) + " " }
      guard let first = firsts[exact] else {
        firsts[exact] = index
        continue
      }
      let earlier = Place(source, span(of: first))
      report(
        rule: "duplicate-key", "the key ‘\(name)’ is in this mapping twice",
        help: "Keep one of the two; readers disagree about which of them counts.", at: span(of: index),
        related: [Diagnostic.Related("the first one stands here", at: earlier)])
    }
  }

  private func next(after index: Int) -> Int {
    records[index].isContainer ? Int(records[index].second) : index + 1
  }

  func span(of index: Int) -> SourceSpan {
    SourceSpan(start: Int(records[index].start), end: Int(records[index].end))
  }

  func keyText(_ index: Int) -> String {
    withKeyText(index) { String(decoding: $0, as: UTF8.self) }
  }

  private func withKeyText<Result>(_ index: Int, _ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
    let record = records[index].kind == .alias ? records[Int(records[index].first)] : records[index]
    return source.bytes.withUnsafeBufferPointer { source in
      pool.withUnsafeBufferPointer { pool in
        Document.withText(of: record, source: source, pool: pool, body)
      }
    }
  }

  private func hash(ofKey index: Int) -> UInt64 {
    withKeyText(index) { text in
      var hash: UInt64 = 0x9E37_79B9_7F4A_7C15
      for byte in text { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
      return hash ^ hash >> 32
    }
  }
}
