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

  /// Why an authority must not vouch for these names, as one sentence; nil where it may. An empty name stands for every
  /// host (RFC 5280 §4.2.1.10).
  package var fault: String? {
    if hosts.isEmpty { return "a certificate needs a host name" }
    for host in hosts {
      if let fault = Self.fault(ofHost: host.hasPrefix("*.") ? String(host.dropFirst(2)) : host) { return fault }
    }
    return nil
  }

  /// Why a text is no host name that an authority may vouch for, with all names below it; nil where it is one.
  package static func fault(ofHost text: String) -> String? {
    let labels = text.lowercased().utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    let isName =
      text.utf8.count <= 253
      && labels.allSatisfy { label in
        (1...63).contains(label.count) && label.allSatisfy { isOfName($0) }
          && label.first != UInt8(ascii: "-") && label.last != UInt8(ascii: "-")
      }
    // What ends in a number is read as an address by some (WHATWG URL §3.5).
    guard isName, labels.last?.allSatisfy({ (48...57).contains($0) }) == false else {
      return "`\(text)` is no host name"
    }
    let words = labels.map { String(Substring($0)) }
    func isCountry(_ word: String) -> Bool { word.utf8.count == 2 && word.utf8.allSatisfy { $0 > UInt8(ascii: "_") } }
    let isSuffix =
      switch words.count {
      case 1: isCountry(words[0]) || topDomains.contains(words[0])
      case 2: isCountry(words[1]) && registries.contains(words[0])
      default: false
      }
    return isSuffix ? "`\(text)` stands for the hosts of many owners" : nil
  }

  private static func isOfName(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"),
      UInt8(ascii: "_"):
      true
    default: false
    }
  }

  /// The domains of more than two letters with the most hosts; a country's have two. The rest look like machines' names.
  private static let topDomains: Set = [
    "com", "net", "org", "edu", "gov", "mil", "int", "arpa", "info", "biz", "name", "pro", "aero", "coop", "museum",
    "jobs", "mobi", "travel", "tel", "cat", "asia", "post", "app", "dev", "cloud", "online", "site", "shop", "store",
    "tech", "top", "xyz", "club", "page", "blog", "live", "world", "group", "agency", "digital", "email", "network",
    "services", "solutions", "systems", "website", "space", "link", "wiki", "zone", "bank",
  ]

  /// What stands before a country where everybody can have a name below it.
  private static let registries: Set = ["co", "com", "net", "org", "edu", "gov", "ac", "ne", "or", "go", "gob", "mil"]

  /// An address's four or sixteen bytes; nil where the text is none.
  package static func bytes(ofAddress text: String) -> [UInt8]? {
    for (family, count) in [(AF_INET, 4), (AF_INET6, 16)] {
      var bytes = [UInt8](repeating: 0, count: count)
      if inet_pton(family, text, &bytes) == 1 { return bytes }
    }
    return nil
  }

  private static let impossibleHost = "authflow.invalid"

  /// As a certificate's names (RFC 5280 §4.2.1.6).
  var alternativeNames: [GeneralName] {
    hosts.map { .dnsName($0) } + addresses.map { .ipAddress(ASN1OctetString(contentBytes: $0[...])) }
  }

  /// As what an authority may vouch for (RFC 5280 §4.2.1.10): a name stands for all below it.
  ///
  /// E-mail addresses and URIs are permitted at a host that cannot exist (RFC 2606 §2) and therefore nowhere. Excluding
  /// all of them has no form that every library reads alike.
  ///
  /// Addresses are left out, so it may vouch for any: BoringSSL, which the Swift clients use, refuses every certificate of
  /// an authority that is bound to addresses.
  var permittedTrees: [GeneralName] {
    domains.map { .dnsName($0) }
      + [.rfc822Name(Self.impossibleHost), .uniformResourceIdentifier(Self.impossibleHost)]
  }

  /// The host names without wildcards, each once.
  var domains: [String] {
    var domains: [String] = []
    for host in hosts {
      let domain = host.hasPrefix("*.") ? String(host.dropFirst(2)) : host
      if !domains.contains(domain) { domains.append(domain) }
    }
    return domains
  }
}
