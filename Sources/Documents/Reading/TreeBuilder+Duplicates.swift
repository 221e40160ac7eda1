import Diagnostics

extension TreeBuilder {
  /// Reports every duplicate key with both locations.
  ///
  /// In small mappings, each pair of keys is compared. In large mappings, the keys are sorted first to avoid quadratic
  /// time.
  mutating func reportDuplicates(in mapping: Int, entries: Int) {
    if entries <= 16, !hasEqualHashes(in: mapping, entries: entries) { return }
    var keys: [(hash: UInt64, index: Int)] = []
    keys.reserveCapacity(entries)
    forEachKey(of: mapping) { keys.append(($1, $0)) }
    keys.sort { ($0.hash, $0.index) < ($1.hash, $1.index) }
    var start = 0
    while start < keys.count {
      var stop = start + 1
      while stop < keys.count, keys[stop].hash == keys[start].hash { stop += 1 }
      if stop - start > 1 { reportEqual(keys[start..<stop].map(\.index)) }
      start = stop
    }
  }

  /// Returns whether two keys have equal hashes. This fast path for few keys does not allocate memory.
  private func hasEqualHashes(in mapping: Int, entries: Int) -> Bool {
    withUnsafeTemporaryAllocation(of: UInt64.self, capacity: entries) { hashes in
      var count = 0
      var hasDuplicate = false
      forEachKey(of: mapping) { _, hash in
        guard count < entries else { return }
        for earlier in 0..<count where hashes[earlier] == hash { hasDuplicate = true }
        hashes.initializeElement(at: count, to: hash)
        count += 1
      }
      return hasDuplicate
    }
  }

  private func forEachKey(of mapping: Int, _ body: (_ index: Int, _ hash: UInt64) -> Void) {
    source.bytes.withUnsafeBufferPointer { source in
      pool.withUnsafeBufferPointer { pool in
        records.withUnsafeBufferPointer { records in
          let end = Int(records[mapping].second)
          var position = mapping + 1
          while position < end {
            var record = records[position]
            if record.kind == .alias { record = records[Int(record.first)] }
            let buffer = record.form == .pooled ? pool : source
            let hash =
              if record.form == .verbatim || record.form == .pooled {
                Self.hash(UnsafeBufferPointer(rebasing: buffer[record.textRange]))
              } else {
                Document.withText(of: record, source: source, pool: pool, Self.hash)
              }
            body(position, hash)
            let value = position + 1
            guard value < end else { return }
            position = records[value].isContainer ? Int(records[value].second) : value + 1
          }
        }
      }
    }
  }

  /// Compares keys with equal hashes and reports duplicates.
  private mutating func reportEqual(_ indices: [Int]) {
    var firsts: [String: Int] = [:]
    for index in indices {
      let name = keyText(index)
      // Swift compares strings by canonical equivalence, but keys are equal only if their bytes are equal.
      let exact = name.utf8.reduce(into: "") { $0 += String($1, radix: 16) + " " }
      guard let first = firsts[exact] else {
        firsts[exact] = index
        continue
      }
      let earlier = FileSpan(source, span(of: first))
      report(
        rule: "duplicate-key", "duplicate key `\(name)`",
        help: "remove one of them: some parsers use the first, others the last", at: span(of: index),
        related: [Diagnostic.Related("first key is here", at: earlier)])
    }
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

  /// Hashes eight bytes at a time. Different strings can have equal hashes, so callers also compare the bytes.
  private static func hash(_ text: UnsafeBufferPointer<UInt8>) -> UInt64 {
    var hash = UInt64(text.count) &* 0x9E37_79B9_7F4A_7C15
    guard let base = text.baseAddress else { return hash }
    let raw = UnsafeRawPointer(base)
    var index = 0
    while index < text.count {
      var word: UInt64 = 0
      if index + 8 <= text.count {
        word = raw.loadUnaligned(fromByteOffset: index, as: UInt64.self)
      } else {
        for byte in text[index...] { word = word << 8 | UInt64(byte) }
      }
      hash = (hash ^ word) &* 0xFF51_AFD7_ED55_8CCD
      hash ^= hash >> 32
      index += 8
    }
    return hash
  }
}
