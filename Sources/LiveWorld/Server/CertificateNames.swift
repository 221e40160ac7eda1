import SwiftASN1
import X509

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// The names and addresses that a server is known by.
package struct CertificateNames: Hashable, Sendable {
  /// Host names in lower case; `*.` in front stands for any one label.
  package var hosts: [String]
  /// Addresses, as four or sixteen bytes.
  package var addresses: [[UInt8]]

  /// This machine's own: `localhost`, names below it, 127.0.0.1 and ::1.
  package static let loopback = CertificateNames(["localhost", "*.localhost", "127.0.0.1", "::1"])

  /// - Parameter names: host names and addresses as people write them.
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

  /// These names and more.
  package func adding(_ other: CertificateNames) -> CertificateNames {
    var sum = self
    sum.hosts += other.hosts.filter { !hosts.contains($0) }
    sum.addresses += other.addresses.filter { !addresses.contains($0) }
    return sum
  }

  /// The names that are not certainly this machine's, as one text; nil where there are none. An authority that may vouch
  /// for them is another one than that for this machine alone.
  var others: String? {
    let others =
      hosts.filter { !Self.loopback.hosts.contains($0) }
      + addresses.filter { !Self.loopback.addresses.contains($0) }.map { "\($0)" }
    return others.isEmpty ? nil : others.sorted().joined(separator: " ")
  }

  private static func bytes(ofAddress text: String) -> [UInt8]? {
    for (family, count) in [(AF_INET, 4), (AF_INET6, 16)] {
      var bytes = [UInt8](repeating: 0, count: count)
      if inet_pton(family, text, &bytes) == 1 { return bytes }
    }
    return nil
  }

  /// As a certificate's names (RFC 5280 §4.2.1.6).
  var alternativeNames: [GeneralName] {
    hosts.map { .dnsName($0) } + addresses.map { .ipAddress(ASN1OctetString(contentBytes: $0[...])) }
  }

  /// As what an authority may vouch for (RFC 5280 §4.2.1.10): a name stands for all below it.
  ///
  /// Addresses are left out, so it may vouch for any: BoringSSL, which the Swift clients use, refuses every certificate of
  /// an authority that is bound to addresses.
  var permittedTrees: [GeneralName] {
    var domains: [String] = []
    for host in hosts {
      let domain = host.hasPrefix("*.") ? String(host.dropFirst(2)) : host
      if !domains.contains(domain) { domains.append(domain) }
    }
    return domains.map { .dnsName($0) }
  }
}
