import Effects

/// The address of a redirect as a user copies it out of a browser: out of its address bar where the page could not be
/// loaded, or out of a page's link or error message where the address has a scheme of its own.
package struct PastedRedirect: Sendable {
  /// Where the redirect leads.
  let redirectURI: String
  let answer: RedirectExpectation

  package init(redirectURI: String, answer: RedirectExpectation) {
    self.redirectURI = redirectURI
    self.answer = answer
  }

  /// The result of checking a pasted line.
  package enum Verdict: Sendable, Hashable {
    /// The line is empty: nothing to say about it.
    case nothing
    /// Why it is not the answer, for the user who may try again.
    case refused(String)
    /// The redirect's address.
    case answer(String)
  }

  /// - Parameter line: what was pasted; blanks, quotes and angle brackets around it do not count.
  package func judge(_ line: String) -> Verdict {
    let text = line.drop(while: Self.isWrapping)
    guard let last = text.lastIndex(where: { !Self.isWrapping($0) }) else { return .nothing }
    let address = text[...last]
    guard address.unicodeScalars.allSatisfy({ $0.value > 0x20 && $0.value < 0x7F }) else {
      return .refused("an address has no blanks and no other letters than ASCII's: copy it whole, and nothing else")
    }
    let mark = address.firstIndex(of: "?") ?? address.endIndex
    let expected = redirectURI.prefix { $0 != "?" }
    guard Self.normal(address[..<mark]) == Self.normal(expected) else {
      return .refused("the address that is awaited begins with \(expected)")
    }
    let query = mark == address.endIndex ? "" : String(address[address.index(after: mark)...].prefix { $0 != "#" })
    switch answer.judge(query: query) {
    case .incomplete: return .refused("the address has neither a code nor an error: it may have been cut")
    case .foreign: return .refused("the address answers another sign-in: its state is not the one that was sent")
    case .repeated(let name): return .refused(RedirectExpectation.explanation(ofRepeated: name))
    case .answer: return .answer(query.isEmpty ? String(expected) : expected + "?" + query)
    }
  }

  private static func isWrapping(_ character: Character) -> Bool {
    character.isWhitespace || "\"'<>`".contains(character)
  }

  /// Scheme and host do not know case (RFC 3986 §6.2.2.1), and an empty path is that of the root.
  private static func normal(_ address: Substring) -> String {
    guard let colon = address.firstRange(of: "://") else { return String(address) }
    let authority = address[colon.upperBound...].prefix { $0 != "/" }
    let path = address[authority.endIndex...]
    return address[..<authority.endIndex].lowercased() + (path.isEmpty ? "/" : path)
  }
}
