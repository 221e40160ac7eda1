import Crypto
import Directory
import Documents
import Effects
import OAuth

/// Authorization responses, which the browser delivers to the app as a query, fragment, or form post.
enum AuthorizeResponse {
  /// Returns the response with these parameters.
  /// - Parameters:
  ///   - withHash: Whether a redirect with a query ends in an empty fragment. The empty fragment prevents the browser
  ///     from appending the fragment of the previous page (RFC 9700 §4.1.3).
  ///   - lowercase: Whether percent-encoding uses lowercase hexadecimal digits, as the live service does for errors.
  static func send(
    _ parameters: Parameters, to address: AuthorizeRequest.ReturnAddress, exchange: EmulatorRequest,
    withHash: Bool = true,
    lowercase: Bool = false
  ) -> ResponseMessage {
    var parameters = parameters
    if let state = address.state { parameters.append("state", state) }
    if let issuer = address.issuer {
      let own = TokenIssuer.issuer(at: exchange, tenantID: issuer.tenantID ?? "{tenantid}", policy: issuer.policy)
      parameters.append("iss", issuer.isOtherProvider ? "\(TokenMisbehavior.otherProvider)/v2.0" : own)
    }
    let text = lowercase ? lowercased(FormCoding.serialize(parameters)) : FormCoding.serialize(parameters)
    switch address.mode {
    case .query:
      var url = URLReference(rooted(address.uri))
      url.fragment = withHash && url.scheme?.lowercased().hasPrefix("http") == true ? "" : nil
      url.query = if let query = url.query, !query.isEmpty { query + "&" + text } else { text }
      return ResponseBuilder.redirect(to: url.text, from: exchange)
    case .fragment: return ResponseBuilder.redirect(to: rooted(address.uri) + "#" + text, from: exchange)
    case .formPost:
      let fields: [HTML] = parameters.entries.map {
        "<input type=\"hidden\" name=\"\($0.name)\" value=\"\($0.value)\">\n"
      }
      let page: HTML = """
        <!DOCTYPE html>
        <html lang="en">
        <head><meta charset="utf-8"><title>Working…</title></head>
        <body>
        <form method="post" name="hiddenform" action="\(address.uri)">
        \(fields)<noscript><p>JavaScript is disabled. Select Submit to continue.</p><button type="submit">Submit</button></noscript>
        </form>
        <script>\(submitScript)</script>
        </body>
        </html>

        """
      return ResponseBuilder.page(page.text, to: exchange, script: .hash(submitScriptHash))
    }
  }

  /// Converts the hexadecimal digits in percent escapes to lowercase.
  private static func lowercased(_ text: String) -> String {
    let parts = text.split(separator: "%", omittingEmptySubsequences: false)
    let rest = parts.dropFirst().map { "%" + $0.prefix(2).lowercased() + $0.dropFirst(2) }
    return ([String(parts.first ?? "")] + rest).joined()
  }

  private static let submitScript: HTML = "document.forms[0].submit();"
  /// The hash of the submit script for the Content-Security-Policy header.
  private static let submitScriptHash = "sha256-" + Base64.encode(SHA256.hash(data: Array(submitScript.text.utf8)))

  /// Adds the path `/` to an HTTP redirect URI without a path, as the live service does.
  private static func rooted(_ uri: String) -> String {
    var url = URLReference(uri)
    guard url.path.isEmpty, url.authority != nil, let scheme = url.scheme?.lowercased(),
      scheme == "http" || scheme == "https"
    else { return uri }
    url.path = "/"
    return url.text
  }

  /// Returns the error response to the app (RFC 6749 §4.1.2.1) and records the error.
  static func sendError(
    _ errorResponse: ErrorResponse, to address: AuthorizeRequest.ReturnAddress, exchange: EmulatorRequest
  ) -> ResponseMessage {
    exchange.decisionLog.recordError(errorResponse)
    // A redirect contains error codes, the timestamp, and IDs only in the error description.
    var parameters = errorResponse.oauthError(for: exchange).parameters
    if errorResponse.code == 65004, !errorResponse.isB2C, address.adminConsent == nil {
      parameters.append("error_subcode", "cancel")
    }
    if address.adminConsent == "1" { parameters.set("error", "permission_denied") }
    if address.adminConsent == "2" { parameters.append("admin_consent", "True") }
    return send(parameters, to: address, exchange: exchange, lowercase: true)
  }

  /// Returns the response to the app after the user cancels. The response contains a subcode but no description.
  static func sendCancellation(_ address: AuthorizeRequest.ReturnAddress, exchange: EmulatorRequest) -> ResponseMessage
  {
    exchange.decisionLog.record(.rejected, reason: "the user canceled")
    return send(["error": "access_denied", "error_subcode": "cancel"], to: address, exchange: exchange)
  }
}
