extension Authority {
  /// Where instance discovery is asked about this authority's host: at the host itself where it is trusted, else at the public
  /// cloud's. Nil for kinds that instance discovery does not know.
  package var instanceDiscoveryURL: String? {
    guard kind == .aad else { return nil }
    let host = TrustedHosts.contains(environment) ? environment : Cloud.public.preferredNetwork
    let asked = Self.queryText("\(url)/oauth2/v2.0/authorize")
    return "https://\(host)/common/discovery/instance?api-version=1.1&authorization_endpoint=\(asked)"
  }

  /// Where the provider describes itself (OpenID Connect Discovery 1.0 §4).
  package var openIDConfigurationURL: String {
    switch kind {
    case .aad, .b2c, .ciam: "\(url)/v2.0/.well-known/openid-configuration"
    case .adfs, .oidc: "\(url)/.well-known/openid-configuration"
    }
  }

  /// `:` and `/` may stand in a query and are left; what would end or split it is not.
  private static func queryText(_ text: String) -> String {
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
