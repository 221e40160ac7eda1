import Effects

/// Tests the requirements for all blob stores.
package enum BlobStoreConformance {
  private struct UpdateError: Error {}

  /// - Parameter store: A closure that creates two stores for the same empty blob, like the stores of two processes.
  /// - Returns: The violated requirements.
  package static func violations(of store: () -> (any BlobStore, any BlobStore)) async throws -> [String] {
    var violations: [String] = []
    func require(_ isMet: Bool, _ requirement: String) {
      if !isMet { violations.append(requirement) }
    }
    let (store, other) = store()
    require(try store.load() == nil, "an empty store has no bytes")
    try store.update { require($0 == nil, "an update of an empty store receives nil") }
    require(try store.load() == nil, "an update without a change stores nothing")
    let count = try store.update { bytes in
      bytes = [1, 2, 3]
      return bytes?.count ?? 0
    }
    require(count == 3, "an update returns the result of its closure")
    require(try store.load() == [1, 2, 3], "stored bytes can be loaded")
    require(try other.load() == [1, 2, 3], "the other store loads the same bytes")
    do {
      try store.update { bytes in
        bytes = [9]
        throw UpdateError()
      }
      violations.append("an update rethrows the error of its closure")
    } catch is UpdateError {
      require(try store.load() == [1, 2, 3], "an update that throws does not change the blob")
    }
    try requireRevisions(store, other, require)
    let large = (0..<300_000).map { UInt8(truncatingIfNeeded: $0) }
    try other.update { $0 = large }
    require(try store.load() == large, "large blobs are complete")
    try store.update { $0 = [] }
    require(try other.load() == [], "an empty blob differs from a missing one")
    try store.update { $0 = nil }
    require(try other.load() == nil, "nil removes the blob")
    try store.update { $0 = nil }
    require(try store.load() == nil, "removing a missing blob succeeds")

    try store.update { $0 = [7] }
    let aside = try store.exclusively { try $0.moveAside() }
    require(try other.load() == nil, "a blob that was moved aside no longer exists")
    try store.update { $0 = [8] }
    require(try store.exclusively { try $0.moveAside() } != aside, "a second move does not overwrite the first copy")

    // Concurrent increments.
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
    require(try store.load() == [0, 200], "concurrent updates are not lost")
    return violations
  }

  /// Checks that an earlier revision does not count as unchanged after a change.
  private static func requireRevisions(
    _ store: any BlobStore, _ other: any BlobStore, _ require: (Bool, String) -> Void
  ) throws {
    try store.update { $0 = [1, 2, 3] }
    for change in UInt8(0)..<20 {
      let before = try store.read()
      require(before.bytes?.count == 3, "a read returns the stored bytes")
      // The new content has the same size and is written within the resolution of file times.
      try other.update { $0 = [change, 5, 6] }
      let after = try store.revision()
      require(!after.provesUnchanged(since: before.revision), "a change of the same size changes the revision")
    }
    let known = try store.exclusively { blob in
      try blob.replace(with: [4, 4, 4])
    }
    require(
      try store.revision().provesUnchanged(since: known), "the revision of a write proves that the blob is unchanged")
    require(try other.revision().provesUnchanged(since: known), "the other store has the same revision")
    require(try store.read().bytes == [4, 4, 4], "bytes written under the lock can be read")
    try other.update { _ in }
    require(try store.revision().provesUnchanged(since: known), "an update without a change preserves the revision")
    try other.update { $0 = nil }
    require(try !store.revision().provesUnchanged(since: known), "a removal changes the revision")
    let absent = try store.read()
    require(absent.bytes == nil, "a removed blob cannot be read")
    try other.update { $0 = [4, 4, 4] }
    require(try !store.revision().provesUnchanged(since: absent.revision), "a write changes the revision")
  }
}
