/// A parser for the I-Regexp grammar (RFC 9485 §3).
struct IRegexpParser {
  private let scalars: [Unicode.Scalar]
  private var index = 0
  private var depth = 0

  private static let maximumNesting = 128
  /// The largest number in `{n,m}`.
  private static let maximumCount = 100_000

  init(_ text: String) {
    scalars = Array(text.unicodeScalars)
  }

  mutating func wholeExpression() throws(JSONPathSyntaxError) -> IRegexpTree {
    let tree = try expression()
    if peek == ")" { throw error("unmatched `)`", help: "write a literal parenthesis as `\\)`") }
    return tree
  }

  private mutating func expression() throws(JSONPathSyntaxError) -> IRegexpTree {
    var branches = [try branch()]
    while read("|") { branches.append(try branch()) }
    return branches.count == 1 ? branches[0] : .alternatives(branches)
  }

  private mutating func branch() throws(JSONPathSyntaxError) -> IRegexpTree {
    var pieces: [IRegexpTree] = []
    if peek == "^", !isQuantifier(at: index + 1) {
      index += 1
      pieces.append(.textStart)
    }
    while let next = peek, next != "|", next != ")" {
      if next == "$", endsBranch(at: index + 1) {
        index += 1
        pieces.append(.end)
        break
      }
      pieces.append(try quantified(try atom()))
    }
    return pieces.count == 1 ? pieces[0] : .sequence(pieces)
  }

  private func isQuantifier(at position: Int) -> Bool {
    position < scalars.count && "*+?{".unicodeScalars.contains(scalars[position])
  }

  private func endsBranch(at position: Int) -> Bool {
    position == scalars.count || scalars[position] == "|" || scalars[position] == ")"
  }

  private mutating func quantified(_ atom: IRegexpTree) throws(JSONPathSyntaxError) -> IRegexpTree {
    let piece: IRegexpTree
    switch peek {
    case "*": piece = .repetition(atom, minimum: 0, maximum: nil)
    case "+": piece = .repetition(atom, minimum: 1, maximum: nil)
    case "?": piece = .repetition(atom, minimum: 0, maximum: 1)
    case "{":
      piece = try counted(atom)
      index -= 1
    default: return atom
    }
    index += 1
    if isQuantifier(at: index) {
      throw error(
        "quantifier after a quantifier", help: "remove it: I-Regexp does not support lazy or possessive quantifiers")
    }
    return piece
  }

  /// Parses the quantifier `{n}`, `{n,}`, or `{n,m}`.
  private mutating func counted(_ atom: IRegexpTree) throws(JSONPathSyntaxError) -> IRegexpTree {
    let open = index
    index += 1
    let minimum = try count()
    var maximum: Int? = minimum
    if read(",") { maximum = peek == "}" ? nil : try count() }
    guard read("}") else {
      throw error(
        "missing `}`", help: "write a repetition such as `{2}`, `{2,}`, or `{2,5}`, or a literal brace as `\\{`")
    }
    if let maximum, maximum < minimum {
      throw JSONPathSyntaxError(
        offset: offset(open), message: "maximum is less than the minimum", help: "write `{\(maximum),\(minimum)}`")
    }
    return .repetition(atom, minimum: minimum, maximum: maximum)
  }

  private mutating func count() throws(JSONPathSyntaxError) -> Int {
    var value: Int?
    while let digit = peek.flatMap({ $0.isASCII ? Character($0).wholeNumberValue : nil }) {
      value = (value ?? 0) * 10 + digit
      if let value, value > Self.maximumCount { throw error("more than \(Self.maximumCount) repetitions") }
      index += 1
    }
    guard let value else {
      throw error(
        "expected a number in braces",
        help: "write a repetition such as `{2}`, `{2,}`, or `{2,5}`, or a literal brace as `\\{`")
    }
    return value
  }

  private mutating func atom() throws(JSONPathSyntaxError) -> IRegexpTree {
    let start = index
    guard let scalar = peek else { throw error("unexpected end of the expression") }
    index += 1
    switch scalar {
    case ".": return .set(.dot)
    case "(":
      if peek == "?" { throw error("unsupported group `(?…)`", help: "use `(…)`") }
      depth += 1
      if depth > Self.maximumNesting { throw error("more than \(Self.maximumNesting) nested groups") }
      defer { depth -= 1 }
      let inner = try expression()
      guard read(")") else {
        throw JSONPathSyntaxError(offset: offset(start), message: "unclosed group", help: "add `)`")
      }
      return inner
    case "[": return .set(try bracketed(from: start))
    case "\\":
      if let category = try categoryEscape(from: start) { return .set(category) }
      return .set(.only(try characterEscape(from: start)))
    case "*", "+", "?", "{":
      throw JSONPathSyntaxError(
        offset: offset(start), message: "quantifier without an expression",
        help: "write the literal character as `\\\(scalar)`")
    case "]", "}":
      throw JSONPathSyntaxError(
        offset: offset(start), message: "unexpected `\(scalar)`", help: "write the literal character as `\\\(scalar)`")
    default: return .set(.only(scalar))
    }
  }

  // MARK: Classes

  private mutating func bracketed(from open: Int) throws(JSONPathSyntaxError) -> CharacterSet {
    var set = CharacterSet()
    set.isNegated = read("^")
    var isEmpty = true
    while true {
      guard let scalar = peek else {
        throw JSONPathSyntaxError(offset: offset(open), message: "unclosed character class", help: "add `]`")
      }
      let start = index
      index += 1
      switch scalar {
      case "]":
        if isEmpty {
          throw JSONPathSyntaxError(
            offset: offset(open), message: "empty character class", help: "write a literal bracket as `\\]`")
        }
        return set
      case "-":
        // A hyphen is a literal only at the start or the end of a class.
        guard isEmpty || peek == "]" else {
          throw JSONPathSyntaxError(
            offset: offset(start), message: "unescaped hyphen in a character class",
            help: "write `\\-`, or put it first; I-Regexp does not support class subtraction")
        }
        set.ranges.append(scalar.value...scalar.value)
      case "[":
        throw JSONPathSyntaxError(
          offset: offset(start), message: "unescaped bracket in a character class", help: "write `\\[`")
      default:
        if scalar == "\\", let category = try categoryEscape(from: start) {
          set.categories += category.categories
          set.excludedCategories += category.excludedCategories
        } else {
          let first = scalar == "\\" ? try characterEscape(from: start) : scalar
          set.ranges.append(try range(from: first, at: start))
        }
      }
      isEmpty = false
    }
  }

  /// Parses the rest of a range such as `a-z`, or returns a range that contains only `a`.
  private mutating func range(
    from first: Unicode.Scalar, at start: Int
  ) throws(JSONPathSyntaxError) -> ClosedRange<UInt32> {
    guard peek == "-", index + 1 < scalars.count, scalars[index + 1] != "]" else { return first.value...first.value }
    index += 1
    let endStart = index
    let end = scalars[index]
    index += 1
    let last: Unicode.Scalar
    switch end {
    case "\\":
      if try categoryEscape(from: endStart) != nil {
        throw JSONPathSyntaxError(offset: offset(endStart), message: "range ends with a character class")
      }
      last = try characterEscape(from: endStart)
    case "-", "[":
      throw JSONPathSyntaxError(
        offset: offset(endStart), message: "unescaped `\(end)` at the end of a range",
        help: "write `\\\(end)`; I-Regexp does not support class subtraction")
    default: last = end
    }
    guard first <= last else {
      throw JSONPathSyntaxError(
        offset: offset(start), message: "end of the range is before its start", help: "write `\(last)-\(first)`")
    }
    return first.value...last.value
  }

  // MARK: Escapes

  /// Parses `\p{…}` or `\P{…}` after the backslash, or returns nil for another letter.
  private mutating func categoryEscape(from start: Int) throws(JSONPathSyntaxError) -> CharacterSet? {
    guard let letter = peek, letter == "p" || letter == "P" else { return nil }
    index += 1
    guard read("{"), let close = scalars[index...].firstIndex(of: "}") else {
      throw JSONPathSyntaxError(
        offset: offset(start), message: "expected a category in braces after `\\\(letter)`",
        help: "write `\\\(letter){Lu}`, for example")
    }
    let name = String(String.UnicodeScalarView(scalars[index..<close]))
    guard let category = UnicodeCategory(name) else {
      throw JSONPathSyntaxError(
        offset: offset(start), message: "unknown Unicode category `\(name)`",
        help: "use `L`, `M`, `N`, `P`, `Z`, `S`, `C`, or a subcategory such as `Lu`, not a script or block")
    }
    index = close + 1
    var set = CharacterSet()
    if letter == "p" { set.categories = [category] } else { set.excludedCategories = [category] }
    return set
  }

  /// Parses `SingleCharEsc` after the backslash.
  private mutating func characterEscape(from start: Int) throws(JSONPathSyntaxError) -> Unicode.Scalar {
    guard let letter = peek else {
      throw JSONPathSyntaxError(
        offset: offset(start), message: "expression ends with a backslash", help: "write a literal backslash as `\\\\`")
    }
    index += 1
    switch letter {
    case "n": return "\n"
    case "r": return "\r"
    case "t": return "\t"
    case "(", ")", "*", "+", "-", ".", "?", "[", "\\", "]", "^", "{", "|", "}": return letter
    default:
      throw JSONPathSyntaxError(
        offset: offset(start), message: "unsupported escape `\\\(letter)`", help: Self.equivalent(of: letter))
    }
  }

  private static func equivalent(of letter: Unicode.Scalar) -> String? {
    switch letter {
    case "d": "use `[0-9]` or `\\p{Nd}`"
    case "D": "use `[^0-9]`"
    case "w": "use `[A-Za-z0-9_]`"
    case "W": "use `[^A-Za-z0-9_]`"
    case "s": "use `[ \\t\\n\\r]`"
    case "S": "use `[^ \\t\\n\\r]`"
    case "b", "B", "A", "z", "Z": "use the anchors `^` and `$`"
    case "u", "x": "write the character itself"
    case "1"..."9": "remove the backreference: I-Regexp does not support it"
    default: letter.properties.isAlphabetic ? nil : "write `\(letter)` without the backslash"
    }
  }

  // MARK: Reading

  private var peek: Unicode.Scalar? { index < scalars.count ? scalars[index] : nil }

  private mutating func read(_ scalar: Unicode.Scalar) -> Bool {
    guard peek == scalar else { return false }
    index += 1
    return true
  }

  /// Returns the offset of a position in UTF-8 bytes.
  private func offset(_ position: Int) -> Int {
    scalars[..<position].reduce(0) { $0 + UTF8.width($1) }
  }

  private func error(_ message: String, help: String? = nil) -> JSONPathSyntaxError {
    JSONPathSyntaxError(offset: offset(index), message: message, help: help)
  }
}
