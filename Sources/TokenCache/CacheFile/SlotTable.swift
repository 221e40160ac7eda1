/// A hash table of indices for keys that are stored elsewhere. Does not support removal.
struct SlotTable: Sendable {
  /// Each slot contains half of the hash and the index plus one. A free slot is 0.
  private var slots: [UInt64]
  private let mask: Int

  init(count: Int) {
    var size = 1
    while size < count * 2 { size *= 2 }
    slots = [UInt64](repeating: 0, count: count == 0 ? 0 : size)
    mask = size - 1
  }

  /// Returns the hash of a key. Each process uses a random seed, so that a malicious file cannot cause collisions.
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

  /// Inserts an index. If the table already contains an index with the same key, replaces it.
  /// - Returns: The replaced index, or nil if there was none.
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

  /// Returns the index in a slot, or nil if the slot's half of the hash does not match.
  private static func index(_ slot: UInt64, _ hash: Int) -> Int? {
    guard (slot ^ UInt64(truncatingIfNeeded: hash)) & 0xFFFF_FFFF_0000_0000 == 0 else { return nil }
    return Int(slot & 0xFFFF_FFFF) - 1
  }
}
