import Synchronization

/// A secret value. Printing, reflection, and encoding show only a masked form of the value.
///
/// Only code that sends or stores the value calls `reveal()`.
package struct Secret: Hashable, Sendable {
  package enum Kind: String, Sendable, CaseIterable {
    case accessToken = "access token"
    case refreshToken = "refresh token"
    case idToken = "id token"
    case authorizationCode = "authorization code"
    case codeVerifier = "code verifier"
    case deviceCode = "device code"
    case password
    case oneTimeCode = "one-time code"
    case clientSecret = "client secret"
    case state
    case cookie
    case flowToken = "flow token"
    case named = "secret"

    /// Whether short values are also masked outside of their field. False for kinds whose short values are often
    /// ordinary words, as in `lang=en`.
    package var isSecretIfShort: Bool {
      switch self {
      case .cookie, .state, .flowToken: false
      default: true
      }
    }
  }

  package let kind: Kind
  private let value: String

  package init(_ value: String, kind: Kind) {
    self.value = value
    self.kind = kind
  }

  /// Returns the value, for requests and storage only.
  package func reveal() -> String { value }

  package var isEmpty: Bool { value.isEmpty }
}

extension Secret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  package var description: String { "‹\(kind.rawValue)›" }
  package var debugDescription: String { description }
  package var customMirror: Mirror { Mirror(self, children: []) }
}
