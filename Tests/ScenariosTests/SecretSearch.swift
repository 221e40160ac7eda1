import Documents
import Effects
import Foundation
import HTTPTypes
import OAuth
import Synchronization

/// What passes over a transport that is secret, whoever sent it.
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
    // Shown on purpose, and typed in again where codes are secret: worth nothing without the device that asked for it.
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

/// Looks for secrets as they are, percent-encoded, in base64 at each alignment, and as parts of JWTs.
struct SecretSearch {
  /// Shorter ones stand by chance in any text.
  static let shortest = 8

  private let words: [(word: String, form: String)]

  init(_ secrets: some Sequence<String>) { words = secrets.flatMap(Self.forms) }

  static func forms(_ secret: String) -> [(word: String, form: String)] {
    var forms = [(secret, "as it is")]
    for encoded in Set([FormCoding.encode(secret), FormCoding.percentEncode(secret)]) where encoded != secret {
      forms.append((encoded, "percent-encoded"))
    }
    for shift in 0..<3 {
      // What is around it changes the first and the last characters of its base64 only.
      let encoded = Base64.encode(Array(repeating: 0, count: shift) + Array(secret.utf8)).filter { $0 != "=" }
      let inner = String(encoded.dropFirst([0, 2, 3][shift]).dropLast())
      guard inner.utf8.count >= shortest else { continue }
      forms.append((inner, "in base64"))
      forms.append((inner.replacing("+", with: "-").replacing("/", with: "_"), "in base64url"))
    }
    let parts = secret.split(separator: ".", omittingEmptySubsequences: false)
    if parts.count == 3 {
      for part in parts.dropFirst() where part.utf8.count >= shortest { forms.append((String(part), "a part of it")) }
    }
    return forms
  }

  /// The forms of secrets that the text holds.
  func leaks(in text: String) -> [String] {
    // Counted in bytes by the C library: the outputs are long, and so is the list.
    text.withCString { text in
      words.filter { word in word.word.withCString { strstr(text, $0) != nil } }.map {
        "\($0.form): \($0.word.prefix(6))…"
      }
    }
  }
}
