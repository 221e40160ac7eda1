import Documents
import IdentityPlatform

/// A parser that finds facts in normalized text: codes, parameters, URLs, tokens, and the platform.
struct FactExtractor {
  let text: NormalizedText
  private(set) var facts = Facts()
  /// Whether the words after this position belong to a response in an HTTP transcript.
  private var isInResponse = false

  private var bytes: [UInt8] { text.bytes }

  /// - Parameters:
  ///   - words: The `code:` and `exception:` facts that occur as words, with their locations.
  ///   - signs: The facts about the context, such as the platform, with their locations.
  ///   - captures: The values that phrases capture. Like parameters, they can indicate facts.
  static func facts(
    in text: NormalizedText, words: [(String, Range<Int>)], signs: [(String, Range<Int>)],
    captures: [(key: String, value: Range<Int>)]
  ) -> Facts {
    var extractor = FactExtractor(text: text)
    for (name, range) in words where extractor.isWholeWord(range) { extractor.facts.add(name, at: range) }
    for (name, range) in signs { extractor.facts.add(name, at: range) }
    extractor.scanWords()
    for (name, range) in captures.sorted(by: { $0.value.lowerBound < $1.value.lowerBound }) {
      extractor.readPair(name.lowercased(), range)
    }
    extractor.facts.addTokens(in: text)
    extractor.facts.addSummary(of: text)
    return extractor.facts
  }

  private func isWholeWord(_ range: Range<Int>) -> Bool {
    (range.lowerBound == 0 || !isWordByte(bytes[range.lowerBound - 1]))
      && (range.upperBound >= bytes.count || !isWordByte(bytes[range.upperBound]))
  }

  // MARK: Words

  private mutating func scanWords() {
    var index = 0
    while index < bytes.count {
      if bytes[index] == UInt8(ascii: ":"), bytes[index...].starts(with: "://".utf8) {
        addURL(at: index)
        index += 3
        continue
      }
      guard isWordByte(bytes[index]) else {
        index += 1
        continue
      }
      let start = index
      while index < bytes.count, isWordByte(bytes[index]) { index += 1 }
      guard index - start <= 48 else { continue }
      readWord(start..<index)
    }
  }

  private mutating func readWord(_ range: Range<Int>) {
    let word = String(decoding: bytes[range], as: UTF8.self)
    if Self.methods.contains(word),
      bytes[range.upperBound...].starts(with: " /".utf8)
        || bytes[range.upperBound...].starts(with: " http".utf8)
    {
      isInResponse = false
    }
    if word.first?.isNumber == true { return readNumber(word, range) }
    for (prefix, namespace) in [("aadsts", "aadsts"), ("aadb2c", "aadb2c"), ("idx", "idx")] where word.hasPrefix(prefix)
    {
      if let (number, end) = digits(after: range.lowerBound + prefix.utf8.count) {
        facts.add("\(namespace):\(number)", at: range.lowerBound..<end)
      }
      return
    }
    if word.hasSuffix("domain") { readDomain(word, range) }
    if word == "domain" || word == "error" { readQualifiedError(word, range) }
    if let value = value(after: range) {
      readPair(word, value)
    }
    if Self.leadingErrors.contains(word), range.upperBound < bytes.count, ":;".utf8.contains(bytes[range.upperBound]) {
      facts.add("oauth:\(word)", at: range)
    }
  }

  private static let methods: Set<String> = ["get", "post", "put", "patch", "delete", "options", "head"]

  /// OAuth errors that libraries print before the description, as in `invalid_grant: AADSTS50173`.
  private static let leadingErrors: Set<String> = [
    "invalid_grant", "invalid_client", "invalid_request", "invalid_scope", "invalid_resource", "unauthorized_client",
    "interaction_required", "login_required", "consent_required", "access_denied", "server_error",
    "temporarily_unavailable", "unsupported_grant_type", "unsupported_response_type", "invalid_instance",
    "authorization_pending", "expired_token", "code_expired", "slow_down",
  ]

  private func digits(after start: Int) -> (number: String, end: Int)? {
    var start = start
    if start < bytes.count, " -:_".utf8.contains(bytes[start]) { start += 1 }
    var end = start
    while end < bytes.count, isDigit(bytes[end]), end - start < 10 { end += 1 }
    guard (4...9).contains(end - start) else { return nil }
    return (String(decoding: bytes[start..<end], as: UTF8.self), end)
  }

  private mutating func readNumber(_ word: String, _ range: Range<Int>) {
    guard range.count >= 3, range.count <= 8, let number = Int(word) else { return }
    let isNegative =
      range.lowerBound > 0 && bytes[range.lowerBound - 1] == UInt8(ascii: "-")
      && (range.lowerBound < 2 || !isWordByte(bytes[range.lowerBound - 2]))
    if isNegative {
      switch number {
      case 50_000...50_200: facts.add("msal:-\(number)", at: range)
      case 42_000...42_999: facts.add("internal:-\(number)", at: range)
      case 51_000...51_999: facts.add("internal:-\(number)", at: range)
      case 34_018, 25_300, 25_299, 25_308, 10_814, 25_291, 25_243, 34_000...35_000:
        facts.add("osstatus:-\(number)", at: range)
      case 1_000...1_210, 3_000...3_010: facts.add("nsurl:-\(number)", at: range)
      default: break
      }
    }
    // MSAL prints `65001 - [2024-08-30 02:12:33Z]: AADSTS65001`.
    if range.count >= 5, bytes[range.upperBound...].starts(with: " - [2".utf8) {
      facts.add("aadsts:\(number)", at: range)
    }
    if range.count == 3, (200...599).contains(number), isStatus(range) {
      if number >= 300 { facts.add("http:\(number)", at: range) }
      if hasStatusLine(before: range) { isInResponse = true }
    }
  }

  /// Whether a status follows the protocol version, as in `HTTP/1.1 400` (RFC 9112 §4).
  private func hasStatusLine(before range: Range<Int>) -> Bool {
    let before = String(decoding: bytes[max(0, range.lowerBound - 9)..<range.lowerBound], as: UTF8.self)
    return ["http/1.1 ", "http/1.0 ", "http/2 ", "http/2.0 "].contains(where: before.hasSuffix)
  }

  /// Whether a three-digit number is an HTTP status, based on the surrounding text.
  private func isStatus(_ range: Range<Int>) -> Bool {
    let before = String(decoding: bytes[max(0, range.lowerBound - 16)..<range.lowerBound], as: UTF8.self)
    let after = String(decoding: bytes[range.upperBound...].prefix(14), as: UTF8.self)
    let labels = [
      "http/1.1\" ", "status ", "status: ", "status code ", "returned ", "statuscode: ", "statuscode=", "code: ",
      "transportresponse: ", "code ",
    ]
    if hasStatusLine(before: range) || labels.contains(where: before.hasSuffix) {
      return true
    }
    return [
      " bad request", " unauthorized", " (unauthorized", " forbidden", " (forbidden", " too many requ", " (bad request",
      " not found", " service unav", " internal serv",
    ].contains(where: after.hasPrefix)
  }

  /// Reads an error such as `Error Domain=NSURLErrorDomain Code=-1009`.
  private mutating func readDomain(_ word: String, _ range: Range<Int>) {
    let rest = bytes[range.upperBound...].prefix(24)
    guard let code = rest.firstRange(of: Array("code=".utf8)) ?? rest.firstRange(of: Array("error ".utf8)) else {
      return
    }
    var end = code.upperBound
    if end < bytes.count, bytes[end] == UInt8(ascii: "-") { end += 1 }
    while end < bytes.count, isDigit(bytes[end]) { end += 1 }
    let number = String(decoding: bytes[code.upperBound..<end], as: UTF8.self)
    guard Int(number) != nil else { return }
    let place = range.lowerBound..<end
    facts.add("nserror:\(word)/\(number)", at: place)
    switch word {
    case "nsosstatuserrordomain": facts.add("osstatus:\(number)", at: place)
    case "nsurlerrordomain": facts.add("nsurl:\(number)", at: place)
    default: break
    }
  }

  /// Reads an error whose domain contains periods, such as `Error Domain=com.apple.x.Session Code=1` or
  /// `(com.apple.x.Session error 1.)`.
  private mutating func readQualifiedError(_ word: String, _ range: Range<Int>) {
    var domain = range.lowerBound..<range.lowerBound
    var number = range.upperBound
    if word == "domain" {
      guard number < bytes.count, bytes[number] == UInt8(ascii: "=") else { return }
      let end = bytes[(number + 1)...].prefix(120).firstIndex(of: 0x20) ?? bytes.count
      guard bytes[end...].starts(with: " code=".utf8) else { return }
      domain = number + 1..<end
      number = end + 6
    } else {
      guard range.lowerBound > 1, number < bytes.count, bytes[number] == 0x20 else { return }
      let end = range.lowerBound - 1
      var start = end
      while start > 0, end - start < 120, isSchemeByte(bytes[start - 1]) { start -= 1 }
      domain = start..<end
      number += 1
    }
    guard bytes[domain].contains(UInt8(ascii: ".")) else { return }
    var end = number
    if end < bytes.count, bytes[end] == UInt8(ascii: "-") { end += 1 }
    while end < bytes.count, isDigit(bytes[end]) { end += 1 }
    guard let code = Int(String(decoding: bytes[number..<end], as: UTF8.self)) else { return }
    facts.add(
      "nserror:\(String(decoding: bytes[domain], as: UTF8.self))/\(code)", at: min(domain.lowerBound, number)..<end)
  }

  // MARK: Pairs

  /// Returns the range of the value after `=`, `:`, or a tab, with or without quotes. Tables of claims that developers
  /// copy from a page contain tabs.
  private func value(after range: Range<Int>) -> Range<Int>? {
    var index = range.upperBound
    while index < bytes.count, index - range.upperBound < 4, "\"' )]".utf8.contains(bytes[index]) { index += 1 }
    guard index < bytes.count, "=:".utf8.contains(bytes[index]) || text.isTab(at: range.upperBound) else { return nil }
    if "=:".utf8.contains(bytes[index]) { index += 1 }
    if index < bytes.count, bytes[index] == UInt8(ascii: ">") { index += 1 }
    while index < bytes.count, bytes[index] == 0x20 { index += 1 }
    guard index < bytes.count else { return nil }
    let quote = bytes[index]
    if quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") {
      let start = index + 1
      let end = bytes[start...].prefix(2000).firstIndex(of: quote) ?? min(bytes.count, start + 2000)
      return start < end ? start..<end : nil
    }
    // In a query or form, `&` separates the parameters, and values can contain decoded spaces.
    let first = range.lowerBound > 0 ? bytes[range.lowerBound - 1] : 0x20
    let isParameter = "?&#".utf8.contains(first) || bytes[index...].prefix(400).contains(UInt8(ascii: "&"))
    let signs = isParameter && bytes[range.upperBound] == UInt8(ascii: "=") ? "&#\"'<>" : " ,;&\"'<>)}"
    let end = bytes[index...].prefix(2000).firstIndex { signs.utf8.contains($0) } ?? min(bytes.count, index + 2000)
    return index < end ? index..<end : nil
  }

  private mutating func readPair(_ key: String, _ range: Range<Int>) {
    let value = String(decoding: bytes[range], as: UTF8.self)
    // Only the content type of requests is a fact.
    guard let reader = WireFacts.readers[key], !(isInResponse && key == "type") else { return }
    for (name, capture) in reader(value) {
      if let name { facts.add(name, at: range) }
      if let capture { facts.capture(capture, text.original(range)) }
    }
  }

  // MARK: URLs

  private mutating func addURL(at colon: Int) {
    var start = colon
    while start > 0, colon - start < 80, isSchemeByte(bytes[start - 1]) { start -= 1 }
    let end =
      bytes[colon...].prefix(2000).firstIndex { " \"'<>(){}[],;".utf8.contains($0) } ?? min(bytes.count, colon + 2000)
    guard start < colon else { return }
    let url = String(decoding: bytes[start..<end], as: UTF8.self)
    for name in WireFacts.url(url) { facts.add(name, at: start..<end) }
  }

  private func isSchemeByte(_ byte: UInt8) -> Bool {
    isWordByte(byte) || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "-")
  }
}

func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

/// Whether a byte of normalized text belongs to a word.
func isWordByte(_ byte: UInt8) -> Bool {
  isDigit(byte) || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) || byte == UInt8(ascii: "_")
}
