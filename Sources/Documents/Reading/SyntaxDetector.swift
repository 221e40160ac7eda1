import Diagnostics

/// A detector that determines a document's syntax from its first characters and, if they are ambiguous, from its name.
enum SyntaxDetector {
  /// Returns the syntax, or nil if the text contains only whitespace.
  static func syntax(of source: SourceText) -> DocumentSyntax? {
    source.bytes.withUnsafeBufferPointer { bytes in
      var detector = Detector(bytes: bytes)
      return detector.syntax(hint: hint(of: source.name))
    }
  }

  private enum Hint { case json, yaml, propertyList, none }

  /// Returns the syntax that the file name suggests. Suffixes such as `.example` and `.template` are ignored.
  private static func hint(of name: String) -> Hint {
    let file = name.lowercased().split(separator: "/").last ?? ""
    for part in file.split(separator: ".").dropFirst().reversed() {
      switch part {
      case "json", "jsonc", "har", "webmanifest": return .json
      case "yaml", "yml": return .yaml
      case "plist", "entitlements", "strings", "pbxproj", "xcprivacy", "ostep": return .propertyList
      case "example", "sample", "template", "dist", "default", "bak", "orig", "in": continue
      default: return .none
      }
    }
    return .none
  }

  private struct Detector {
    let bytes: UnsafeBufferPointer<UInt8>
    var index = 0

    var byte: UInt8 { index < bytes.count ? bytes[index] : 0 }
    func byte(_ ahead: Int) -> UInt8 { index + ahead < bytes.count ? bytes[index + ahead] : 0 }
    func isAt(_ character: Unicode.Scalar) -> Bool { byte == UInt8(ascii: character) }

    mutating func syntax(hint: Hint) -> DocumentSyntax? {
      while index < bytes.count, ByteClassification.isBlank(byte) { index += 1 }
      guard index < bytes.count else { return nil }
      // Markup is XML regardless of the file name, because property lists are often saved with a different extension.
      if isAt("<"), byte(1) == UInt8(ascii: "?") || byte(1) == UInt8(ascii: "!") { return .xmlPropertyList }
      if isAt("<"), ByteClassification.isLetter(byte(1)), hint != .json, hint != .yaml {
        return looksLikeTag ? .xmlPropertyList : .openStepPropertyList
      }
      switch hint {
      case .json: return .json
      case .yaml: return isAt("<") && looksLikeTag ? .xmlPropertyList : .yaml
      case .propertyList, .none: break
      }
      skipBlanksAndComments()
      guard index < bytes.count else { return hint == .propertyList ? .openStepPropertyList : .yaml }
      switch byte {
      case UInt8(ascii: "<"): return looksLikeTag ? .xmlPropertyList : .openStepPropertyList
      case UInt8(ascii: "("): return .openStepPropertyList
      case UInt8(ascii: "{"): return insideBrace(hint)
      case UInt8(ascii: "["): return hint == .propertyList || looksLikeJSONList ? .json : .yaml
      case UInt8(ascii: "\""), UInt8(ascii: "'"): return afterFirstWord(hint)
      default:
        if hint == .none, byte == UInt8(ascii: "-") || byte == UInt8(ascii: "%") || byte == UInt8(ascii: "#") {
          return isLoneJSONScalar ? .json : .yaml
        }
        return afterFirstWord(hint)
      }
    }

    /// Whether a tag such as `<plist` starts here. OpenStep data also starts with `<`, but contains only hexadecimal
    /// digits up to the closing bracket.
    private var looksLikeTag: Bool {
      guard ByteClassification.isLetter(byte(1)) else { return false }
      var ahead = 1
      while index + ahead < bytes.count {
        let byte = byte(ahead)
        if byte == UInt8(ascii: ">") { return false }
        if HexText.value(of: byte) == nil, !ByteClassification.isBlank(byte) { return byte != UInt8(ascii: "*") }
        ahead += 1
      }
      return false
    }

    private mutating func skipBlanksAndComments() {
      while index < bytes.count {
        if ByteClassification.isBlank(byte) {
          index += 1
        } else if isAt("/"), byte(1) == UInt8(ascii: "/") {
          while index < bytes.count, !isAt("\n"), !isAt("\r") { index += 1 }
        } else if isAt("/"), byte(1) == UInt8(ascii: "*") {
          index += 2
          while index < bytes.count, !(isAt("*") && byte(1) == UInt8(ascii: "/")) { index += 1 }
          index = min(index + 2, bytes.count)
        } else {
          return
        }
      }
    }

    /// Skips a word or a quoted string. The next character distinguishes the syntaxes.
    private mutating func skipWord() {
      if isAt("\"") || isAt("'") {
        let quote = byte
        index += 1
        while index < bytes.count, byte != quote { index += isAt("\\") ? 2 : 1 }
        index = min(index + 1, bytes.count)
        return
      }
      while index < bytes.count, !ByteClassification.isBlank(byte), byte >= 0x80 || !Self.wordEnds.contains(byte) {
        index += 1
      }
    }

    private static let wordEnds: [UInt8] = Array("=:;,{}()[]<>\"'".utf8)

    private mutating func insideBrace(_ hint: Hint) -> DocumentSyntax {
      index += 1
      skipBlanksAndComments()
      if isAt("}") { return hint == .propertyList ? .openStepPropertyList : .json }
      let quote = byte
      skipWord()
      skipBlanksAndComments()
      if isAt("=") || isAt(";") { return .openStepPropertyList }
      if hint == .propertyList { return isAt(":") ? .json : .openStepPropertyList }
      return quote == UInt8(ascii: "\"") || !isAt(":") ? .json : .yaml
    }

    /// Detects `key = value;` as a strings file and `key: value` as YAML. A single scalar is JSON if it is valid JSON.
    private mutating func afterFirstWord(_ hint: Hint) -> DocumentSyntax {
      if hint == .none, isLoneJSONScalar { return .json }
      skipWord()
      skipBlanksAndComments()
      if isAt("=") || isAt(";") { return .openStepPropertyList }
      return hint == .propertyList ? .openStepPropertyList : .yaml
    }

    private var isLoneJSONScalar: Bool {
      var end = bytes.count
      while end > index, ByteClassification.isBlank(bytes[end - 1]) { end -= 1 }
      let text = bytes[index..<end]
      if text.count < 400 {
        let words: [String] = ["true", "false", "null"]
        if words.contains(where: { text.elementsEqual($0.utf8) }) { return true }
        if let first = text.first, ByteClassification.isDigit(first) || first == UInt8(ascii: "-") {
          return JSONReader.isNumber(UnsafeBufferPointer(rebasing: text))
        }
      }
      guard text.first == UInt8(ascii: "\""), text.count > 1, text.last == UInt8(ascii: "\"") else { return false }
      return !text.dropFirst().dropLast().contains(UInt8(ascii: "\""))
    }

    /// Whether the first element of the list is JSON and not a plain YAML word.
    private var looksLikeJSONList: Bool {
      var copy = self
      copy.index += 1
      copy.skipBlanksAndComments()
      switch copy.byte {
      case UInt8(ascii: "'"), UInt8(ascii: "#"), UInt8(ascii: "&"), UInt8(ascii: "*"), UInt8(ascii: "!"): return false
      case let byte where ByteClassification.isLetter(byte):
        let start = copy.index
        copy.skipWord()
        let words: [String] = ["true", "false", "null"]
        return words.contains { bytes[start..<copy.index].elementsEqual($0.utf8) }
      default: return true
      }
    }
  }
}
