import Diagnostics
import Documents

/// Parses debugger expressions.
struct RunExpressionParser {
  private typealias Form = RunExpression.Form

  private static let maxDepth = 32
  private var depth = 0

  mutating func parse(_ text: Substring) throws(RunExpression.SyntaxError) -> RunExpression.Form {
    depth += 1
    defer { depth -= 1 }
    guard depth <= Self.maxDepth else { throw .init(message: "expression nested too deeply") }
    let text = text.trimmed
    guard !text.isEmpty else { throw .init(message: "empty expression") }
    if let parts = Self.split(text, at: ["||", " or "]) { return .any(try forms(parts)) }
    if let parts = Self.split(text, at: ["&&", " and "]) { return .all(try forms(parts)) }
    if text.hasPrefix("!"), !text.hasPrefix("!=") { return .not(try parse(text.dropFirst())) }
    if text.hasPrefix("not ") { return .not(try parse(text.dropFirst(4))) }
    if text.hasPrefix("("), text.hasSuffix(")"),
      Self.position(of: [")"], in: text.dropFirst())?.index == text.index(before: text.endIndex)
    {
      return try parse(text.dropFirst().dropLast())
    }
    if let (left, comparison, right) = try Self.comparison(text) {
      return .comparison(try Self.operand(left), comparison, try Self.comparand(right))
    }
    if let expectations = try Self.expectations(text) { return .expectations(expectations) }
    return .value(try Self.operand(text))
  }

  private mutating func forms(_ parts: [Substring]) throws(RunExpression.SyntaxError) -> [RunExpression.Form] {
    var forms: [RunExpression.Form] = []
    for part in parts { forms.append(try parse(part)) }
    return forms
  }

  // MARK: Structure

  /// Finds the first of these strings that is not inside quotes, brackets, or braces.
  private static func position(of wanted: [String], in text: Substring) -> (index: Substring.Index, text: String)? {
    var depth = 0
    var quote: Character?
    var index = text.startIndex
    while index < text.endIndex {
      let character = text[index]
      if let open = quote {
        if character == open { quote = nil }
      } else {
        if depth == 0, let found = wanted.first(where: { text[index...].hasPrefix($0) }) { return (index, found) }
        switch character {
        case "'", "\"": quote = character
        case "(", "[", "{": depth += 1
        case ")", "]", "}": depth = max(0, depth - 1)
        default: break
        }
      }
      index = text.index(after: index)
    }
    return nil
  }

  /// Splits the text at all occurrences of the separators. Returns nil if there are none.
  private static func split(_ text: Substring, at separators: [String]) -> [Substring]? {
    var parts: [Substring] = []
    var rest = text
    while let found = position(of: separators, in: rest) {
      parts.append(rest[..<found.index])
      rest = rest[rest.index(found.index, offsetBy: found.text.count)...]
    }
    return parts.isEmpty ? nil : parts + [rest]
  }

  private static func comparison(
    _ text: Substring
  ) throws(RunExpression.SyntaxError) -> (Substring, RunExpression.Comparison, Substring)? {
    let spellings = RunExpression.Comparison.allCases.map { comparison in
      comparison.rawValue.first?.isLetter ?? false ? " \(comparison.rawValue) " : comparison.rawValue
    }
    guard let found = position(of: spellings, in: text) else {
      // `=` inside a JSONPath or a string is not an assignment.
      guard let assignment = position(of: ["="], in: text), !text[..<assignment.index].contains("$") else { return nil }
      throw .init(message: "invalid operator `=`: use `==`")
    }
    guard let comparison = RunExpression.Comparison(rawValue: found.text.filter { $0 != " " }) else { return nil }
    let left = text[..<found.index].trimmed
    let right = text[text.index(found.index, offsetBy: found.text.count)...].trimmed
    guard !left.isEmpty, !right.isEmpty else {
      throw .init(message: "missing value next to `\(comparison.rawValue)`")
    }
    return (left, comparison, right)
  }

  /// Parses an entry or a mapping of entries as in `expect`. Returns nil if the text is neither.
  private static func expectations(_ text: Substring) throws(RunExpression.SyntaxError) -> [Expectation]? {
    guard text.hasPrefix("{") || position(of: [": "], in: text) != nil else { return nil }
    let reading = DocumentReader.read(String(text), named: "<expression>", options: ReadingOptions(syntax: .yaml))
    var problems = DiagnosticCollector()
    guard let root = reading.document?.root, root.kind == .mapping, !reading.diagnostics.hasErrors else {
      throw .init(message: reading.diagnostics.first { $0.severity == .error }?.message ?? "not an expectation")
    }
    let expectations = Codec<[Expectation]>.expectations.read(root, &problems)
    if let problem = problems.diagnostics.first(where: { $0.severity == .error }) { throw .init(problem) }
    return expectations
  }

  // MARK: Operands

  /// Parses the right side of a comparison. Text that is not an address, such as `megan@contoso.com`, is a string.
  private static func comparand(_ text: Substring) throws(RunExpression.SyntaxError) -> RunExpression.Operand {
    do throws(RunExpression.SyntaxError) {
      return try operand(text)
    } catch {
      guard let first = text.first, !"'\"$[{".contains(first), !Template.isTemplate(String(text)) else { throw error }
      return .literal(.string(String(text)))
    }
  }

  private static func operand(_ text: Substring) throws(RunExpression.SyntaxError) -> RunExpression.Operand {
    let text = text.trimmed
    if let quote = text.first, quote == "'" || quote == "\"" {
      guard text.count >= 2, text.last == quote else { throw .init(message: "missing closing quote") }
      return .literal(.string(String(text.dropFirst().dropLast())))
    }
    if Template.isTemplate(String(text)), !text.hasPrefix("$.") {
      do throws(Template.Malformed) {
        return .template(try Template(parsing: String(text)))
      } catch {
        throw .init(message: "\(error.message); \(error.help)")
      }
    }
    if let first = text.first,
      first.isNumber || first == "-" || first == "[" || ["true", "false", "null"].contains(text),
      let value = try? JSON(parsing: Array(text.utf8))
    {
      return .literal(value)
    }
    // A JSON string is also YAML, so the address has a location in a document.
    let source = JSON.string(String(text)).text()
    guard
      let node = DocumentReader.read(source, named: "<expression>", options: ReadingOptions(syntax: .yaml)).document?
        .root
    else { throw .init(message: "invalid expression") }
    var problems = DiagnosticCollector()
    if let address = ValuePath(String(text), at: node, &problems) { return .path(address) }
    // Durations and other words are strings on the right side of a comparison.
    if text.first?.isNumber ?? false { return .literal(.string(String(text))) }
    throw problems.diagnostics.first.map { .init($0) } ?? .init(message: "invalid expression")
  }
}

extension RunExpression.SyntaxError {
  fileprivate init(_ diagnostic: Diagnostic) {
    message = diagnostic.message + (diagnostic.help.map { "; \($0)" } ?? "")
  }
}

extension Substring {
  fileprivate var trimmed: Substring {
    let start = drop(while: \.isWhitespace)
    return start.lastIndex { !$0.isWhitespace }.map { start[...$0] } ?? ""
  }
}
