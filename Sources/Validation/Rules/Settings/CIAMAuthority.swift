import AppRegistration
import Diagnostics
import Documents
import Effects
import IdentityPlatform

struct CIAMAuthority: Rule {
  let id = "ciam-authority"
  let severity = Diagnostic.Severity.error

  func check(_ file: ValidatedFile, in project: Project) -> [Diagnostic] {
    // `AndroidAuthorityKind` and `AndroidAuthorityURL` check the entries in an Android configuration.
    guard file.kind != .androidConfig else { return [] }
    return file.loadedSettings.compactMap { loaded in
      guard let authority = loaded.settings.authority, let parts = URLReference(valid: authority.value),
        let host = parts.host
      else {
        return nil
      }
      if Authority.hasCIAMHost(host) {
        guard let first = parts.segments.first?.lowercased(), Self.unsupportedSegments.contains(first) else {
          return nil
        }
        return finding(
          "external tenants do not support `/\(first)`", help: "remove everything after `\(host)`", at: authority.place,
          fix: Self.fix(authority, host, in: file))
      }
      // Here, the path contains the host of an external tenant instead of a tenant ID or domain.
      if Cloud.containing(host: host) != nil, let tenant = parts.segments.first?.lowercased(),
        tenant.hasSuffix(".ciamlogin.com")
      {
        return finding(
          "`\(tenant)` is the host of an external tenant, not a tenant of `\(host)`",
          help: "use `https://\(tenant)`", at: authority.place, fix: Self.fix(authority, tenant, in: file))
      }
      guard loaded.settings.authorityType?.value == .ciam,
        Cloud.containing(host: host) != nil || Authority.hasB2CHost(host)
      else { return nil }
      return finding(
        "`\(host)` does not serve external tenants", help: "use `https://<tenant>.ciamlogin.com`", at: authority.place)
    }
  }

  private static let unsupportedSegments: Set<String> = ["common", "organizations", "consumers", "tfp", "te", "adfs"]

  private static func fix(_ authority: Positioned<String>, _ host: String, in file: ValidatedFile) -> Diagnostic.Fix? {
    guard let node = file.node(at: authority.place), node.string == authority.value else { return nil }
    return TextEdits.replaceValue(node, with: "https://\(host)").map {
      Diagnostic.Fix(description: "replace with `https://\(host)`", edits: $0)
    }
  }
}
