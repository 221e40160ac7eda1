import SwiftASN1
import X509

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// The host names and IP addresses of a server.
package struct CertificateNames: Hashable, Sendable {
  /// The host names in lowercase. The `*.` prefix matches one label.
  package var hosts: [String]
  /// The IP addresses, as 4 or 16 bytes.
  package var addresses: [[UInt8]]

  /// The names of this machine: `localhost` and its subdomains, 127.0.0.1, and ::1.
  package static let loopback = CertificateNames(["localhost", "*.localhost", "127.0.0.1", "::1"])

  /// - Parameter names: Host names and IP addresses.
  package init(_ names: some Sequence<String>) {
    hosts = []
    addresses = []
    for name in names {
      let name = name.lowercased()
      if let address = Self.bytes(ofAddress: name) {
        if !addresses.contains(address) { addresses.append(address) }
      } else if !hosts.contains(name) {
        hosts.append(name)
      }
    }
  }

  /// Returns the union of these names and others.
  package func adding(_ other: CertificateNames) -> CertificateNames {
    var sum = self
    sum.hosts += other.hosts.filter { !hosts.contains($0) }
    sum.addresses += other.addresses.filter { !addresses.contains($0) }
    return sum
  }

  /// A list of the names that may belong to other machines, or nil if there are none. These names use a different CA
  /// from this machine's names.
  var others: String? {
    let others =
      hosts.filter { !Self.loopback.hosts.contains($0) }
      + addresses.filter { !Self.loopback.addresses.contains($0) }.map { "\($0)" }
    return others.isEmpty ? nil : others.sorted().joined(separator: " ")
  }

  /// The reason why a CA must not sign certificates for these names, or nil. An empty name would permit every host (RFC
  /// 5280 §4.2.1.10).
  package var fault: String? {
    if hosts.isEmpty { return "a certificate requires a host name" }
    for host in hosts {
      if let fault = Self.fault(ofHost: host.hasPrefix("*.") ? String(host.dropFirst(2)) : host) { return fault }
    }
    return nil
  }

  /// Returns the reason why a CA must not sign certificates for a host name and its subdomains, or nil.
  package static func fault(ofHost text: String) -> String? {
    let labels = text.lowercased().utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    let isName =
      text.utf8.count <= 253
      && labels.allSatisfy { label in
        (1...63).contains(label.count) && label.allSatisfy { isOfName($0) }
          && label.first != UInt8(ascii: "-") && label.last != UInt8(ascii: "-")
      }
    // Some clients parse a name that ends with a number as an IP address (WHATWG URL §3.5).
    guard isName, labels.last?.allSatisfy({ (48...57).contains($0) }) == false else {
      return "`\(text)` is not a host name"
    }
    let words = labels.map { String(Substring($0)) }
    func isCountry(_ word: String) -> Bool { word.utf8.count == 2 && word.utf8.allSatisfy { $0 > UInt8(ascii: "_") } }
    let isSuffix =
      switch words.count {
      case 1: isCountry(words[0]) || topDomains.contains(words[0])
      case 2: isCountry(words[1]) && registries.contains(words[0])
      default: false
      }
    return isSuffix ? "`\(text)` includes hosts that belong to many owners" : nil
  }

  private static func isOfName(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"),
      UInt8(ascii: "_"):
      true
    default: false
    }
  }

  /// The largest generic top-level domains. All two-letter top-level domains are country codes. Any other single label
  /// is a machine name.
  private static let topDomains: Set = [
    "com", "net", "org", "edu", "gov", "mil", "int", "arpa", "info", "biz", "name", "pro", "aero", "coop", "museum",
    "jobs", "mobi", "travel", "tel", "cat", "asia", "post", "app", "dev", "cloud", "online", "site", "shop", "store",
    "tech", "top", "xyz", "club", "page", "blog", "live", "world", "group", "agency", "digital", "email", "network",
    "services", "solutions", "systems", "website", "space", "link", "wiki", "zone", "bank",
  ]

  /// Second-level domains for public registrations below a country code.
  private static let registries: Set = ["co", "com", "net", "org", "edu", "gov", "ac", "ne", "or", "go", "gob", "mil"]

  /// Parses an IP address into 4 or 16 bytes.
  package static func bytes(ofAddress text: String) -> [UInt8]? {
    for (family, count) in [(AF_INET, 4), (AF_INET6, 16)] {
      var bytes = [UInt8](repeating: 0, count: count)
      if inet_pton(family, text, &bytes) == 1 { return bytes }
    }
    return nil
  }

  private static let impossibleHost = "authflow.invalid"

  /// The names as subject alternative names (RFC 5280 §4.2.1.6).
  var alternativeNames: [GeneralName] {
    hosts.map { .dnsName($0) } + addresses.map { .ipAddress(ASN1OctetString(contentBytes: $0[...])) }
  }

  /// The names as permitted subtrees (RFC 5280 §4.2.1.10). A name includes its subdomains.
  ///
  /// Email addresses and URIs are permitted only at a host that cannot exist (RFC 2606 §2). No method of excluding all
  /// of them works with every library.
  ///
  /// IP addresses are not constrained: BoringSSL, which the Swift clients use, rejects certificates from a CA that
  /// constrains addresses.
  var permittedTrees: [GeneralName] {
    domains.map { .dnsName($0) }
      + [.rfc822Name(Self.impossibleHost), .uniformResourceIdentifier(Self.impossibleHost)]
  }

  /// The unique host names without wildcards.
  var domains: [String] {
    var domains: [String] = []
    for host in hosts {
      let domain = host.hasPrefix("*.") ? String(host.dropFirst(2)) : host
      if !domains.contains(domain) { domains.append(domain) }
    }
    return domains
  }
}
