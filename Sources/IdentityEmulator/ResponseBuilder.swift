import Documents
import Effects
import GraphEmulator
import HTTPTypes
import OAuth

/// A builder of JSON, HTML, redirect, and text responses with the same headers as the live service.
enum ResponseBuilder {
  /// Returns a JSON response that clients must not cache, such as a token response.
  static func json(
    _ json: JSON, status: HTTPResponse.Status = .ok, to exchange: EmulatorRequest, telemetry: String? = nil
  ) -> ResponseMessage {
    var headers = common(exchange)
    headers[.contentType] = "application/json; charset=utf-8"
    headers[.cacheControl] = "no-store, no-cache"
    headers[.pragma] = "no-cache"
    headers[.expires] = "-1"
    headers[.clientTelemetry] = telemetry ?? "1,0,0,,"
    headers[.surrogate] = "1.P"
    return ResponseMessage(status, headers: headers, body: json.utf8(sortedKeys: false))
  }

  /// Returns a response with public metadata. Pages from any origin can read it, and clients can cache it for one day.
  static func metadata(_ json: JSON, to exchange: EmulatorRequest) -> ResponseMessage {
    metadata(json.utf8(sortedKeys: false), to: exchange)
  }

  /// Returns a response with a serialized document of public metadata.
  static func metadata(_ json: [UInt8], to exchange: EmulatorRequest) -> ResponseMessage {
    var headers = common(exchange)
    headers[.contentType] = "application/json; charset=utf-8"
    headers[.cacheControl] = "max-age=86400, private"
    headers[.accessControlAllowOrigin] = "*"
    headers[.accessControlAllowMethods] = "GET, OPTIONS"
    return ResponseMessage(.ok, headers: headers, body: json)
  }

  /// The script that the browser may run on a page.
  enum Script: Hashable, Sendable {
    /// The embedded script with this hash, which posts the page's form to the app.
    case hash(String)
    /// The emulator's script files, which can also send requests to the emulator.
    case own

    fileprivate var policy: String {
      switch self {
      case .hash(let hash): "; script-src '\(hash)'"
      case .own: "; script-src 'self'; connect-src 'self'"
      }
    }
  }

  /// Returns an HTML page that loads no external resources and that other pages cannot embed in a frame.
  /// - Parameters:
  ///   - script: The script that the browser may run, or nil if the page has no script.
  ///   - frames: The origins that the page may load in hidden frames.
  static func page(
    _ html: String, status: HTTPResponse.Status = .ok, to exchange: EmulatorRequest, script: Script? = nil,
    frames: [String] = []
  ) -> ResponseMessage {
    let body = Array(html.utf8)
    var headers = common(exchange)
    headers[.contentType] = "text/html; charset=utf-8"
    headers[.cacheControl] = "no-store, no-cache"
    headers[.pragma] = "no-cache"
    headers[.expires] = "-1"
    // The response to a submitted form redirects to the app, and the app can redirect to other sites. `form-action`
    // would block these redirects, so only pages without a form set it.
    headers[.contentSecurityPolicy] =
      "default-src 'none'; style-src '\(PageStyle.hash)'; base-uri 'none'; frame-ancestors 'none'"
      + (script?.policy ?? "")
      + (frames.isEmpty ? "" : "; frame-src " + frames.joined(separator: " "))
      + (containsForm(body) ? "" : "; form-action 'none'")
    headers[.frameOptions] = "DENY"
    // When a form is posted to the app, the referrer contains only the origin, not the full URL.
    if case .hash? = script {
      headers[.referrerPolicy] = "strict-origin"
    } else {
      headers[.referrerPolicy] = "no-referrer"
    }
    return ResponseMessage(status, headers: headers, body: body)
  }

  /// Whether the page contains a form. The function searches bytes, because a string search takes longer than creating
  /// the rest of the page.
  private static func containsForm(_ html: [UInt8]) -> Bool {
    html.withUnsafeBufferPointer { html in
      let name = Array("form".utf8)
      var index = 0
      while index + name.count < html.count {
        if html[index] == UInt8(ascii: "<"), html[(index + 1)...].starts(with: name) { return true }
        index += 1
      }
      return false
    }
  }

  static func redirect(to location: String, from exchange: EmulatorRequest) -> ResponseMessage {
    var headers = common(exchange)
    headers[.location] = location
    headers[.cacheControl] = "no-store, no-cache"
    headers[.pragma] = "no-cache"
    headers[.expires] = "-1"
    headers[.referrerPolicy] = "no-referrer"
    return ResponseMessage(.found, headers: headers)
  }

  static func text(_ text: String, status: HTTPResponse.Status, to exchange: EmulatorRequest) -> ResponseMessage {
    var headers = common(exchange)
    headers[.contentType] = "text/plain; charset=utf-8"
    return ResponseMessage(status, headers: headers, body: Array(text.utf8))
  }

  /// Returns the headers that all responses have in common.
  static func common(_ exchange: EmulatorRequest) -> HTTPFields {
    var headers: HTTPFields = [:]
    if HostKind.sendsStrictTransportSecurity(isSecure: exchange.isSecure, host: exchange.host) {
      headers[.strictTransportSecurity] = "max-age=31536000; includeSubDomains"
    }
    headers[.xContentTypeOptions] = "nosniff"
    headers[.requestIDOfPlatform] = exchange.traceID
    headers[.platformServer] = "authflow emulator"
    headers[.preferencePolicy] = "CP=\"DSP CUR OTPi IND OTRi ONL FIN\""
    headers[.date] = exchange.now.httpDate
    if exchange.request.head.headerFields[.returnClientRequestID]?.lowercased() == "true" {
      headers[.clientRequestID] = exchange.correlationID
    }
    return headers
  }
}
