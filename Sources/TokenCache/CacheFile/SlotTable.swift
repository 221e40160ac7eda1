/// A hash table of indices, for keys that stand elsewhere; nothing is ever removed.
struct SlotTable: Sendable {
  /// Half of the hash, and the index plus one; 0 is free.
  private var slots: [UInt64]
  private let mask: Int

  init(count: Int) {
    var size = 1
    while size < count * 2 { size *= 2 }
    slots = [UInt64](repeating: 0, count: count == 0 ? 0 : size)
    mask = size - 1
  }

  /// Seeded anew in each process, so that no file can be made whose keys all fall together.
  static func hash(_ key: UnsafeBufferPointer<UInt8>) -> Int {
    var hasher = Hasher()
    hasher.combine(bytes: UnsafeRawBufferPointer(key))
    return hasher.finalize()
  }

  func find(_ hash: Int, _ isSame: (Int) -> Bool) -> Int? {
    guard !slots.isEmpty else { return nil }
    var slot = hash & mask
    while slots[slot] != 0 {
      if let index = Self.index(slots[slot], hash), isSame(index) { return index }
      slot = (slot + 1) & mask
    }
    return nil
  }

  /// Puts an index in; where one of the same key is there already, it takes its place.
  /// - Returns: the one whose place it took.
  @inline(__always)
  mutating func insert(_ index: Int, hash: Int, _ isSame: (Int) -> Bool) -> Int? {
    var slot = hash & mask
    let new = UInt64(truncatingIfNeeded: hash) & 0xFFFF_FFFF_0000_0000 | UInt64(index + 1)
    while slots[slot] != 0 {
      if let old = Self.index(slots[slot], hash), isSame(old) {
        slots[slot] = new
        return old
      }
      slot = (slot + 1) & mask
    }
    slots[slot] = new
    return nil
  }

  /// The index in a slot if its half of the hash is the same.
  private static func index(_ slot: UInt64, _ hash: Int) -> Int? {
    guard (slot ^ UInt64(truncatingIfNeeded: hash)) & 0xFFFF_FFFF_0000_0000 == 0 else { return nil }
    return Int(slot & 0xFFFF_FFFF) - 1
  }
}
