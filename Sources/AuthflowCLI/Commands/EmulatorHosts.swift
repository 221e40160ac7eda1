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
    let address = address.map { $0.lowercased() }
    bindAddress = address == "localhost" ? nil : address
    isLoopback = address.map(Self.isLoopback) ?? true
    self.allowed = Set(allowed.map { $0.lowercased() })
    let isPlace = address != "0.0.0.0" && address != "::" && address != "localhost"
    named = allowed + (isPlace ? [address].compactMap { $0 } : [])
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

  static func isHostName(_ text: String) -> Bool {
    !text.isEmpty
      && text.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"):
          true
        default: false
        }
      }
  }
}
