/// The redirect that a visit waits for.
///
/// All browsers use this type, so they agree on which redirect is a response to the request.
package struct RedirectExpectation: Sendable, Hashable {
  /// The `state` of the request. A redirect with a different value is not a response to this request (RFC 6749 §10.12).
  package var state: String?
  /// Whether a redirect with neither a code nor an error is accepted, as after signing out.
  package var mayBeEmpty: Bool

  package enum Result: Sendable, Hashable {
    /// The redirect has neither a code nor an error.
    case incomplete
    /// The redirect's `state` differs from the request's.
    case wrongState
    /// The redirect contains this parameter more than once.
    case repeated(String)
    /// The redirect is the response to the request.
    /// - Parameters:
    ///   - error: The error code, or nil if the redirect contains a code (RFC 6749 §4.1.2.1).
    ///   - description: The `error_description`.
    case response(error: String?, description: String?)
  }

  package init(state: String?, mayBeEmpty: Bool) {
    self.state = state
    self.mayBeEmpty = mayBeEmpty
  }

  /// Creates the expectation for the response to a visit's request.
  package init(_ visit: BrowserVisit) {
    state = FormText.parameters(of: URLReference(visit.url).query ?? "").first { $0.name == "state" }?.value
    mayBeEmpty = visit.purpose == .signOut
  }

  /// Evaluates a redirect. As in MSAL, a parameter of the query overrides the same parameter of the fragment.
  /// - Parameters:
  ///   - query: The text after the redirect URI's question mark.
  ///   - fragment: The text after the redirect URI's number sign.
  package func evaluate(query: String, fragment: String = "") -> Result {
    var parameters = FormText.parameters(of: query)
    let more = FormText.parameters(of: fragment)
    if let name = Self.repeatedParameter(in: parameters.map(\.name))
      ?? Self.repeatedParameter(in: more.map(\.name))
    {
      return .repeated(name)
    }
    let names = Set(parameters.map(\.name))
    parameters += more.filter { !names.contains($0.name) }
    func value(_ name: String) -> String? { parameters.first { $0.name == name }?.value }
    guard value("error") != nil || value("code") != nil || mayBeEmpty else { return .incomplete }
    if let state, !Self.isEqual(value("state") ?? "", state) { return .wrongState }
    return .response(error: value("error"), description: value("error_description"))
  }

  /// Parameters that are relevant to security. A response must not repeat them (RFC 6749 §3.1). Otherwise, the browser
  /// could check one value while the app uses the other.
  private static let decisive: Set = ["state", "code", "iss", "error"]

  /// Returns the first of these parameters that occurs more than once, or nil.
  package static func repeatedParameter(in names: [String]) -> String? {
    var seen: Set<String> = []
    return names.first { decisive.contains($0) && !seen.insert($0).inserted }
  }

  /// Returns the reason for rejecting a redirect that repeats a parameter.
  package static func explanation(ofRepeated name: String) -> String {
    "the redirect contains `\(name)` more than once (RFC 6749 §3.1)"
  }

  /// Compares strings of equal length in constant time.
  private static func isEqual(_ left: String, _ right: String) -> Bool {
    let left = Array(left.utf8)
    let right = Array(right.utf8)
    guard left.count == right.count else { return false }
    return zip(left, right).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
  }
}
