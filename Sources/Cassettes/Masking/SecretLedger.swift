import OAuth

/// The secrets of one tape: which stand-in each has, and how to find it in longer texts, also where it is written in
/// another way: percent-encoded, or in base64 of any kind at any offset.
struct SecretLedger: Sendable {
  private var labels: [String: String] = [:]
  private var counts: [String: Int] = [:]
  /// Forms to look for, by their first bytes.
  private var forms: [UInt64: [Form]] = [:]

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
  private static let keyLength = 6

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
    let key = Self.key(bytes, 0)
    if forms[key, default: []].contains(where: { $0.bytes == bytes }) { return }
    forms[key, default: []].append(Form(bytes: bytes, label: label, isEncoded: isEncoded))
  }

  private static func key(_ bytes: [UInt8], _ start: Int) -> UInt64 {
    var key: UInt64 = 0
    for index in start..<start + keyLength { key = key << 8 | UInt64(bytes[index]) }
    return key
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
    guard !forms.isEmpty, text.count >= Self.keyLength else { return [] }
    var hits: [Hit] = []
    var index = 0
    var key = Self.key(text, 0)
    let mask: UInt64 = (1 << (8 * UInt64(Self.keyLength))) - 1
    while true {
      if let candidates = forms[key] {
        let found = candidates.filter { form in
          index + form.bytes.count <= text.count && text[index..<index + form.bytes.count].elementsEqual(form.bytes)
        }.max { $0.bytes.count < $1.bytes.count }
        if let found {
          let hit = hit(found, at: index, in: text)
          hits.append(hit)
          // All of a run of base64 is hidden already.
          if found.isEncoded {
            index = hit.range.upperBound
            guard index + Self.keyLength <= text.count else { return hits }
            key = Self.key(text, index)
            continue
          }
        }
      }
      let next = index + Self.keyLength
      guard next < text.count else { return hits }
      key = (key << 8 | UInt64(text[next])) & mask
      index += 1
    }
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
