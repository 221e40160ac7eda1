/// Permissions that a user grants to a project's files, on the command line or in the user's configuration.
///
/// The files cannot extend these permissions. SECURITY.md, "Trust boundaries", describes the rules.
package struct Grants: Sendable {
  /// Values of `${env:NAME}`.
  package var variables: [String: String] = [:]
  /// Values of `${secret:NAME}`. A secret that is missing here is read from `variables`.
  package var secrets: [String: String] = [:]
  /// Hosts that may receive access tokens of APIs other than Microsoft Graph.
  package var hosts: [HostGrant] = []
  /// Absolute paths of folders outside the project that its files may refer to.
  package var roots: [String] = []
  /// Whether outputs may replace files that authflow did not write.
  package var overwrites = false
  /// The folder for outputs of a workflow, or nil for the working directory.
  package var outputFolder: String?

  package init() {}

  /// Returns the value of a secret, or nil if the user did not provide it.
  package func secret(_ name: String) -> String? { secrets[name] ?? variables[name] }
}

/// A host that the user allows to receive access tokens.
package struct HostGrant: Hashable, Sendable {
  /// In lowercase. An IPv6 address is in brackets.
  package let host: String
  /// Nil means the default HTTPS port, or any port if the host is this machine.
  package let port: Int?

  /// Parses `api.contoso.com`, `api.contoso.com:8443`, or `https://api.contoso.com`.
  ///
  /// Wildcards, paths, and user information are rejected, so that the grant applies to exactly one host.
  package init?(_ text: some StringProtocol) {
    var rest = Substring(text.lowercased())
    if rest.hasPrefix("https://") { rest = rest.dropFirst("https://".count) }
    if rest.hasSuffix("/") { rest = rest.dropLast() }
    let hostEnd =
      rest.hasPrefix("[") ? rest.firstIndex(of: "]").map { rest.index(after: $0) } : rest.firstIndex(of: ":")
    let name = rest[..<(hostEnd ?? rest.endIndex)]
    let suffix = rest[(hostEnd ?? rest.endIndex)...]
    let isAddress = name.hasPrefix("[") && name.hasSuffix("]")
    let label = isAddress ? name.dropFirst().dropLast() : name
    let allowed: (Character) -> Bool =
      isAddress ? { $0.isHexDigit || $0 == ":" || $0 == "." } : { $0.isLetter || $0.isNumber || $0 == "." || $0 == "-" }
    guard !label.isEmpty, label.allSatisfy({ $0.isASCII && allowed($0) }) else { return nil }
    if suffix.isEmpty {
      port = nil
    } else {
      guard suffix.hasPrefix(":"), let number = Int(suffix.dropFirst()), (1...65_535).contains(number) else {
        return nil
      }
      port = number
    }
    host = String(name)
  }
}
