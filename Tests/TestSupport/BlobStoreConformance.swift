import Effects

/// What every blob store must do, whatever it keeps the bytes in.
package enum BlobStoreConformance {
  private struct Refused: Error {}

  /// - Parameter store: two views of the same, still empty, blob, as two processes would have them.
  /// - Returns: what does not hold, in words; empty for a store that conforms.
  package static func violations(of store: () -> (any BlobStore, any BlobStore)) async throws -> [String] {
    var violations: [String] = []
    func require(_ holds: Bool, _ what: String) {
      if !holds { violations.append(what) }
    }
    let (store, other) = store()
    require(try store.load() == nil, "an empty store holds nothing")
    try store.update { require($0 == nil, "a change of an empty store begins with nothing") }
    require(try store.load() == nil, "a change that changes nothing stores nothing")
    let count = try store.update { bytes in
      bytes = [1, 2, 3]
      return bytes?.count ?? 0
    }
    require(count == 3, "a change hands on its result")
    require(try store.load() == [1, 2, 3], "what was stored is there")
    require(try other.load() == [1, 2, 3], "others see it")
    do {
      try store.update { bytes in
        bytes = [9]
        throw Refused()
      }
      violations.append("a change that throws makes the update throw")
    } catch is Refused {
      require(try store.load() == [1, 2, 3], "a change that throws changes nothing")
    }
    try requireRevisions(store, other, require)
    let large = (0..<300_000).map { UInt8(truncatingIfNeeded: $0) }
    try other.update { $0 = large }
    require(try store.load() == large, "large blobs are whole")
    try store.update { $0 = [] }
    require(try other.load() == [], "an empty blob is not none")
    try store.update { $0 = nil }
    require(try other.load() == nil, "nil removes the blob")
    try store.update { $0 = nil }
    require(try store.load() == nil, "removing what is not there is no failure")

    try store.update { $0 = [7] }
    let aside = try store.exclusively { try $0.moveAside() }
    require(try other.load() == nil, "what was moved aside is gone")
    try store.update { $0 = [8] }
    require(try store.exclusively { try $0.moveAside() } != aside, "nothing that was moved aside is overwritten")

    // Counting from many tasks at once: not one change may be lost.
    try await withThrowingTaskGroup(of: Void.self) { group in
      for task in 0..<8 {
        group.addTask {
          for _ in 0..<25 {
            try (task.isMultiple(of: 2) ? store : other).update { bytes in
              let count = (bytes ?? [0, 0]).reduce(0) { $0 << 8 | Int($1) } + 1
              bytes = [UInt8(count >> 8), UInt8(count & 255)]
            }
          }
        }
      }
      try await group.waitForAll()
    }
    require(try store.load() == [0, 200], "no change of two that come at once is lost")
    return violations
  }

  /// A mark that is taken after a change must not pass for one that was taken before it.
  private static func requireRevisions(
    _ store: any BlobStore, _ other: any BlobStore, _ require: (Bool, String) -> Void
  ) throws {
    try store.update { $0 = [1, 2, 3] }
    for change in UInt8(0)..<20 {
      let before = try store.read()
      require(before.bytes?.count == 3, "what is read is what was stored")
      // As many bytes as before, at once.
      try other.update { $0 = [change, 5, 6] }
      let after = try store.revision()
      require(!after.provesUnchanged(since: before.revision), "a change of the same size gives another revision")
    }
    let known = try store.exclusively { blob in
      try blob.replace(with: [4, 4, 4])
    }
    require(try store.revision().provesUnchanged(since: known), "what was just written is known to be unchanged")
    require(try other.revision().provesUnchanged(since: known), "others see the same revision")
    require(try store.read().bytes == [4, 4, 4], "what was written under the lock is there")
    try other.update { _ in }
    require(try store.revision().provesUnchanged(since: known), "a change that changes nothing keeps the revision")
    try other.update { $0 = nil }
    require(try !store.revision().provesUnchanged(since: known), "removing gives another revision")
    let absent = try store.read()
    require(absent.bytes == nil, "what was removed is not read")
    try other.update { $0 = [4, 4, 4] }
    require(try !store.revision().provesUnchanged(since: absent.revision), "storing gives another revision")
  }
}
