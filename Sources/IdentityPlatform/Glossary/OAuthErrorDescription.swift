/// An `error` of OAuth 2.0, OpenID Connect or the Microsoft identity platform, and what MSAL makes of it.
package struct OAuthErrorDescription: Hashable, Sendable {
  /// How MSAL shows an error to the app.
  package enum Source: Hashable, Sendable {
    case `public`(MSALErrorCode)
    /// As -50000 with this code.
    case `internal`(MSALInternalErrorCode)
    /// As -50000 with a public code as the internal one.
    case hidden(MSALErrorCode)

    /// The outcome's name in a workflow.
    package var outcome: String {
      switch self {
      case .public(let code), .hidden(let code): code.outcome
      case .internal(let code): code.outcome
      }
    }

    /// `MSALErrorUserCanceled (-50005)`.
    package var words: String {
      switch self {
      case .public(let code): "\(code.symbol) (\(code.rawValue))"
      case .internal(let code): "-50000 with \(code.symbol) (\(code.rawValue))"
      case .hidden(let code): "-50000 with \(code.symbol) (\(code.rawValue))"
      }
    }
  }

  package var name: String
  /// Where it is defined.
  package var source: String
  package var meaning: String
  package var cause: String?
  package var advice: String
  /// What an interactive call gives where the sign-in page or the code's redemption ends with it; nil where MSAL for Apple
  /// platforms has no request that could meet it.
  package var surface: Source?
  package var verdict: Verdict

  /// The entry of a name; letter case does not matter, as in MSAL.
  package static func named(_ name: some StringProtocol) -> OAuthErrorDescription? { byName[name.lowercased()] }

  /// What a silent call makes of a refusal at the token endpoint: mostly that a user is needed.
  /// - Parameter suberror: in lower case.
  package static func silentSurface(_ error: String, suberror: String?) -> Source {
    switch error.lowercased() {
    case "invalid_scope": .internal(.invalidScope)
    case "invalid_client": .internal(.invalidClient)
    case "unauthorized_client" where suberror == Suberror.protectionPolicyRequired.rawValue:
      .public(.serverProtectionPoliciesRequired)
    default: .public(.interactionRequired)
    }
  }

  private static let byName = Dictionary(all.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })

  package static let all: [OAuthErrorDescription] = DataRecord.read(EmbeddedData.text("oauth-errors.txt")).map {
    OAuthErrorDescription(
      name: $0.text("name"), source: $0.text("source"), meaning: $0.text("meaning"), cause: $0["cause"],
      advice: $0.text("advice"), surface: Source($0), verdict: $0.value("verdict") ?? .readCode)
  }
}

extension OAuthErrorDescription.Source {
  /// The keys `public`, `internal`, and `hidden`; nil where a record has none of them.
  fileprivate init?(_ record: DataRecord) {
    if let code = record.value("public", of: MSALErrorCode.self) {
      self = .public(code)
    } else if let code = record.value("internal", of: MSALInternalErrorCode.self) {
      self = .internal(code)
    } else if let code = record.value("hidden", of: MSALErrorCode.self) {
      self = .hidden(code)
    } else {
      return nil
    }
  }
}
