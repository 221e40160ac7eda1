import IdentityEmulator
import IdentityPlatform
import LiveWorld

/// The host names that `authflow emulator` answers for.
struct ServedHosts: Sendable {
  /// The address to listen on; nil for the loopback addresses.
  let bindAddress: String?
  let isLoopback: Bool
  private let allowed: Set<String>
  private let named: [String]
  private let hasRealHosts: Bool

  /// - Parameters:
  ///   - address: what `--host` says.
  ///   - allowed: what `--allow-host` says.
  ///   - realHosts: whether the certificate names the real platform's hosts too.
  init(address: String?, allowed: [String], realHosts: Bool = false) {
    hasRealHosts = realHosts
    var address = address.map { Self.unbracketed($0).lowercased() }
    let bytes = address.flatMap { Self.bytes(of: $0) }
    // An address of IPv6 can be written in many ways; these two mean something to others here.
    if bytes?.count == 16, let last = bytes?.last, last <= 1, bytes?.dropLast().allSatisfy({ $0 == 0 }) == true {
      address = last == 0 ? "::" : "::1"
    }
    bindAddress = address == "localhost" ? nil : address
    isLoopback = address.map(Self.isLoopback) ?? true
    let allowed = allowed.map { Self.unbracketed($0).lowercased() }
    self.allowed = Set(allowed)
    let isPlace = address != "0.0.0.0" && address != "::" && address != "localhost"
    named = allowed + (isPlace ? [address].compactMap { $0.map(Self.unzoned) } : [])
  }

  /// Whether this machine reaches the server by its own names: it listens on them, or everywhere.
  var greetsThisMachine: Bool { isLoopback || bindAddress == "0.0.0.0" || bindAddress == "::" }

  /// The host that clients are told, as a URL writes it.
  var greetedHost: String {
    guard let bindAddress, bindAddress != "0.0.0.0", bindAddress != "::" else { return "localhost" }
    return bindAddress.contains(":") ? "[\(bindAddress)]" : bindAddress
  }

  /// Whether a request for this host is answered. Beyond loopback nobody can know all names of this machine.
  func serves(_ host: String, platform: IdentityPlatformEmulator) -> Bool {
    !isLoopback || isOwn(host) || platform.knows(host: host)
  }

  /// Whether the name certainly means this machine, so that no page of the web can have brought it here.
  func isOwn(_ host: String) -> Bool { Self.isLoopback(host) || allowed.contains(host) }

  private static func isLoopback(_ host: String) -> Bool {
    host == "localhost" || host.hasSuffix(".localhost") || host == "::1"
      || host.hasPrefix("127.") && host.allSatisfy { $0 == "." || $0.isASCII && $0.isNumber }
  }

  /// What the certificate names: this machine, and what was asked for. Whoever trusts its authority in a browser does not
  /// want it to vouch for the real platform's hosts, so these are there on demand only.
  var certificateNames: CertificateNames {
    .loopback.adding(CertificateNames(named + (hasRealHosts ? Self.realHosts : [])))
  }

  /// The hosts of the real platform: where people sign in, where they type a device's code, and Graph's, in every cloud.
  private static let realHosts =
    Cloud.allCases.flatMap { $0.aliases + [$0.graphHost].compactMap { $0 } } + ["microsoft.com", "www.microsoft.com"]
    + ["b2clogin.com", "b2clogin.cn", "b2clogin.us", "b2clogin.de", "ciamlogin.com"].map { "*." + $0 }

  /// Why a text is neither an address nor a host name to answer for, in a few words; nil where it is one of them.
  static func fault(of text: String) -> String? {
    bytes(of: unbracketed(text)) == nil ? CertificateNames.fault(ofHost: text) : nil
  }

  private static func unbracketed(_ text: String) -> String {
    text.hasPrefix("[") && text.hasSuffix("]") && text.contains(":") ? String(text.dropFirst().dropLast()) : text
  }

  /// An address's bytes, whatever zone it has.
  private static func bytes(of address: String) -> [UInt8]? { CertificateNames.bytes(ofAddress: unzoned(address)) }

  private static func unzoned(_ address: String) -> String {
    address.contains(":") ? String(address.prefix { $0 != "%" }) : address
  }
}
