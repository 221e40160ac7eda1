import HTTPTypes
import OAuth

/// A claims challenge in a `WWW-Authenticate` header (`Bearer …, error="insufficient_claims", claims="<base64>"`). APIs
/// send it for continuous access evaluation and for authentication contexts.
enum ClaimsChallenge {
  /// Returns the decoded claims from the first Bearer challenge whose claims are a valid JSON object, or nil if there
  /// is none.
  static func claims(in headers: HTTPFields) -> String? {
    for value in headers[values: .wwwAuthenticate] {
      for challenge in AuthenticationChallenge.parse(value) {
        if let claims = challenge.claims { return claims }
      }
    }
    return nil
  }
}
