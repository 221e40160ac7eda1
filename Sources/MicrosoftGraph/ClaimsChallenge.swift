import HTTPTypes
import OAuth

/// A claims challenge in a `WWW-Authenticate` header (`Bearer …, error="insufficient_claims", claims="<base64>"`).
/// Continuous access evaluation and authentication contexts use it.
enum ClaimsChallenge {
  /// Returns the decoded claims of the first Bearer challenge with claims, or nil if none contains a valid JSON object.
  static func claims(in headers: HTTPFields) -> String? {
    for value in headers[values: .wwwAuthenticate] {
      for challenge in AuthenticationChallenge.parse(value) {
        if let claims = challenge.claims { return claims }
      }
    }
    return nil
  }
}
