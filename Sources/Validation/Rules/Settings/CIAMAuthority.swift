import AppRegistration
import Diagnostics
import Documents
import IdentityPlatform

struct CIAMAuthority: Rule {
  let id = "ciam-authority"
  let severity = Diagnostic.Severity.error

  func check(_ file: ValidatedFile, in project: Project) -> [Diagnostic] {
    // The entries of an Android configuration are judged where they stand, by a rule of their own.
    guard file.kind != .androidConfig else { return [] }
    return file.loadedSettings.compactMap { loaded in
      guard let written = loaded.settings.authority, let parts = URLParts(written.value), let host = parts.host else {
        return nil
      }
      if Authority.hasCIAMHost(host) {
        guard let first = parts.segments.first?.lowercased(), Self.othersPaths.contains(first) else { return nil }
        return finding(
          "a tenant for customers has no /\(first)", help: "end the authority after \(host)", at: written.place,
          fix: Self.fix(written, host, in: file))
      }
      // Where other kinds of tenants have their domain, the address of a customers' tenant is put.
      if Cloud.containing(host: host) != nil, let tenant = parts.segments.first?.lowercased(),
        tenant.hasSuffix(".ciamlogin.com")
      {
        return finding(
          "\(tenant) is the host of a tenant for customers, and stands here as a tenant of \(host)",
          help: "write https://\(tenant)", at: written.place, fix: Self.fix(written, tenant, in: file))
      }
      guard loaded.settings.authorityType?.value == .ciam,
        Cloud.containing(host: host) != nil || Authority.hasB2CHost(host)
      else { return nil }
      return finding(
        "\(host) is no host for customers' tenants", help: "write https://<tenant>.ciamlogin.com", at: written.place)
    }
  }

  private static let othersPaths: Set<String> = ["common", "organizations", "consumers", "tfp", "te", "adfs"]

  private static func fix(_ written: Positioned<String>, _ host: String, in file: ValidatedFile) -> Diagnostic.Fix? {
    guard let node = file.node(at: written.place), node.string == written.value else { return nil }
    return TextEdits.replaceValue(node, with: "https://\(host)").map {
      Diagnostic.Fix(description: "write https://\(host)", edits: $0)
    }
  }
}
