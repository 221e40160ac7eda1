import Documents
import Effects
import Foundation
import HTTPTypes
import OAuth
import Synchronization

/// Collects the secrets in requests and responses.
final class SecretTap: HTTPTransport {
  private let base: any HTTPTransport
  private let found = Mutex<Set<String>>([])
  private let shown = Mutex<Set<String>>([])

  init(_ base: any HTTPTransport) { self.base = base }

  var secrets: Set<String> { found.withLock { $0 }.subtracting(shown.withLock { $0 }) }

  func send(_ request: RequestMessage) async throws(TransportFailure) -> ResponseMessage {
    note(URLReference(request.url).parameters)
    if request.head.headerFields[.contentType]?.hasPrefix(FormCoding.mediaType) == true {
      note(FormCoding.parse(body: request.body))
    }
    note(request.head.headerFields)
    let response = try await base.send(request)
    note(response.head.headerFields)
    if let json = try? JSON(parsing: response.body) { note(json) }
    if let location = response.head.headerFields[.location] {
      let reference = URLReference(location)
      note(reference.parameters)
      note(FormCoding.parse(reference.fragment ?? ""))
    }
    return response
  }

  private func note(_ parameters: Parameters) {
    for entry in parameters.entries where SecretParameters.kind(of: entry.name) != nil { note(entry.value) }
  }

  private func note(_ json: JSON) {
    for name in ["access_token", "refresh_token", "id_token", "device_code"] {
      if let text = json[name]?.string { note(text) }
    }
    // The user code is not a secret: the user must see it, and it is useless without the device that requested it.
    if let code = json["user_code"]?.string { shown.withLock { _ = $0.insert(code) } }
  }

  private func note(_ fields: HTTPFields) {
    for field in fields {
      switch field.name {
      case .authorization: note(String(field.value.drop { $0 != " " }.dropFirst()))
      case .setCookie: note(String(field.value.prefix { $0 != ";" }.drop { $0 != "=" }.dropFirst()))
      case .cookie: for part in field.value.split(separator: ";") { note(String(part.drop { $0 != "=" }.dropFirst())) }
      default: break
      }
    }
  }

  private func note(_ secret: String) {
    guard secret.utf8.count >= SecretSearch.shortest else { return }
    found.withLock { _ = $0.insert(secret) }
  }
}

/// Searches for secrets in plain text, percent-encoded, in base64 at each alignment, and as parts of JWTs.
struct SecretSearch {
  /// Shorter secrets match other text by chance.
  static let shortest = 8

  private let patterns: [(text: String, encoding: String)]

  init(_ secrets: some Sequence<String>) { patterns = secrets.flatMap(Self.encodings) }

  static func encodings(_ secret: String) -> [(text: String, encoding: String)] {
    var encodings = [(secret, "plain")]
    for encoded in Set([FormCoding.encode(secret), PercentEncoding.encode(secret)]) where encoded != secret {
      encodings.append((encoded, "percent-encoded"))
    }
    for shift in 0..<3 {
      // The surrounding bytes change only the first and last characters of the base64 text.
      let encoded = Base64.encode(Array(repeating: 0, count: shift) + Array(secret.utf8)).filter { $0 != "=" }
      let inner = String(encoded.dropFirst([0, 2, 3][shift]).dropLast())
      guard inner.utf8.count >= shortest else { continue }
      encodings.append((inner, "in base64"))
      encodings.append((inner.replacing("+", with: "-").replacing("/", with: "_"), "in base64url"))
    }
    let parts = secret.split(separator: ".", omittingEmptySubsequences: false)
    if parts.count == 3 {
      for part in parts.dropFirst() where part.utf8.count >= shortest { encodings.append((String(part), "JWT part")) }
    }
    return encodings
  }

  /// Returns the encodings of secrets that the text contains.
  func leaks(in text: String) -> [String] {
    // The search uses the C library, because the output and the list of secrets are long.
    text.withCString { text in
      patterns.filter { pattern in pattern.text.withCString { strstr(text, $0) != nil } }.map {
        "\($0.encoding): \($0.text.prefix(6))…"
      }
    }
  }
}
