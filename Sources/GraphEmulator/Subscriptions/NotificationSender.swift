import Documents
import Effects
import HTTPTypes
import IdentityPlatform
import OAuth

/// A sender of notifications. It contacts only endpoints on this machine, so that callers cannot make the emulator
/// contact other hosts.
struct NotificationSender: Sendable {
  let transport: any HTTPTransport

  /// Whether the emulator may send notifications to a URL.
  static func mayReach(_ url: String) -> Bool {
    guard let parts = URLReference(valid: url), ["http", "https"].contains(parts.scheme?.lowercased() ?? ""),
      parts.isLoopback,
      // The connection uses the parsed authority, so also check that the authority is a loopback address.
      let authority = RequestMessage(method: .post, url: url, headers: [:], body: [])?.head.authority,
      !authority.contains("@")
    else { return false }
    return URLReference(valid: "http://\(authority)/")?.isLoopback == true
  }

  /// Sends the validation request. The endpoint must respond with status 200 and return the token as plain text.
  /// - Returns: The reason why the validation failed, or nil if the endpoint is valid.
  func validate(_ url: String, token: String) async -> String? {
    let separator = url.contains("?") ? "&" : "?"
    guard
      let request = RequestMessage(
        method: .post, url: "\(url)\(separator)validationToken=\(token)",
        headers: [.contentType: "text/plain; charset=utf-8"], body: [])
    else { return "the URL is not valid" }
    do {
      let response = try await transport.send(request)
      let status = response.head.status.code
      guard status == 200 else { return "the endpoint responded with status \(status) instead of 200" }
      let text = String(decoding: response.body.prefix(1_000), as: UTF8.self)
      return text == token ? nil : "the response does not contain the validation token"
    } catch {
      return "no response: \(error.explanation)"
    }
  }

  /// Sends a notification and returns a description of the outcome.
  func send(_ notification: GraphNotification) async -> String {
    guard Self.mayReach(notification.url),
      let request = RequestMessage(
        method: .post, url: notification.url, headers: [.contentType: "application/json; charset=utf-8"],
        body: Array(notification.body.text().utf8))
    else { return "recorded" }
    do {
      return "status \(try await transport.send(request).head.status.code)"
    } catch {
      return "failed: \(error.explanation)"
    }
  }
}
