import Documents
import OrderedCollections

/// An error from the authorization server, in a redirect (RFC 6749 §4.1.2.1) or an endpoint's response (§5.2), with the
/// extensions of the Microsoft identity platform.
package struct OAuthError: Error, Hashable, Sendable {
  /// The error code, such as `invalid_grant` or `interaction_required`.
  package var error: String
  package var description: String?
  /// A more specific code, such as `bad_token`, `consent_required`, or `basic_action`.
  package var suberror: String?
  /// The numbers of AADSTS codes; empty if an element is not a number.
  package var errorCodes: [Int]
  /// The time of the error, as `YYYY-MM-DD HH:MM:SSZ`.
  package var timestamp: String?
  package var traceID: String?
  package var correlationID: String?
  package var errorURI: String?
  /// The claims that the resource or a policy requires, as JSON text for the next request.
  package var claims: String?
  package var passwordChangeURL: String?
  /// `cancel` if the user canceled sign-in on the page.
  package var errorSubcode: String?

  package init(
    _ error: String, description: String? = nil, suberror: String? = nil, errorCodes: [Int] = [],
    errorURI: String? = nil, claims: String? = nil
  ) {
    self.error = error
    self.description = description
    self.suberror = suberror
    self.errorCodes = errorCodes
    self.errorURI = errorURI
    self.claims = claims
  }

  /// Parses an endpoint's response. Returns nil if the response does not contain an `error` string.
  package init?(_ json: JSON) {
    guard let error = json["error"]?.string, !error.isEmpty else { return nil }
    let codes = json["error_codes"]?.array ?? []
    let numbers = codes.compactMap(\.integer)
    self.init(
      error, description: json["error_description"]?.string, suberror: json["suberror"]?.string,
      errorCodes: numbers.count == codes.count ? numbers.map { Int($0) } : [],
      errorURI: json["error_uri"]?.string, claims: json["claims"]?.string)
    timestamp = json["timestamp"]?.string
    traceID = json["trace_id"]?.string
    correlationID = json["correlation_id"]?.string
    passwordChangeURL = json["password_change_url"]?.string
  }

  /// Parses the parameters of a redirect. Returns nil if `error` is missing.
  package init?(_ parameters: Parameters) {
    guard let error = parameters["error"], !error.isEmpty else { return nil }
    self.init(
      error, description: parameters["error_description"], suberror: parameters["suberror"],
      errorURI: parameters["error_uri"], claims: parameters["claims"])
    errorSubcode = parameters["error_subcode"]
  }

  /// The body of an endpoint's error response, with its members in the platform's order. Missing values are omitted.
  package var json: JSON {
    var members: OrderedDictionary<String, JSON> = ["error": .string(error)]
    func add(_ name: String, _ value: String?) {
      if let value { members[name] = .string(value) }
    }
    add("error_description", description)
    if !errorCodes.isEmpty { members["error_codes"] = .array(errorCodes.map { .integer(Int64($0)) }) }
    add("timestamp", timestamp)
    add("trace_id", traceID)
    add("correlation_id", correlationID)
    add("error_uri", errorURI)
    add("suberror", suberror)
    add("claims", claims)
    add("password_change_url", passwordChangeURL)
    return .object(members)
  }

  /// The parameters of a redirect, without `state`.
  package var parameters: Parameters {
    var parameters: Parameters = ["error": error]
    parameters.append("error_subcode", ifPresent: errorSubcode)
    parameters.append("error_description", ifPresent: description)
    parameters.append("error_uri", ifPresent: errorURI)
    parameters.append("suberror", ifPresent: suberror)
    parameters.append("claims", ifPresent: claims)
    return parameters
  }

  /// The AADSTS or AADB2C code: the first code in the description or, if there is none, the first number in
  /// `errorCodes`.
  package var code: String? {
    if let description, let code = Self.code(in: description) { return code }
    return errorCodes.first.map { "AADSTS\($0)" }
  }

  /// Returns the first `AADSTS…` or `AADB2C…` code in a string.
  package static func code(in text: String) -> String? {
    for prefix in ["AADSTS", "AADB2C"] {
      guard let range = text.firstRange(of: prefix) else { continue }
      let digits = text[range.upperBound...].prefix { $0.isASCII && $0.isNumber }
      if !digits.isEmpty { return prefix + digits }
    }
    return nil
  }
}
