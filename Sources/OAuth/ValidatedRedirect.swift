import Documents
import Effects
import RunTrace

/// An authorization response with a valid state and a code (RFC 6749 §4.1.2). Only `check` creates instances.
package struct ValidatedRedirect: Sendable {
  /// Whether the response must contain the state. Callers must opt out of the check explicitly.
  package enum StateCheck: Sendable {
    case mustEqual(Secret)
    case notSent
  }

  package let code: Secret
  /// The user, if the response contains `client_info`.
  package let clientInfo: ClientInfo?
  /// The host of the user's cloud. The value is not validated.
  package let cloudInstanceHostName: String?
  package let sessionState: String?
  /// All parameters of the query and the fragment.
  package let parameters: Parameters

  /// Validates the URL that the browser was redirected to. Checks duplicate parameters (RFC 6749 §3.1), the state (RFC
  /// 6749 §10.12), the issuer (RFC 9207 §2.4), the error, and the code, in that order.
  ///
  /// As in MSAL, query parameters take precedence over fragment parameters, and pairs with more than one `=` are
  /// ignored.
  /// - Parameters:
  ///   - issuer: The provider's issuer. If the response contains `iss`, the two must be equal. `{tenantid}` matches any
  ///     GUID. If nil, `iss` is not checked.
  ///   - issuerIsAnnounced: Whether the provider's metadata declares support for `iss`. If so, `iss` is required.
  package static func check(
    _ url: String, state: StateCheck, issuer: String?, issuerIsAnnounced: Bool = true
  ) throws(RedirectValidationError) -> ValidatedRedirect {
    if let name = repeatedParameter(of: URLReference(url)) { throw .repeated(name) }
    let parameters = parameters(of: url)
    if case .mustEqual(let sent) = state {
      guard let returned = parameters["state"], !returned.isEmpty else { throw .stateMissing }
      guard let left = try? Base64URL.decode(returned), let right = try? Base64URL.decode(sent.reveal()),
        ConstantTime.equal(left, right)
      else { throw .stateMismatch }
    }
    if let issuer {
      if let actual = parameters["iss"] {
        guard matches(actual, issuer) else { throw .issuerMismatch(actual: actual, expected: issuer) }
      } else if issuerIsAnnounced {
        throw .issuerMissing(expected: issuer)
      }
    }
    if let error = OAuthError(parameters) { throw .oauthError(error) }
    guard let code = parameters["code"], !code.isEmpty else { throw .missingCodeAndError }
    return ValidatedRedirect(
      code: Secret(code, kind: .authorizationCode),
      clientInfo: parameters["client_info"].flatMap { try? ClientInfo(encoded: $0) },
      cloudInstanceHostName: parameters["cloud_instance_host_name"].flatMap { $0.isEmpty ? nil : $0 },
      sessionState: parameters["session_state"], parameters: parameters)
  }

  /// Whether the values are equal, or the actual issuer contains a GUID in place of the placeholder.
  private static func matches(_ actual: String, _ issuer: String) -> Bool {
    guard actual != issuer, let placeholder = issuer.firstRange(of: ProviderMetadata.tenantPlaceholder) else {
      return actual == issuer
    }
    let (head, tail) = (issuer[..<placeholder.lowerBound], issuer[placeholder.upperBound...])
    guard actual.hasPrefix(head), actual.hasSuffix(tail), actual.utf8.count > head.utf8.count + tail.utf8.count else {
      return false
    }
    return UUIDText.isValid(String(actual.dropFirst(head.count).dropLast(tail.count)))
  }

  /// Returns a parameter that appears more than once. The browser checks this too, but some redirects do not come from
  /// a browser, such as redirects in a recording.
  private static func repeatedParameter(of url: URLReference) -> String? {
    [url.query, url.fragment].lazy.compactMap { part in
      RedirectExpectation.repeatedParameter(in: FormCoding.parse(part ?? "").entries.map(\.name))
    }.first
  }

  /// Parses the parameters of a redirect in the same way as `check`.
  package static func parameters(of url: String) -> Parameters {
    let url = URLReference(url)
    var parameters = FormCoding.parseSkippingAmbiguousPairs(url.query ?? "")
    parameters.appendMissing(FormCoding.parseSkippingAmbiguousPairs(url.fragment ?? ""))
    return parameters
  }

  private init(
    code: Secret, clientInfo: ClientInfo?, cloudInstanceHostName: String?, sessionState: String?,
    parameters: Parameters
  ) {
    self.code = code
    self.clientInfo = clientInfo
    self.cloudInstanceHostName = cloudInstanceHostName
    self.sessionState = sessionState
    self.parameters = parameters
  }
}

/// An authorization response that failed validation.
package enum RedirectValidationError: Error, Hashable, Sendable {
  /// A parameter appears more than once.
  case repeated(String)
  case stateMissing
  case stateMismatch
  case issuerMissing(expected: String)
  case issuerMismatch(actual: String, expected: String)
  /// The server returned an error.
  case oauthError(OAuthError)
  case missingCodeAndError

  package var explanation: String {
    switch self {
    case .repeated(let name): RedirectExpectation.explanation(ofRepeated: name)
    case .stateMissing: "the response does not contain `state`, so it does not belong to this sign-in"
    case .stateMismatch: "the `state` of the response does not match the request, so it belongs to another sign-in"
    case .issuerMissing(let expected):
      "the response does not contain `iss`, even though \(expected) declares support for it"
    case .issuerMismatch(let actual, let expected): "the response is from \(actual), not from \(expected)"
    case .oauthError(let error): error.description ?? error.error
    case .missingCodeAndError: "the response contains neither `code` nor `error`"
    }
  }
}
