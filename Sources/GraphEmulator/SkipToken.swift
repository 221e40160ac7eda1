import Documents
import OAuth

/// An opaque position in a collection, for `@odata.nextLink`. The token is valid only for the same query.
struct SkipToken: Hashable, Sendable {
  var offset: Int

  init(offset: Int) { self.offset = offset }

  /// Parses a token. Throws an error if the token is invalid or belongs to another query.
  init(_ text: String, for call: GraphRequestContext) throws(GraphErrorResponse) {
    guard let bytes = try? Base64URL.decode(text), bytes.count == 14, bytes.prefix(2) == [0x44, 0x53] else {
      throw Self.invalid
    }
    offset = bytes[2..<6].reduce(0) { $0 << 8 | Int($1) }
    guard Array(bytes[6...]) == Self.seal(offset, call) else { throw Self.invalid }
  }

  func text(for call: GraphRequestContext) -> String {
    let position = (0..<4).map { UInt8(truncatingIfNeeded: offset >> (24 - 8 * $0)) }
    return Base64URL.encode([0x44, 0x53] + position + Self.seal(offset, call))
  }

  private static let invalid = GraphErrorResponse.badRequest("The value of $skiptoken is not valid.")

  /// Returns a checksum of the offset, path, query, and tenant. The checksum detects errors but does not protect
  /// against attackers.
  private static func seal(_ offset: Int, _ call: GraphRequestContext) -> [UInt8] {
    // Use unescaped names, because some clients escape `$` as `%24` when they follow a link.
    let query = FormCoding.parse(call.request.query).entries.filter { !$0.name.lowercased().hasSuffix("skiptoken") }
    let text =
      "\(offset)|\(call.caller.tenantID)|\(call.segments.joined(separator: "/"))|"
      + query.map { "\($0.name)=\($0.value)" }.joined(separator: "&")
    let hash = Fingerprint.of(text)
    return (0..<8).map { UInt8(truncatingIfNeeded: hash >> UInt64(56 - 8 * $0)) }
  }
}

/// A deterministic 64-bit hash function for text (FNV-1a).
enum Fingerprint {
  static func of(_ text: String) -> UInt64 {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    hash = (hash ^ (hash >> 33)) &* 0xFF51_AFD7_ED55_8CCD
    return hash ^ (hash >> 33)
  }
}
