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
    let large = (0..<300_000).map { UInt8(truncatingIfNeeded: $0) }
    try other.update { $0 = large }
    require(try store.load() == large, "large blobs are whole")
    try store.update { $0 = [] }
    require(try other.load() == [], "an empty blob is not none")
    try store.update { $0 = nil }
    require(try other.load() == nil, "nil removes the blob")
    try store.update { $0 = nil }
    require(try store.load() == nil, "removing what is not there is no failure")

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
}
