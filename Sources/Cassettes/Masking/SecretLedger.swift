import OAuth

/// The secrets of one tape: which stand-in each has, and how to find it in longer texts, also where it is written in
/// another way: percent-encoded, or in base64 of any kind at any offset.
struct SecretLedger: Sendable {
  private var labels: [String: String] = [:]
  private var counts: [String: Int] = [:]
  /// Forms to look for, by their last bytes: tokens of one service begin alike, and none ends as another does.
  private var long: [Ending: [Form]] = [:]
  private var short: [Ending: [Form]] = [:]

  private struct Form: Sendable {
    var bytes: [UInt8]
    var label: String
    /// Whether it is a piece of base64: then all the letters around it belong to it.
    var isEncoded: Bool
  }

  /// Values shorter than this are masked as fields only: inside longer texts they would hit innocent words.
  static let shortestSearched = 6
  /// A piece of base64 shorter than this may be anything.
  private static let shortestPiece = 8

  /// The last bytes of a text: 16 of a long form, 6 of a short one.
  private struct Ending: Hashable, Sendable {
    static let longest = 16
    static let shortest = 6

    var high: UInt64 = 0
    var low: UInt64 = 0

    /// The same text with one more byte.
    mutating func append(_ byte: UInt8) {
      high = high << 8 | low >> 56
      low = low << 8 | UInt64(byte)
    }

    /// What a short form is filed under.
    var short: Ending { Ending(high: 0, low: low & (1 << (8 * UInt64(Self.shortest)) - 1)) }
  }

  /// The stand-in of a secret that is known already.
  func label(of value: String) -> String? { labels[value] }

  /// The stand-in of a secret; one that is new gets the next number of its kind.
  @discardableResult
  mutating func learn(_ value: String, kind: String) -> String {
    if let label = labels[value] { return label }
    let number = counts[kind, default: 0] + 1
    counts[kind] = number
    let label = "\(kind) #\(number)"
    remember(value, as: label)
    return label
  }

  /// Gives a secret a stand-in of a tape that is being played.
  mutating func remember(_ value: String, as label: String) {
    guard labels[value] == nil, !value.isEmpty else { return }
    labels[value] = label
    let bytes = Array(value.utf8)
    guard bytes.count >= Self.shortestSearched else { return }
    add(bytes, label, isEncoded: false)
    for encoded in Set([FormCoding.encode(value), FormCoding.percentEncode(value)]) where encoded != value {
      add(Array(encoded.utf8), label, isEncoded: false)
    }
    for offset in 0..<3 {
      for encode in [Base64.encode, Base64URL.encode] as [([UInt8]) -> String] {
        let piece = Self.piece(of: bytes, at: offset, encode)
        if piece.count >= Self.shortestPiece { add(piece, label, isEncoded: true) }
      }
    }
  }

  /// The letters that depend on these bytes alone, whatever stands before and after them in groups of three.
  private static func piece(of bytes: [UInt8], at offset: Int, _ encode: ([UInt8]) -> String) -> [UInt8] {
    let text = Array(encode([UInt8](repeating: 0, count: offset) + bytes).utf8)
    let first = (offset * 8 + 5) / 6
    let end = (offset + bytes.count) * 8 / 6
    return first < end ? Array(text[first..<end]) : []
  }

  private mutating func add(_ bytes: [UInt8], _ label: String, isEncoded: Bool) {
    var ending = Ending()
    for byte in bytes.suffix(Ending.longest) { ending.append(byte) }
    let form = Form(bytes: bytes, label: label, isEncoded: isEncoded)
    func file(_ forms: inout [Form]) {
      if !forms.contains(where: { $0.bytes == bytes }) { forms.append(form) }
    }
    if bytes.count >= Ending.longest {
      file(&long[ending, default: []])
    } else {
      file(&short[ending.short, default: []])
    }
  }

  /// A place in a text that holds a secret.
  struct Hit: Sendable {
    var range: Range<Int>
    var label: String
    /// Whether the range is the secret itself, or something that it can be read out of.
    var isExact: Bool
  }

  /// Where secrets stand in a text, whatever their form. One look per byte, however many are known.
  func hits(in text: [UInt8]) -> [Hit] {
    var hits: [Hit] = []
    var ending = Ending()
    // All of a run of base64 is hidden once something in it is.
    var hidden = 0
    for (index, byte) in text.enumerated() {
      ending.append(byte)
      let end = index + 1
      guard end >= Ending.shortest else { continue }
      func longest(of forms: [Form]?) -> Form? {
        forms?.filter { form in
          (!form.isEncoded || end > hidden) && form.bytes.count <= end
            && text[(end - form.bytes.count)..<end].elementsEqual(form.bytes)
        }.max { $0.bytes.count < $1.bytes.count }
      }
      let found =
        (long.isEmpty ? nil : longest(of: long[ending])) ?? (short.isEmpty ? nil : longest(of: short[ending.short]))
      guard let found else { continue }
      let hit = hit(found, at: end - found.bytes.count, in: text)
      hits.append(hit)
      if found.isEncoded { hidden = hit.range.upperBound }
    }
    return hits
  }

  private func hit(_ form: Form, at index: Int, in text: [UInt8]) -> Hit {
    var start = index
    var end = index + form.bytes.count
    guard form.isEncoded else { return Hit(range: start..<end, label: form.label, isExact: true) }
    while start > 0, Self.isBase64(text[start - 1]) { start -= 1 }
    while end < text.count, Self.isBase64(text[end]) { end += 1 }
    return Hit(range: start..<end, label: form.label, isExact: false)
  }

  static func isBase64(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "/"), UInt8(ascii: "-"),
      UInt8(ascii: "_"), UInt8(ascii: "="):
      true
    default: false
    }
  }
}
