import Crypto
import Directory
import Effects
import OAuth

/// Answers to the app through the browser: query, fragment or a form that posts itself.
enum AuthorizeResponse {
  /// - Parameter withHash: whether a redirect by query ends in a bare `#`, as the platform does since 2020, so that no
  ///   fragment of an earlier page is carried on.
  /// - Parameter lowercase: whether percent escapes are in lower case, as the platform writes errors.
  static func answer(
    _ parameters: Parameters, to address: AuthorizeRequest.ReturnAddress, exchange: EmulatorRequest,
    withHash: Bool = true,
    lowercase: Bool = false
  ) -> ResponseMessage {
    var parameters = parameters
    if let state = address.state { parameters.append("state", state) }
    if let sender = address.sender {
      let own = TokenIssuer.issuer(at: exchange, tenantID: sender.tenantID ?? "{tenantid}", policy: sender.policy)
      parameters.append("iss", sender.isStranger ? "\(TokenMisbehavior.stranger)/v2.0" : own)
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
        \(fields)<noscript><p>Script is disabled. Choose Submit to go on.</p><button type="submit">Submit</button></noscript>
        </form>
        <script>\(submitScript)</script>
        </body>
        </html>

        """
      return ResponseBuilder.page(page.text, to: exchange, script: submitScriptHash)
    }
  }

  /// The text with the two digits behind each percent sign in lower case.
  private static func lowercased(_ text: String) -> String {
    let parts = text.split(separator: "%", omittingEmptySubsequences: false)
    let rest = parts.dropFirst().map { "%" + $0.prefix(2).lowercased() + $0.dropFirst(2) }
    return ([String(parts.first ?? "")] + rest).joined()
  }

  private static let submitScript: HTML = "document.forms[0].submit();"
  /// The one script that pages may run, by its hash.
  private static let submitScriptHash = "sha256-" + Base64.encode(SHA256.hash(data: Array(submitScript.text.utf8)))

  /// A web redirect URI without a path comes back with a slash.
  private static func rooted(_ uri: String) -> String {
    var url = URLReference(uri)
    guard url.path.isEmpty, url.authority != nil, let scheme = url.scheme?.lowercased(),
      scheme == "http" || scheme == "https"
    else { return uri }
    url.path = "/"
    return url.text
  }

  /// An error on its way to the app.
  static func refuse(
    _ refusal: ErrorResponse, to address: AuthorizeRequest.ReturnAddress, exchange: EmulatorRequest
  ) -> ResponseMessage {
    exchange.audit.refuse(refusal)
    // `error_codes`, times and ids stand in the description only.
    var parameters = refusal.oauthError(for: exchange).parameters
    if refusal.code == 65004, !refusal.isB2C, address.adminConsent == nil {
      parameters.append("error_subcode", "cancel")
    }
    if address.adminConsent == "1" { parameters.set("error", "permission_denied") }
    if address.adminConsent == "2" { parameters.append("admin_consent", "True") }
    return answer(parameters, to: address, exchange: exchange, lowercase: true)
  }

  /// The user went back from a sign-in page: no description, only the subcode.
  static func cancelled(_ address: AuthorizeRequest.ReturnAddress, exchange: EmulatorRequest) -> ResponseMessage {
    exchange.audit.note("refused", reason: "the user went back")
    return answer(["error": "access_denied", "error_subcode": "cancel"], to: address, exchange: exchange)
  }
}
