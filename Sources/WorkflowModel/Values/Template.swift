/// A string with places to fill in: `${name}`, `${env:NAME}`, `${secret:NAME}`; `$${` writes `${`.
package struct Template: Hashable, Sendable {
  package enum Source: Hashable, Sendable {
    /// A capture or an input.
    case name(String)
    /// A variable of the environment.
    case environment(String)
    /// Likewise, and its value is masked from then on wherever it would be shown.
    case secret(String)
  }

  package enum Part: Hashable, Sendable {
    case text(String)
    case value(Source)
  }

  /// Why a text is no template.
  package struct Malformed: Error, Hashable, Sendable {
    /// The part of the text that is meant.
    package var fragment: String
    package var message: String
    package var help: String
  }

  package let parts: [Part]

  /// Whether a text holds anything to fill in or to unescape.
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
            fragment: String(tail), message: "\"${\" is never closed",
            help: "close it with \"}\", or write \"$${\" for the two characters themselves")
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

  private static func source(_ inside: String, _ fragment: String) throws(Malformed) -> Source {
    let pieces = inside.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    let name = pieces.last ?? ""
    guard isName(name) else {
      throw Malformed(
        fragment: fragment,
        message: name.isEmpty ? "\"\(fragment)\" names nothing" : "\"\(name)\" is not a name",
        help: "a name is letters, digits, \"_\" and \"-\"; there are no expressions")
    }
    guard pieces.count == 2 else { return .name(name) }
    switch pieces[0] {
    case "env": return .environment(name)
    case "secret": return .secret(name)
    default:
      throw Malformed(
        fragment: fragment, message: "\"\(pieces[0]):\" is not a source of values",
        help: "write ${name} for a capture or an input, ${env:NAME} or ${secret:NAME}")
    }
  }

  /// Names of captures, inputs and variables: letters, digits, `_` and `-`.
  package static func isName(_ text: some StringProtocol) -> Bool {
    !text.isEmpty
      && text.unicodeScalars.allSatisfy {
        $0.properties.isAlphabetic || $0.properties.numericType != nil || $0 == "_" || $0 == "-"
      }
  }

  /// What is read, in order.
  package var sources: [Source] {
    parts.compactMap { part in
      if case .value(let source) = part { source } else { nil }
    }
  }
}
