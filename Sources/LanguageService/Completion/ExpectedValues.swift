import Directory
import Documents
import IdentityPlatform
import WorkflowModel

/// The values that result fields can have.
enum ExpectedValues {
  private static let matchers: Set<String> = Set(
    FormatSchemas.step.member("expect").member("outcome").properties.map(\.name))

  /// Whether a key is a matcher, such as `contains`.
  static func isMatcher(_ key: String) -> Bool { matchers.contains(key) }

  static func misbehavior(_ name: String) -> String? { Misbehavior(rawValue: name)?.summary }

  /// Returns the members of a field that has several values.
  static func members(of field: ResultField) -> [String] {
    switch field {
    case .account, .previousAccount: ["identifier", "username", "environment", "homeAccountId", "tenantProfiles"]
    case .sent: ["host", "path", "headers", "scope", "prompt", "login_hint", "claims", "client_id", "redirect_uri"]
    case .headers: ["content-type", "retry-after", "request-id", "client-request-id", "www-authenticate", "location"]
    case .idToken:
      ["aud", "iss", "tid", "oid", "sub", "preferred_username", "name", "email", "nonce", "iat", "nbf", "exp", "ver"]
    default: field.members
    }
  }

  /// Returns the possible values at an address, such as `silent.error.code`.
  static func candidates(
    for address: String, step: WorkflowOutline.StepEntry?, _ request: CompletionRequest
  ) -> [Candidate] {
    let parts = address.split(separator: ".").map(String.init)
    let index = parts.firstIndex { ResultField(rawValue: $0) != nil }
    guard let index, let field = ResultField(rawValue: parts[index]) else { return [] }
    let member = index + 1 < parts.count ? parts[index + 1] : nil
    switch (field, member) {
    case (.outcome, nil):
      guard let facts = request.facts, let step else { return [] }
      return facts.outcomes(of: step).map { .value($0.name.rawValue, .outcome, detail: $0.summary) }
    case (.error, "code"): return IdentityValues.errorCodes
    case (.error, "msal"): return IdentityValues.msalNames
    case (.error, "oauth"): return IdentityValues.oauthErrors
    case (.error, "suberror"): return IdentityValues.suberrors
    case (.error, "msalCode"):
      return MSALErrorCode.allCases.map { .value(.integer(Int64($0.rawValue)), detail: $0.symbol) }
    case (.error, "internalCode"):
      return MSALInternalErrorCode.allCases.map { .value(.integer(Int64($0.rawValue)), detail: $0.symbol) }
    case (.status, nil):
      return [200, 201, 202, 204, 400, 401, 403, 404, 409, 412, 429, 500, 503, 504].map {
        .value(.integer($0), detail: nil)
      }
    case (.scopes, nil): return request.scopes()
    case (.account, "username"), (.previousAccount, "username"), (.idToken, "preferred_username"), (.idToken, "email"):
      return request.usernames()
    case (_, nil): return field.values.map { .value($0, .constant) }
    default: return []
    }
  }
}
