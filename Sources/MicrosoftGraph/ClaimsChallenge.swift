import HTTPTypes
import OAuth

/// A claims challenge in a `WWW-Authenticate` header: what continuous access evaluation and authentication contexts
/// answer with (`Bearer …, error="insufficient_claims", claims="<base64>"`).
enum ClaimsChallenge {
  /// The decoded claims of the first Bearer challenge that has any; nil where there is none or they are no JSON object.
  static func claims(in headers: HTTPFields) -> String? {
    for value in headers[values: .wwwAuthenticate] {
      for challenge in AuthenticationChallenge.parse(value) {
        if let claims = challenge.claims { return claims }
      }
    }
    return nil
  }
}
