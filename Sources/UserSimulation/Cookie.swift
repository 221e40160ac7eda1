import Documents
import Effects

/// A stored cookie (RFC 6265 §5.3).
struct Cookie: Hashable, Sendable {
  var name: String
  var value: String
  /// The domain in lowercase, without a leading dot.
  var domain: String
  /// Whether the cookie applies only to this host, and not to its subdomains.
  var isHostOnly: Bool
  var path: String
  var isSecure: Bool
  /// The time at which the cookie expires, or nil for a session cookie.
  var expires: Instant?
  /// The position in creation order. If the paths of two cookies have the same length, the older cookie is sent first.
  var number: Int

  func isFor(_ url: CookieOrigin) -> Bool {
    (isHostOnly ? url.host == domain : url.isWithin(domain)) && url.isBelow(path) && (!isSecure || url.isTrustworthy)
  }

  func isSame(as other: Cookie) -> Bool {
    name == other.name && domain == other.domain && path == other.path && isHostOnly == other.isHostOnly
  }

  /// Parses a `Set-Cookie` field (RFC 6265 §5.2). Returns nil if the browser must ignore the cookie.
  init?(_ field: String, from origin: CookieOrigin, now: Instant, number: Int) {
    guard field.utf8.count <= 8192, !field.utf8.contains(where: { $0 < 32 && $0 != UInt8(ascii: "\t") }) else {
      return nil
    }
    // Split bytes, because splitting characters is many times slower.
    var parts = field.utf8.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false)[...]
    let pair = parts.removeFirst()
    guard let equals = pair.firstIndex(of: UInt8(ascii: "=")) else { return nil }
    name = Self.trimmed(pair[..<equals])
    value = Self.trimmed(pair[equals...].dropFirst())
    guard !name.isEmpty else { return nil }
    domain = origin.host
    isHostOnly = true
    path = origin.defaultCookiePath
    isSecure = false
    self.number = number
    var maxAge: Int64?
    for part in parts {
      let attribute = part.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
      let text = attribute.count > 1 ? Self.trimmed(attribute[1]) : ""
      switch Self.trimmed(attribute[0]).lowercased() {
      case "expires": expires = CookieDate.read(text)
      case "max-age": maxAge = Int64(text) ?? maxAge
      case "domain":
        let wanted = String((text.hasPrefix(".") ? text.dropFirst() : text[...]).lowercased())
        guard !wanted.isEmpty else { continue }
        // A site can set cookies for its own domain and for parent domains, but not for a top-level domain. A list of
        // public suffixes is not necessary, because the simulated user visits only a few sites.
        guard origin.isWithin(wanted), wanted.contains(".") || wanted == origin.host else { return nil }
        domain = wanted
        isHostOnly = false
      case "path": if text.hasPrefix("/") { path = text }
      case "secure": isSecure = true
      default: break
      }
    }
    if let maxAge { expires = maxAge <= 0 ? Instant(nanosecondsSince1970: .min) : now + .seconds(maxAge) }
    if isSecure, !origin.isTrustworthy { return nil }
    if name.hasPrefix("__Secure-"), !isSecure { return nil }
    if name.hasPrefix("__Host-"), !isSecure || !isHostOnly || path != "/" { return nil }
  }

  /// Removes leading and trailing spaces and tabs.
  private static func trimmed(_ text: Substring.UTF8View) -> String {
    func isBlank(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
    var text = text.drop(while: isBlank)
    while let last = text.last, isBlank(last) { text.removeLast() }
    return String(Substring(text))
  }
}

extension Cookie {
  /// The cookie as JSON, which is the format of saved cookies.
  var json: JSON {
    var json: JSON = [
      "name": .string(name), "value": .string(value), "domain": .string(domain), "hostOnly": .bool(isHostOnly),
      "path": .string(path), "secure": .bool(isSecure),
    ]
    if let expires { json["expires"] = .string(expires.rfc3339()) }
    return json
  }

  init?(_ json: JSON, number: Int) {
    guard let name = json["name"]?.string, let value = json["value"]?.string, let domain = json["domain"]?.string else {
      return nil
    }
    self.name = name
    self.value = value
    self.domain = domain
    isHostOnly = json["hostOnly"]?.bool ?? true
    path = json["path"]?.string ?? "/"
    isSecure = json["secure"]?.bool ?? false
    expires = json["expires"]?.string.flatMap { Instant(rfc3339: $0) }
    self.number = number
  }
}

/// The parts of a URL that determine which cookies apply.
struct CookieOrigin {
  var host: String
  var path: String
  /// Whether the browser can send secure cookies, because the connection uses TLS or the host is this machine.
  var isTrustworthy: Bool

  var isAddress: Bool {
    host.hasPrefix("[") || host.utf8.allSatisfy { $0 == UInt8(ascii: ".") || (48...57).contains($0) }
  }

  func isWithin(_ domain: String) -> Bool {
    host == domain || (!isAddress && host.hasSuffix("." + domain))
  }

  /// Whether the path matches a cookie's path (RFC 6265 §5.1.4).
  func isBelow(_ cookiePath: String) -> Bool {
    guard path.hasPrefix(cookiePath) else { return false }
    return path.utf8.count == cookiePath.utf8.count || cookiePath.hasSuffix("/")
      || path.utf8.dropFirst(cookiePath.utf8.count).first == UInt8(ascii: "/")
  }

  var defaultCookiePath: String {
    guard path.hasPrefix("/"), let slash = path.lastIndex(of: "/"), slash > path.startIndex else { return "/" }
    return String(path[..<slash])
  }
}
