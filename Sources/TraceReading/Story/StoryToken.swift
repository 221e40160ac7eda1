import Documents
import Effects
import OrderedCollections

/// A token, code or other secret of a run, known by its stand-in alone.
package struct StoryToken: Sendable {
  /// What a token was got by, and for whom: one `token.acquired`.
  package struct Acquisition: Sendable {
    package var seq: Int
    package var time: Instant
    package var step: Int?
    /// `cache`, `refreshToken`, `authorizationCode` or `deviceCode`.
    package var source: String
    package var scopes: [String]
    package var expiresOn: String?
    /// Whether it is past its end and taken all the same, the platform being out of reach.
    package var isExtended: Bool
    package var account: String?
    package var authority: String?
    package var tenant: String?
    package var correlationID: String?
  }

  /// What happened with it.
  package enum Use: Hashable, Sendable {
    /// An exchange's request, as a position in `RunStory.exchanges`.
    case sent(exchange: Int)
    /// An exchange's answer.
    case received(exchange: Int)
    /// A cache write, as a position in `RunStory.cacheWrites`.
    case cached(write: Int)
  }

  /// `‹access token #2›`: the same everywhere in one trace.
  package var label: String
  /// `access token`, `refresh token`, `id token`, `authorization code`, …
  package var kind: String
  /// The stand-in's number among those of its kind.
  package var number: Int
  /// Where the token is a JWT whose content the trace tells.
  package var header: JSON?
  package var claims: JSON?
  package var acquisitions: [Acquisition] = []
  /// Where it is met, in order, each place once.
  package var uses: [Use] = []
}

/// A stand-in as a trace writes it: `‹kind #number›`.
package enum StandInLabel {
  /// Calls `body` with each stand-in of a text, in order.
  package static func each(in text: String, _ body: (_ label: Substring, _ kind: Substring, _ number: Int) -> Void) {
    // U+2039 is E2 80 B9; most texts have none.
    guard text.utf8.contains(0xE2) else { return }
    var rest = text[...]
    while let open = rest.firstIndex(of: "‹") {
      let inside = rest.index(after: open)
      guard let close = rest[inside...].firstIndex(where: { $0 == "›" || $0 == "‹" }), rest[close] == "›" else {
        rest = rest[inside...]
        continue
      }
      let words = rest[inside..<close]
      let end = rest.index(after: close)
      if let sharp = words.lastIndex(of: "#"), let number = Int(words[words.index(after: sharp)...]), sharp > inside {
        body(rest[open..<end], words[..<words.index(before: sharp)], number)
      }
      rest = rest[end...]
    }
  }

  /// Calls `body` with each stand-in anywhere in a value, members' names aside.
  static func each(in json: JSON, _ body: (_ label: Substring, _ kind: Substring, _ number: Int) -> Void) {
    switch json {
    case .string(let text): each(in: text, body)
    case .array(let values): for value in values { each(in: value, body) }
    case .object(let members): for value in members.values { each(in: value, body) }
    default: break
    }
  }
}
