import Synchronization

/// A value that may be used but not shown: it prints, reflects and encodes masked.
///
/// Only who puts it on the wire or into the token store calls `reveal()`.
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

    /// Whether values that are short enough to be ordinary words are masked outside of their own field too. Servers and
    /// apps often choose such values for these kinds, as in `lang=en`.
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

  /// The value itself, for the wire and the store only.
  package func reveal() -> String { value }

  package var isEmpty: Bool { value.isEmpty }
}

extension Secret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  package var description: String { "‹\(kind.rawValue)›" }
  package var debugDescription: String { description }
  package var customMirror: Mirror { Mirror(self, children: []) }
}
