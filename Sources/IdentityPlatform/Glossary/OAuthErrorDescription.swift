/// An `error` value defined by OAuth 2.0, OpenID Connect, or the Microsoft identity platform, and the corresponding
/// MSAL code.
package struct OAuthErrorDescription: Hashable, Sendable {
  /// The code that MSAL returns to the app.
  package enum MSALCode: Hashable, Sendable {
    case `public`(MSALErrorCode)
    /// The code -50000 with this internal code.
    case `internal`(MSALInternalErrorCode)
    /// The code -50000 with a public code as the internal code.
    case hidden(MSALErrorCode)

    /// The name of the outcome in a workflow.
    package var outcome: String {
      switch self {
      case .public(let code), .hidden(let code): code.outcome
      case .internal(let code): code.outcome
      }
    }

    /// The symbol and the number, for example `MSALErrorUserCanceled (-50005)`.
    package var displayName: String {
      switch self {
      case .public(let code): "\(code.symbol) (\(code.rawValue))"
      case .internal(let code): "-50000 with \(code.symbol) (\(code.rawValue))"
      case .hidden(let code): "-50000 with \(code.symbol) (\(code.rawValue))"
      }
    }
  }

  package var name: String
  /// The specification that defines the error.
  package var source: String
  package var meaning: String
  package var cause: String?
  package var advice: String
  /// The code that an interactive call returns for the error. Nil if MSAL for Apple platforms does not send requests
  /// that can fail with this error.
  package var interactiveCode: MSALCode?
  package var verdict: Verdict

  /// Returns the entry for an error, ignoring case as MSAL does.
  package static func named(_ name: some StringProtocol) -> OAuthErrorDescription? { byName[name.lowercased()] }

  /// Returns the error code for a silent call whose refresh token the token endpoint rejects. For most errors, the code
  /// is `interactionRequired`.
  /// - Parameter suberror: The suberror in lowercase.
  package static func silentCode(_ error: String, suberror: String?) -> MSALCode {
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
      advice: $0.text("advice"), interactiveCode: MSALCode($0), verdict: $0.value("verdict") ?? .readCode)
  }
}

extension OAuthErrorDescription.MSALCode {
  /// Decodes the `public`, `internal`, or `hidden` key of a record. Returns nil if the record does not contain any of
  /// these keys.
  fileprivate init?(_ record: DataRecord) {
    if let code = record["public"].flatMap(MSALErrorCode.named) {
      self = .public(code)
    } else if let code = record["internal"].flatMap(MSALInternalErrorCode.named) {
      self = .internal(code)
    } else if let code = record["hidden"].flatMap(MSALErrorCode.named) {
      self = .hidden(code)
    } else {
      return nil
    }
  }
}
