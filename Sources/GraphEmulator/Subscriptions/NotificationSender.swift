import Documents
import Effects
import HTTPTypes
import IdentityPlatform
import OAuth

/// Sends notifications, to this machine only: an emulator must not reach other hosts on behalf of a caller.
struct NotificationSender: Sendable {
  let transport: any HTTPTransport

  /// Whether notifications can be sent to a URL at all.
  static func mayReach(_ url: String) -> Bool {
    guard let parts = URLParts(url), ["http", "https"].contains(parts.scheme?.lowercased() ?? ""), parts.isLoopback,
      // The request is sent to its authority, which must be the same host.
      let authority = RequestMessage(method: .post, url: url, headers: [:], body: [])?.head.authority,
      !authority.contains("@")
    else { return false }
    return URLParts("http://\(authority)/")?.isLoopback == true
  }

  /// The validation request: the endpoint has to answer 200 with the token as plain text.
  /// - Returns: why it did not; nil if it did.
  func validate(_ url: String, token: String) async -> String? {
    let separator = url.contains("?") ? "&" : "?"
    guard
      let request = RequestMessage(
        method: .post, url: "\(url)\(separator)validationToken=\(token)",
        headers: [.contentType: "text/plain; charset=utf-8"], body: [])
    else { return "the URL is not valid" }
    do {
      let response = try await transport.send(request)
      guard response.head.status.code == 200 else { return "it answered \(response.head.status.code), not 200" }
      let text = String(decoding: response.body.prefix(1_000), as: UTF8.self)
      return text == token ? nil : "it did not answer with the validation token"
    } catch {
      return "no answer came: \(error.explanation)"
    }
  }

  /// - Returns: the outcome in words.
  func send(_ notification: GraphNotification) async -> String {
    guard Self.mayReach(notification.url),
      let request = RequestMessage(
        method: .post, url: notification.url, headers: [.contentType: "application/json; charset=utf-8"],
        body: Array(notification.body.text().utf8))
    else { return "recorded" }
    do {
      return "answered \(try await transport.send(request).head.status.code)"
    } catch {
      return "failed: \(error.explanation)"
    }
  }
}
