import Effects
import HTTPTypes
import OAuth

/// A navigation of the browser.
struct Navigation: Sendable {
  var url: URLReference
  var method: HTTPRequest.Method = .get
  var body: [UInt8] = []
  var contentType: String?
  /// The entries of a posted form. If the form posts to a custom redirect URI, the browser adds the entries to the
  /// query of that URI.
  var entries = Parameters()
  /// The URL of the page that contains the link or form.
  var referrer: URLReference?

  /// Creates the navigation for a link.
  init(to url: URLReference, from referrer: URLReference? = nil) {
    self.url = url
    self.referrer = referrer
  }

  /// Creates the navigation that submits a form.
  init(_ form: HTMLForm, _ entries: Parameters, button: HTMLControl?, on page: HTMLPage) {
    let action = button?.formAction ?? form.action ?? ""
    url = action.isEmpty ? page.url : page.base.resolving(action)
    referrer = page.url
    url.fragment = nil
    if (button?.formMethod ?? form.method) == "post" {
      method = .post
      self.entries = entries
      if (button?.formEncoding ?? form.encoding) == "multipart/form-data" {
        let boundary = "----authflow-\(entries.entries.count)-part"
        contentType = "multipart/form-data; boundary=\(boundary)"
        body = Self.multipart(entries, boundary: boundary)
      } else {
        contentType = FormCoding.mediaType
        body = Array(FormCoding.serialize(entries).utf8)
      }
    } else {
      url.query = FormCoding.serialize(entries)
    }
  }

  /// Returns the navigation after a redirect (RFC 9110 §15.4), or nil if the response is not a redirect.
  func following(_ response: HTTPResponse) -> Navigation? {
    guard [301, 302, 303, 307, 308].contains(response.status.code), let location = response.headerFields[.location]
    else {
      return nil
    }
    var next = self
    next.url = url.resolving(location)
    // If the new URL has no fragment, it inherits the fragment of the previous URL (RFC 9110 §10.2.2).
    if next.url.fragment == nil { next.url.fragment = url.fragment }
    let keepsMethod = response.status.code == 307 || response.status.code == 308
    if !keepsMethod, method != .head {
      next.method = .get
      next.body = []
      next.contentType = nil
      next.entries = Parameters()
    }
    return next
  }

  func request(cookies: String?) -> RequestMessage? {
    var headers = HTTPFields()
    headers[.userAgent] = "authflow/1 (simulated user)"
    headers[.accept] = "text/html,application/xhtml+xml;q=0.9,*/*;q=0.1"
    headers[.acceptLanguage] = "en"
    headers[.contentType] = contentType
    if let cookies { headers[.cookie] = cookies }
    if let referrer, let origin = referrer.origin {
      // Like browsers by default, send the full URL to the same origin, and only the origin to other origins.
      var shown = referrer
      shown.fragment = nil
      headers[.referer] = origin == url.origin ? shown.text : origin + "/"
      if method == .post { headers[.origin] = origin }
    }
    return RequestMessage(method: method, url: url.text, headers: headers, body: body)
  }

  /// Encodes the entries as `multipart/form-data` (RFC 7578). The values in a sign-in form never contain the boundary.
  private static func multipart(_ entries: Parameters, boundary: String) -> [UInt8] {
    var text = ""
    for entry in entries.entries {
      let name = entry.name.replacing("\"", with: "%22").replacing("\r", with: "%0D").replacing("\n", with: "%0A")
      text += "--\(boundary)\r\nContent-Disposition: form-data; name=\"\(name)\"\r\n\r\n\(entry.value)\r\n"
    }
    return Array((text + "--\(boundary)--\r\n").utf8)
  }
}
