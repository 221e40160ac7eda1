extension Authority {
  /// The instance discovery URL for this authority, or nil if instance discovery does not support the kind. The URL
  /// uses the authority's host if that host is trusted, and the public cloud's host otherwise.
  package var instanceDiscoveryURL: String? {
    guard kind == .aad else { return nil }
    let host = TrustedHosts.contains(environment) ? environment : Cloud.public.preferredNetwork
    let endpoint = Self.percentEncoded("\(url)/oauth2/v2.0/authorize")
    return "https://\(host)/common/discovery/instance?api-version=1.1&authorization_endpoint=\(endpoint)"
  }

  /// The URL of the provider metadata (OpenID Connect Discovery 1.0 §4).
  package var openIDConfigurationURL: String {
    switch kind {
    case .aad, .b2c, .ciam: "\(url)/v2.0/.well-known/openid-configuration"
    case .adfs, .oidc: "\(url)/.well-known/openid-configuration"
    }
  }

  /// Percent-encodes a query value. Keeps `:` and `/`, which RFC 3986 §3.4 allows in a query.
  private static func percentEncoded(_ text: String) -> String {
    let digits = Array("0123456789ABCDEF")
    var result = ""
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
        UInt8(ascii: "~"),
        UInt8(ascii: ":"), UInt8(ascii: "/"):
        result.unicodeScalars.append(Unicode.Scalar(byte))
      default:
        result += "%"
        result.append(digits[Int(byte >> 4)])
        result.append(digits[Int(byte & 15)])
      }
    }
    return result
  }
}
