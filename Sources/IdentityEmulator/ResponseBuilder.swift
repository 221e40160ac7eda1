import Documents
import Effects
import GraphEmulator
import HTTPTypes
import OAuth

/// Ways to answer: JSON, a page, a redirect, each with the headers that the real platform sends.
enum ResponseBuilder {
  /// JSON that may not be kept, as the token endpoint answers.
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

  /// Public metadata, which every page may read and everybody keep for a day.
  static func metadata(_ json: JSON, to exchange: EmulatorRequest) -> ResponseMessage {
    metadata(json.utf8(sortedKeys: false), to: exchange)
  }

  /// The same for a document that is at hand as it goes over the wire.
  static func metadata(_ json: [UInt8], to exchange: EmulatorRequest) -> ResponseMessage {
    var headers = common(exchange)
    headers[.contentType] = "application/json; charset=utf-8"
    headers[.cacheControl] = "max-age=86400, private"
    headers[.accessControlAllowOrigin] = "*"
    headers[.accessControlAllowMethods] = "GET, OPTIONS"
    return ResponseMessage(.ok, headers: headers, body: json)
  }

  /// A page for people. Nothing is loaded from anywhere, and no other site may frame it.
  /// - Parameters:
  ///   - script: the hash of the one script that may run.
  ///   - frames: origins of pages that it opens in hidden frames.
  static func page(
    _ html: String, status: HTTPResponse.Status = .ok, to exchange: EmulatorRequest, script: String? = nil,
    frames: [String] = []
  ) -> ResponseMessage {
    let body = Array(html.utf8)
    var headers = common(exchange)
    headers[.contentType] = "text/html; charset=utf-8"
    headers[.cacheControl] = "no-store, no-cache"
    headers[.pragma] = "no-cache"
    headers[.expires] = "-1"
    // A form's answer leads on to the app, and from there wherever the app likes: `form-action` would forbid that on
    // pages with a form. Others have none.
    headers[.contentSecurityPolicy] =
      "default-src 'none'; style-src '\(PageStyle.hash)'; base-uri 'none'; frame-ancestors 'none'"
      + (script.map { "; script-src '\($0)'" } ?? "")
      + (frames.isEmpty ? "" : "; frame-src " + frames.joined(separator: " "))
      + (holdsForm(body) ? "" : "; form-action 'none'")
    headers[.frameOptions] = "DENY"
    // The app whose form this page posts may look at the origin; it learns no more.
    headers[.referrerPolicy] = script == nil ? "no-referrer" : "strict-origin"
    return ResponseMessage(status, headers: headers, body: body)
  }

  /// Byte by byte: a search by String takes longer than all the rest of the page.
  private static func holdsForm(_ html: [UInt8]) -> Bool {
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

  /// The headers that every answer carries.
  static func common(_ exchange: EmulatorRequest) -> HTTPFields {
    var headers: HTTPFields = [:]
    if HostKind.mayDemandTLS(isSecure: exchange.isSecure, host: exchange.host) {
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
