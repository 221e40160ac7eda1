import IdentityEmulator
import IdentityPlatform
import LiveWorld

/// The host names that `authflow emulator` serves.
struct ServedHosts: Sendable {
  /// The address to listen on, or nil for the loopback addresses.
  let bindAddress: String?
  let isLoopback: Bool
  private let allowed: Set<String>
  /// The names and addresses in the certificate, except loopback addresses.
  private let certificateHosts: [String]
  private let hasRealHosts: Bool

  /// - Parameters:
  ///   - address: The value of `--host`.
  ///   - allowed: The values of `--allow-host`.
  ///   - realHosts: Whether the certificate is also valid for Microsoft's hosts.
  init(address: String?, allowed: [String], realHosts: Bool = false) {
    hasRealHosts = realHosts
    var address = address.map { Self.unbracketed($0).lowercased() }
    let bytes = address.flatMap { Self.bytes(of: $0) }
    // An IPv6 address has several notations. Normalize `::` and `::1`, because this type compares them as text.
    if bytes?.count == 16, let last = bytes?.last, last <= 1, bytes?.dropLast().allSatisfy({ $0 == 0 }) == true {
      address = last == 0 ? "::" : "::1"
    }
    bindAddress = address == "localhost" ? nil : address
    isLoopback = address.map(Self.isLoopback) ?? true
    let allowed = allowed.map { Self.unbracketed($0).lowercased() }
    self.allowed = Set(allowed)
    let isSpecific = address != "0.0.0.0" && address != "::" && address != "localhost"
    certificateHosts = allowed + (isSpecific ? [address].compactMap { $0.map(Self.unzoned) } : [])
  }

  /// Whether the server listens on the loopback addresses.
  var includesLoopback: Bool { isLoopback || bindAddress == "0.0.0.0" || bindAddress == "::" }

  /// The host that clients use, as it appears in a URL.
  var advertisedHost: String {
    guard let bindAddress, bindAddress != "0.0.0.0", bindAddress != "::" else { return "localhost" }
    return bindAddress.contains(":") ? "[\(bindAddress)]" : bindAddress
  }

  /// Whether to serve requests for this host. A server that listens on other addresses serves all hosts, because its
  /// host names are unknown.
  func serves(_ host: String, platform: IdentityPlatformEmulator) -> Bool {
    !isLoopback || isLocal(host) || platform.isServiceHost(host)
  }

  /// Whether the host is a loopback host or an allowed host. All other hosts are rejected, because an attacker can make
  /// the host name of a web page resolve to this machine (DNS rebinding).
  func isLocal(_ host: String) -> Bool { Self.isLoopback(host) || allowed.contains(host) }

  private static func isLoopback(_ host: String) -> Bool {
    host == "localhost" || host.hasSuffix(".localhost") || host == "::1"
      || host.hasPrefix("127.") && host.allSatisfy { $0 == "." || $0.isASCII && $0.isNumber }
  }

  /// The names in the certificate. Microsoft's hosts are included only on request, because a browser that trusts the CA
  /// would also accept this certificate during a live sign-in.
  var certificateNames: CertificateNames {
    .loopback.adding(CertificateNames(certificateHosts + (hasRealHosts ? Self.realHosts : [])))
  }

  /// Microsoft's hosts for sign-in, device codes, and Graph in all clouds.
  private static let realHosts =
    Cloud.allCases.flatMap { $0.aliases + [$0.graphHost].compactMap { $0 } } + ["microsoft.com", "www.microsoft.com"]
    + ["b2clogin.com", "b2clogin.cn", "b2clogin.us", "b2clogin.de", "ciamlogin.com"].map { "*." + $0 }

  /// Returns the reason the text is neither an address nor a host name, or nil if it is valid.
  static func defect(of text: String) -> String? {
    bytes(of: unbracketed(text)) == nil ? CertificateNames.fault(ofHost: text) : nil
  }

  private static func unbracketed(_ text: String) -> String {
    text.hasPrefix("[") && text.hasSuffix("]") && text.contains(":") ? String(text.dropFirst().dropLast()) : text
  }

  /// Returns the bytes of an address, or nil if the text is not an address. The zone of an IPv6 address is ignored.
  private static func bytes(of address: String) -> [UInt8]? { CertificateNames.bytes(ofAddress: unzoned(address)) }

  private static func unzoned(_ address: String) -> String {
    address.contains(":") ? String(address.prefix { $0 != "%" }) : address
  }
}
