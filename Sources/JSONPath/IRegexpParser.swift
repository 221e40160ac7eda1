/// Reads the grammar of RFC 9485 §3, code point by code point.
struct IRegexpParser {
  private let scalars: [Unicode.Scalar]
  private var index = 0
  private var depth = 0

  private static let deepestNesting = 128
  /// Bounds the numbers in `{n,m}` before they are multiplied out.
  private static let largestCount = 100_000

  init(_ text: String) {
    scalars = Array(text.unicodeScalars)
  }

  mutating func wholeExpression() throws(JSONPathSyntaxError) -> IRegexpTree {
    let tree = try expression()
    if peek == ")" { throw error("this parenthesis closes nothing", help: "a parenthesis itself is written \\)") }
    return tree
  }

  private mutating func expression() throws(JSONPathSyntaxError) -> IRegexpTree {
    var branches = [try branch()]
    while take("|") { branches.append(try branch()) }
    return branches.count == 1 ? branches[0] : .alternatives(branches)
  }

  private mutating func branch() throws(JSONPathSyntaxError) -> IRegexpTree {
    var pieces: [IRegexpTree] = []
    if peek == "^", !isQuantifier(at: index + 1) {
      index += 1
      pieces.append(.beginning)
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
    case "*": piece = .repetition(atom, least: 0, most: nil)
    case "+": piece = .repetition(atom, least: 1, most: nil)
    case "?": piece = .repetition(atom, least: 0, most: 1)
    case "{":
      piece = try counted(atom)
      index -= 1
    default: return atom
    }
    index += 1
    if isQuantifier(at: index) {
      throw error(
        "a quantifier follows a quantifier", help: "I-Regexp knows no lazy or possessive ones; group with ( )")
    }
    return piece
  }

  /// `{n}`, `{n,}` or `{n,m}`.
  private mutating func counted(_ atom: IRegexpTree) throws(JSONPathSyntaxError) -> IRegexpTree {
    let open = index
    index += 1
    let least = try count()
    var most: Int? = least
    if take(",") { most = peek == "}" ? nil : try count() }
    guard take("}") else {
      throw error("} is missing", help: "repetitions are {2}, {2,} or {2,5}; a brace itself is \\{")
    }
    if let most, most < least {
      throw JSONPathSyntaxError(
        offset: offset(open), message: "the larger number stands second", help: "{\(most),\(least)}")
    }
    return .repetition(atom, least: least, most: most)
  }

  private mutating func count() throws(JSONPathSyntaxError) -> Int {
    var value: Int?
    while let digit = peek.flatMap({ $0.isASCII ? Character($0).wholeNumberValue : nil }) {
      value = (value ?? 0) * 10 + digit
      if let value, value > Self.largestCount { throw error("no more than \(Self.largestCount) repetitions") }
      index += 1
    }
    guard let value else {
      throw error("a number belongs into the braces", help: "repetitions are {2}, {2,} or {2,5}; a brace itself is \\{")
    }
    return value
  }

  private mutating func atom() throws(JSONPathSyntaxError) -> IRegexpTree {
    let start = index
    guard let scalar = peek else { throw error("the expression ends too early") }
    index += 1
    switch scalar {
    case ".": return .set(.dot)
    case "(":
      if peek == "?" { throw error("I-Regexp has no (?…)", help: "a group is ( )") }
      depth += 1
      if depth > Self.deepestNesting { throw error("more than \(Self.deepestNesting) groups inside one another") }
      defer { depth -= 1 }
      let inner = try expression()
      guard take(")") else {
        throw JSONPathSyntaxError(offset: offset(start), message: "this group is never closed", help: "a ) is missing")
      }
      return inner
    case "[": return .set(try bracketed(from: start))
    case "\\":
      if let category = try categoryEscape(from: start) { return .set(category) }
      return .set(.only(try characterEscape(from: start)))
    case "*", "+", "?", "{":
      throw JSONPathSyntaxError(
        offset: offset(start), message: "nothing stands before this quantifier to repeat",
        help: "the character itself is written \\\(scalar)")
    case "]", "}":
      throw JSONPathSyntaxError(
        offset: offset(start), message: "“\(scalar)” stands alone", help: "the character itself is written \\\(scalar)")
    default: return .set(.only(scalar))
    }
  }

  // MARK: Classes

  private mutating func bracketed(from open: Int) throws(JSONPathSyntaxError) -> CharacterSet {
    var set = CharacterSet()
    set.isNegated = take("^")
    var isEmpty = true
    while true {
      guard let scalar = peek else {
        throw JSONPathSyntaxError(offset: offset(open), message: "this class is never closed", help: "a ] is missing")
      }
      let start = index
      index += 1
      switch scalar {
      case "]":
        if isEmpty {
          throw JSONPathSyntaxError(offset: offset(open), message: "the class is empty", help: "a ] itself is \\]")
        }
        return set
      case "-":
        // Itself only as the first or the last; elsewhere it makes a range.
        guard isEmpty || peek == "]" else {
          throw JSONPathSyntaxError(
            offset: offset(start), message: "a hyphen inside a class is escaped",
            help: "write \\-, or put it first; I-Regexp has no subtraction of classes")
        }
        set.ranges.append(scalar.value...scalar.value)
      case "[":
        throw JSONPathSyntaxError(
          offset: offset(start), message: "a bracket inside a class is escaped", help: "write \\[")
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

  /// The rest of `a-z`, or `a` alone.
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
        throw JSONPathSyntaxError(offset: offset(endStart), message: "a range ends with a character, not with a class")
      }
      last = try characterEscape(from: endStart)
    case "-", "[":
      throw JSONPathSyntaxError(
        offset: offset(endStart), message: "“\(end)” at the end of a range is escaped",
        help: "write \\\(end); I-Regexp has no subtraction of classes")
    default: last = end
    }
    guard first <= last else {
      throw JSONPathSyntaxError(offset: offset(start), message: "the range runs backwards", help: "\(last)-\(first)")
    }
    return first.value...last.value
  }

  // MARK: Escapes

  /// `\p{…}` or `\P{…}` from behind the backslash; nil where another letter follows.
  private mutating func categoryEscape(from start: Int) throws(JSONPathSyntaxError) -> CharacterSet? {
    guard let letter = peek, letter == "p" || letter == "P" else { return nil }
    index += 1
    guard take("{"), let close = scalars[index...].firstIndex(of: "}") else {
      throw JSONPathSyntaxError(
        offset: offset(start), message: "\\\(letter) is followed by a category in braces",
        help: "such as \\\(letter){Lu}")
    }
    let name = String(String.UnicodeScalarView(scalars[index..<close]))
    guard let category = UnicodeCategory(name) else {
      throw JSONPathSyntaxError(
        offset: offset(start), message: "“\(name)” is no general category of Unicode",
        help: "I-Regexp has L, M, N, P, Z, S, C and their members such as Lu or Nd; no scripts, no blocks")
    }
    index = close + 1
    var set = CharacterSet()
    if letter == "p" { set.categories = [category] } else { set.excludedCategories = [category] }
    return set
  }

  /// `SingleCharEsc` from behind the backslash.
  private mutating func characterEscape(from start: Int) throws(JSONPathSyntaxError) -> Unicode.Scalar {
    guard let letter = peek else {
      throw JSONPathSyntaxError(
        offset: offset(start), message: "a backslash ends the expression", help: "a backslash itself is \\\\")
    }
    index += 1
    switch letter {
    case "n": return "\n"
    case "r": return "\r"
    case "t": return "\t"
    case "(", ")", "*", "+", "-", ".", "?", "[", "\\", "]", "^", "{", "|", "}": return letter
    default:
      throw JSONPathSyntaxError(
        offset: offset(start), message: "I-Regexp has no escape \\\(letter)", help: Self.instead(of: letter))
    }
  }

  private static func instead(of letter: Unicode.Scalar) -> String? {
    switch letter {
    case "d": "a digit is [0-9] or \\p{Nd}"
    case "D": "anything but a digit is [^0-9]"
    case "w": "a word character is [A-Za-z0-9_]"
    case "W": "anything but a word character is [^A-Za-z0-9_]"
    case "s": "a blank is [ \\t\\n\\r]"
    case "S": "anything but a blank is [^ \\t\\n\\r]"
    case "b", "B", "A", "z", "Z": "the only anchors are ^ and $"
    case "u", "x": "write the character itself"
    case "1"..."9": "there are no back references"
    default: letter.properties.isAlphabetic ? nil : "write \(letter) without the backslash"
    }
  }

  // MARK: Reading

  private var peek: Unicode.Scalar? { index < scalars.count ? scalars[index] : nil }

  private mutating func take(_ scalar: Unicode.Scalar) -> Bool {
    guard peek == scalar else { return false }
    index += 1
    return true
  }

  /// A position as a count of UTF-8 bytes.
  private func offset(_ position: Int) -> Int {
    scalars[..<position].reduce(0) { $0 + UTF8.width($1) }
  }

  private func error(_ message: String, help: String? = nil) -> JSONPathSyntaxError {
    JSONPathSyntaxError(offset: offset(index), message: message, help: help)
  }
}
