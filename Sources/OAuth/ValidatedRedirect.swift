import Documents
import Effects
import RunTrace

/// An authorization response that belongs to our request: its state was compared, and there is a code.
package struct ValidatedRedirect: Sendable {
  /// Leaving the comparison out takes a word.
  package enum StateCheck: Sendable {
    case mustEqual(Secret)
    case noneWasSent
  }

  package let code: Secret
  /// Who signed in, where the response says so.
  package let clientInfo: ClientInfo?
  /// The host of the cloud that the user belongs to; not yet believed.
  package let cloudInstanceHostName: String?
  package let sessionState: String?
  /// All parameters, fragment and query together.
  package let parameters: Parameters

  /// Judges the URL that the browser came back with, in this order: repeated parameters (RFC 6749 §3.1), state, issuer
  /// (RFC 9207), error, code.
  ///
  /// As MSAL reads it: parameters of the fragment first, those of the query instead where both have one; a pair with
  /// more than one `=` is ignored.
  /// - Parameters:
  ///   - issuer: the provider's issuer, which an `iss` in the response must equal (RFC 9207 §2.4); `{tenantid}` in it
  ///     stands for any tenant's GUID. Nil looks at no `iss`.
  ///   - issuerIsAnnounced: whether the provider's metadata says that it sends `iss`, so that it may not be missing.
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
      if let named = parameters["iss"] {
        guard isSame(named, as: issuer) else { throw .issuerMismatch(found: named, expected: issuer) }
      } else if issuerIsAnnounced {
        throw .issuerMissing(expected: issuer)
      }
    }
    if let error = OAuthError(parameters) { throw .refused(error) }
    guard let code = parameters["code"], !code.isEmpty else { throw .neitherCodeNorError }
    return ValidatedRedirect(
      code: Secret(code, kind: .authorizationCode),
      clientInfo: parameters["client_info"].flatMap { try? ClientInfo(encoded: $0) },
      cloudInstanceHostName: parameters["cloud_instance_host_name"].flatMap { $0.isEmpty ? nil : $0 },
      sessionState: parameters["session_state"], parameters: parameters)
  }

  /// Whether a response comes from the issuer, letter by letter; any tenant of an issuer for many.
  private static func isSame(_ named: String, as issuer: String) -> Bool {
    guard named != issuer, let placeholder = issuer.firstRange(of: ProviderMetadata.tenantPlaceholder) else {
      return named == issuer
    }
    let (head, tail) = (issuer[..<placeholder.lowerBound], issuer[placeholder.upperBound...])
    guard named.hasPrefix(head), named.hasSuffix(tail), named.utf8.count > head.utf8.count + tail.utf8.count else {
      return false
    }
    return UUIDText.isValid(String(named.dropFirst(head.count).dropLast(tail.count)))
  }

  /// The browser's own rule once more: not every redirect comes from a browser, a recording for example.
  private static func repeatedParameter(of url: URLReference) -> String? {
    [url.query, url.fragment].lazy.compactMap { part in
      RedirectExpectation.repeatedParameter(in: FormCoding.parse(part ?? "").entries.map(\.name))
    }.first
  }

  /// The parameters of a redirect, as `check` reads them.
  package static func parameters(of url: String) -> Parameters {
    let url = URLReference(url)
    var parameters = FormCoding.parseLeavingOutAmbiguousPairs(url.query ?? "")
    parameters.appendMissing(FormCoding.parseLeavingOutAmbiguousPairs(url.fragment ?? ""))
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

/// Why a redirect leads no further.
package enum RedirectValidationError: Error, Hashable, Sendable {
  /// A parameter that may occur once occurs more often.
  case repeated(String)
  case stateMissing
  case stateMismatch
  case issuerMissing(expected: String)
  case issuerMismatch(found: String, expected: String)
  /// The server says no.
  case refused(OAuthError)
  case neitherCodeNorError

  package var explanation: String {
    switch self {
    case .repeated(let name): RedirectExpectation.explanation(ofRepeated: name)
    case .stateMissing: "the response has no state: it does not belong to this sign-in"
    case .stateMismatch: "the response's state is not the one that was sent: it belongs to another sign-in"
    case .issuerMissing(let expected): "the response does not name its issuer, though \(expected) announces to"
    case .issuerMismatch(let found, let expected): "the response comes from \(found), not from \(expected)"
    case .refused(let error): error.description ?? error.error
    case .neitherCodeNorError: "the response has neither a code nor an error"
    }
  }
}
