/// A string with placeholders of the form `${name}`, `${env:NAME}`, or `${secret:NAME}`. `$${` is an escaped `${`.
package struct Template: Hashable, Sendable {
  package enum Source: Hashable, Sendable {
    /// A capture or an input.
    case name(String)
    /// An environment variable.
    case environment(String)
    /// An environment variable whose value is masked in all output.
    case secret(String)
  }

  package enum Part: Hashable, Sendable {
    case text(String)
    case value(Source)
  }

  /// An error for text that is not a valid template.
  package struct Malformed: Error, Hashable, Sendable {
    /// The invalid part of the text.
    package var fragment: String
    package var message: String
    package var help: String
  }

  package let parts: [Part]

  /// Returns whether the text contains a placeholder or an escaped `${`.
  package static func isTemplate(_ text: String) -> Bool {
    text.utf8.contains(UInt8(ascii: "$")) && text.contains("${")
  }

  package init(parsing text: String) throws(Malformed) {
    var parts: [Part] = []
    var literal = ""
    var rest = Substring(text)
    while let dollar = rest.firstIndex(of: "$") {
      literal += rest[..<dollar]
      let tail = rest[dollar...]
      if tail.hasPrefix("$${") {
        literal += "${"
        rest = tail.dropFirst(3)
      } else if tail.hasPrefix("${") {
        guard let close = tail.firstIndex(of: "}") else {
          throw Malformed(
            fragment: String(tail), message: "missing `}` after `${`",
            help: "add `}`, or write `$${` for a literal `${`")
        }
        let fragment = String(tail[...close])
        let source = try Self.source(String(tail[tail.index(tail.startIndex, offsetBy: 2)..<close]), fragment)
        if !literal.isEmpty { parts.append(.text(literal)) }
        literal = ""
        parts.append(.value(source))
        rest = tail[tail.index(after: close)...]
      } else {
        literal += "$"
        rest = tail.dropFirst()
      }
    }
    literal += rest
    if !literal.isEmpty || parts.isEmpty { parts.append(.text(literal)) }
    self.parts = parts
  }

  /// - Parameters:
  ///   - content: The text between the braces.
  ///   - fragment: The complete placeholder.
  private static func source(_ content: String, _ fragment: String) throws(Malformed) -> Source {
    let parts = content.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    let name = parts.last ?? ""
    guard isName(name) else {
      throw Malformed(
        fragment: fragment,
        message: name.isEmpty ? "missing name in `\(fragment)`" : "invalid name `\(name)`",
        help: "use letters, digits, `_`, and `-`; expressions are not supported")
    }
    guard parts.count == 2 else { return .name(name) }
    switch parts[0] {
    case "env": return .environment(name)
    case "secret": return .secret(name)
    default:
      throw Malformed(
        fragment: fragment, message: "unknown source `\(parts[0]):`",
        help: "use `${name}` for a capture or an input, `${env:NAME}`, or `${secret:NAME}`")
    }
  }

  /// Returns whether the text is a valid name of a capture, an input, or an environment variable. Names consist of
  /// letters, digits, `_`, and `-`.
  package static func isName(_ text: some StringProtocol) -> Bool {
    !text.isEmpty
      && text.unicodeScalars.allSatisfy {
        $0.properties.isAlphabetic || $0.properties.numericType != nil || $0 == "_" || $0 == "-"
      }
  }

  /// The sources of the placeholders, in order.
  package var sources: [Source] {
    parts.compactMap { part in
      if case .value(let source) = part { source } else { nil }
    }
  }
}
