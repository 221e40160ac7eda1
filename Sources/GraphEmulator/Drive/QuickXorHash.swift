import Documents
import OAuth

/// Microsoft's QuickXorHash. OneDrive for work returns this hash for every file, and sync clients verify it after an
/// upload.
package enum QuickXorHash {
  private static let width = 160
  private static let shift = 11

  /// Returns the Base64-encoded hash, in the format of `hashes.quickXorHash`.
  package static func text(of bytes: [UInt8]) -> String {
    var cells = [UInt8](repeating: 0, count: width / 8)
    var bit = 0
    for byte in bytes {
      let cell = bit / 8
      let offset = bit % 8
      cells[cell] ^= byte << UInt8(offset)
      if offset > 0 { cells[(cell + 1) % cells.count] ^= byte >> UInt8(8 - offset) }
      bit = (bit + shift) % width
    }
    let length = UInt64(bytes.count)
    for index in 0..<8 { cells[12 + index] ^= UInt8(truncatingIfNeeded: length >> UInt64(8 * index)) }
    return Base64.encode(cells)
  }
}
