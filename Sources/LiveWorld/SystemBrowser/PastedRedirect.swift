import Effects

/// The URL of a redirect that a user copies from a browser: from the address bar if the page did not load, or from a
/// link or an error message if the URL has a custom scheme.
package struct PastedRedirect: Sendable {
  /// The expected redirect URI.
  let redirectURI: String
  let answer: RedirectExpectation

  package init(redirectURI: String, answer: RedirectExpectation) {
    self.redirectURI = redirectURI
    self.answer = answer
  }

  /// The result of checking a pasted line.
  package enum Verdict: Sendable, Hashable {
    /// The line is empty.
    case nothing
    /// The line is not the redirect, for the given reason. The user can try again.
    case refused(String)
    /// The line is the URL of the redirect.
    case answer(String)
  }

  /// - Parameter line: The pasted line. Spaces, quotes, and angle brackets around it are ignored.
  package func classify(_ line: String) -> Verdict {
    let text = line.drop(while: Self.isWrapping)
    guard let last = text.lastIndex(where: { !Self.isWrapping($0) }) else { return .nothing }
    let address = text[...last]
    guard address.unicodeScalars.allSatisfy({ $0.value > 0x20 && $0.value < 0x7F }) else {
      return .refused("a URL contains only ASCII characters and no spaces; copy the URL alone")
    }
    let mark = address.firstIndex(of: "?") ?? address.endIndex
    let expected = redirectURI.prefix { $0 != "?" }
    guard Self.normal(address[..<mark]) == Self.normal(expected) else {
      return .refused("the expected URL starts with \(expected)")
    }
    let query = mark == address.endIndex ? "" : String(address[address.index(after: mark)...].prefix { $0 != "#" })
    switch answer.evaluate(query: query) {
    case .incomplete: return .refused("the URL has neither a code nor an error; it may be incomplete")
    case .wrongState:
      return .refused("the URL belongs to another sign-in: its state differs from the state of the request")
    case .repeated(let name): return .refused(RedirectExpectation.explanation(ofRepeated: name))
    case .response: return .answer(query.isEmpty ? String(expected) : expected + "?" + query)
    }
  }

  private static func isWrapping(_ character: Character) -> Bool {
    character.isWhitespace || "\"'<>`".contains(character)
  }

  /// Normalizes a URL for comparison. The scheme and host are case-insensitive (RFC 3986 §6.2.2.1), and an empty path
  /// equals `/`.
  private static func normal(_ address: Substring) -> String {
    guard let colon = address.firstRange(of: "://") else { return String(address) }
    let authority = address[colon.upperBound...].prefix { $0 != "/" }
    let path = address[authority.endIndex...]
    return address[..<authority.endIndex].lowercased() + (path.isEmpty ? "/" : path)
  }
}
