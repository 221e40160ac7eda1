import IdentityPlatform

/// A single-pass scan for known terms in text.
struct TextScan {
  let glossary: Glossary
  private(set) var entries: [GlossaryEntry] = []
  private(set) var unlisted: [SignInCode] = []
  private(set) var correlationIDs: [String] = []
  private(set) var traceIDs: [String] = []
  private(set) var timestamps: [String] = []
  private(set) var httpStatuses: [Int] = []
  private var seen: Set<String> = []

  init(glossary: Glossary) { self.glossary = glossary }

  mutating func read(_ bytes: [UInt8]) {
    var index = 0
    while index < bytes.count {
      guard Self.isWord(bytes[index]) else {
        index += 1
        continue
      }
      if let end = Self.identifierEnd(bytes, index) {
        readID(bytes, index, end)
        index = end
        continue
      }
      if let end = Self.timestampEnd(bytes, index) {
        readTimestamp(bytes, index, end)
        index = end
        continue
      }
      var end = index
      while end < bytes.count, Self.isWord(bytes[end]) { end += 1 }
      index = readWord(bytes, index, end)
    }
  }

  // MARK: Words

  /// - Returns: The offset after the word, or after the word's value if it has one.
  private mutating func readWord(_ bytes: [UInt8], _ start: Int, _ end: Int) -> Int {
    // Names are short, whereas tokens and authorization codes are long.
    guard end - start <= 64 else { return end }
    let word = String(decoding: bytes[start..<end], as: UTF8.self)
    let lower = word.lowercased()
    if let code = Self.code(lower, bytes, end) {
      note(code)
    } else if let number = Self.negative(lower, bytes, start) {
      note(glossary.numbered(number))
    } else if let topic = Self.keysOfErrors[lower] {
      if let value = value(bytes, after: end) {
        let found = oauthNames(value.word, preferring: topic)
        note(found)
        if !found.isEmpty { return value.end }
      }
    } else if Self.keysOfNumbers.contains(lower) {
      for number in Self.numbers(bytes, after: end) { note(SignInCode(number: number)) }
    } else if Self.keysOfStatuses.contains(lower) {
      if let status = value(bytes, after: end).flatMap({ Int($0.word) }), (100...599).contains(status),
        !httpStatuses.contains(status)
      {
        httpStatuses.append(status)
      }
    } else if lower.contains("_") {
      note(oauthNames(lower, preferring: .suberror))
    } else {
      note(namedByClass(word, bytes, start))
    }
    if Self.keysOfErrors[lower] != nil || Self.keysOfNumbers.contains(lower) || Self.keysOfStatuses.contains(lower) {
      note(namedByClass(word, bytes, start))
    }
    return end
  }

  /// The keys whose values are error names, with each error's topic.
  private static let keysOfErrors: [String: GlossaryEntry.Topic] = [
    "error": .oauthError, "errorcode": .oauthError, "error_code": .oauthError, "msaloautherrorkey": .oauthError,
    "suberror": .suberror, "sub_error": .suberror, "msaloauthsuberrorkey": .suberror,
  ]
  private static let keysOfNumbers: Set<String> = ["error_codes", "errorcodes", "msalstserrorcodeskey"]
  private static let keysOfStatuses: Set<String> = [
    "msalhttpresponsecodekey", "statuscode", "status_code", "httpstatus", "http_status",
  ]

  /// Returns the entries for errors and keys with this name.
  private func namedByClass(_ word: String, _ bytes: [UInt8], _ start: Int) -> [GlossaryEntry] {
    if let first = word.unicodeScalars.first, first.properties.isUppercase, word.count > 8 {
      return glossary.named(word).filter { Self.namedByClass.contains($0.topic) }
    }
    let isMember = ["MSALError.", "MSALErrorCode.", "MSALInternalError."].contains { Self.follows(bytes, start, $0) }
    return isMember ? glossary.named(word).filter { $0.topic == .msalError || $0.topic == .msalInternalError } : []
  }

  /// The types of entries whose names can start with an uppercase letter.
  private static let namedByClass: Set<GlossaryEntry.Topic> = [
    .msalError, .msalInternalError, .libraryError, .identityCoreError, .userInfoKey,
  ]

  /// Returns the OAuth errors and suberrors with this name. Some names exist as both.
  private func oauthNames(_ name: String, preferring topic: GlossaryEntry.Topic) -> [GlossaryEntry] {
    let found = glossary.named(name).filter {
      ($0.topic == .oauthError || $0.topic == .suberror) && $0.name == name.lowercased()
    }
    let preferred = found.filter { $0.topic == topic }
    return preferred.isEmpty ? found : preferred
  }

  private mutating func note(_ found: [GlossaryEntry]) {
    for entry in found where seen.insert("\(entry.topic.rawValue) \(entry.name)").inserted { entries.append(entry) }
  }

  private mutating func note(_ code: SignInCode) {
    if let entry = glossary.entry(of: code) { return note([entry]) }
    if !unlisted.contains(code) { unlisted.append(code) }
  }

  /// Parses an error code such as `aadsts65001`. A space or sign may separate `aadsts` from the number.
  private static func code(_ word: String, _ bytes: [UInt8], _ end: Int) -> SignInCode? {
    guard word.hasPrefix("aadsts") || word.hasPrefix("aadb2c") else { return nil }
    if word.count > 6 { return SignInCode(word) }
    guard end + 1 < bytes.count, " -:_".utf8.contains(bytes[end]) else { return nil }
    let digits = bytes[(end + 1)...].prefix { isDigit($0) }
    guard (4...9).contains(digits.count) else { return nil }
    return SignInCode(word + String(decoding: digits, as: UTF8.self))
  }

  /// Parses a negative code from MSAL or its common library, such as `-50002`. The sign may also be a Unicode minus
  /// sign or `~`.
  private static func negative(_ word: String, _ bytes: [UInt8], _ start: Int) -> Int? {
    guard word.count == 5, let number = Int(word), start > 0, [42, 50, 51].contains(number / 1000) else { return nil }
    let sign = bytes[start - 1]
    if sign == UInt8(ascii: "-") || sign == UInt8(ascii: "~") {
      return start > 1 && isWord(bytes[start - 2]) ? nil : -number
    }
    return start > 2 && bytes[(start - 3)..<start].elementsEqual([0xE2, 0x88, 0x92]) ? -number : nil
  }

  // MARK: Values

  /// Returns the word after `=` or `:`, without surrounding quotes.
  private func value(_ bytes: [UInt8], after end: Int) -> (word: String, end: Int)? {
    guard let start = Self.valueStart(bytes, end) else { return nil }
    let word = bytes[start...].prefix { Self.isWord($0) }
    guard (1...64).contains(word.count) else { return nil }
    return (String(decoding: word, as: UTF8.self), word.endIndex)
  }

  private static func valueStart(_ bytes: [UInt8], _ end: Int) -> Int? {
    var index = end
    func skip(_ signs: String, atMost limit: Int) {
      var count = 0
      while index < bytes.count, count < limit, signs.utf8.contains(bytes[index]) {
        index += 1
        count += 1
      }
    }
    skip("\"' \t)", atMost: 4)
    guard index < bytes.count, "=:".utf8.contains(bytes[index]) else { return nil }
    index += 1
    skip("\"' \t\r\n(", atMost: 8)
    return index < bytes.count ? index : nil
  }

  /// Returns the numbers in a bracketed or parenthesized list.
  private static func numbers(_ bytes: [UInt8], after end: Int) -> [Int] {
    guard var index = valueStart(bytes, end) else { return [] }
    var numbers: [Int] = []
    var digits = ""
    let limit = min(bytes.count, index + 400)
    while index < limit, !"])}".utf8.contains(bytes[index]) {
      if isDigit(bytes[index]) {
        digits.unicodeScalars.append(Unicode.Scalar(bytes[index]))
      } else if !digits.isEmpty {
        if (4...9).contains(digits.count), let number = Int(digits) { numbers.append(number) }
        digits = ""
      } else if isWord(bytes[index]) {
        break
      }
      index += 1
    }
    if (4...9).contains(digits.count), let number = Int(digits) { numbers.append(number) }
    return numbers
  }

  // MARK: IDs and times

  private mutating func readID(_ bytes: [UInt8], _ start: Int, _ end: Int) {
    let id = String(decoding: bytes[start..<end], as: UTF8.self).lowercased()
    let before = String(decoding: bytes[max(0, start - 40)..<start], as: UTF8.self).lowercased()
    let label = before.filter { $0.isLetter || $0.isNumber }
    // MSAL's log lines have the format [2024-07-12 14:58:48 - <correlation ID>].
    if label.hasSuffix("correlationid") || label.hasSuffix("correlationidkey") || label.hasSuffix("clientrequestid")
      || before.hasSuffix(" - ")
    {
      if !correlationIDs.contains(id) { correlationIDs.append(id) }
    } else if label.hasSuffix("traceid") || label.hasSuffix("requestid") {
      if !traceIDs.contains(id) { traceIDs.append(id) }
    }
  }

  private mutating func readTimestamp(_ bytes: [UInt8], _ start: Int, _ end: Int) {
    let text = String(decoding: bytes[start..<end], as: UTF8.self)
    if !timestamps.contains(text) { timestamps.append(text) }
  }

  /// Returns the end of the UUID that starts at an offset.
  private static func identifierEnd(_ bytes: [UInt8], _ start: Int) -> Int? {
    let end = start + 36
    guard end <= bytes.count, bytes[start + 8] == UInt8(ascii: "-"), end == bytes.count || !isWord(bytes[end]) else {
      return nil
    }
    return GUIDText.isWellFormed(String(decoding: bytes[start..<end], as: UTF8.self)) ? end : nil
  }

  private static let pattern = Array("dddd-dd-dd dd:dd:dd".utf8)

  /// Returns the end of a timestamp such as `2025-02-27 22:38:35Z`. The timestamp may contain `T` instead of the space,
  /// and the final `Z` is optional.
  private static func timestampEnd(_ bytes: [UInt8], _ start: Int) -> Int? {
    guard isDigit(bytes[start]), start + pattern.count <= bytes.count else { return nil }
    for (offset, sign) in pattern.enumerated() {
      let byte = bytes[start + offset]
      switch sign {
      case UInt8(ascii: "d"): guard isDigit(byte) else { return nil }
      case UInt8(ascii: " "): guard byte == sign || byte == UInt8(ascii: "T") else { return nil }
      default: guard byte == sign else { return nil }
      }
    }
    let end = start + pattern.count
    return end < bytes.count && bytes[end] == UInt8(ascii: "Z") ? end + 1 : end
  }

  private static func follows(_ bytes: [UInt8], _ start: Int, _ prefix: String) -> Bool {
    start >= prefix.utf8.count && bytes[(start - prefix.utf8.count)..<start].elementsEqual(prefix.utf8)
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

  private static func isWord(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
      UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "_"):
      true
    default: false
    }
  }
}
