import AppRegistration
import Diagnostics
import Documents
import IdentityPlatform

struct AndroidAudienceContradiction: Rule {
  let id = "android-audience-contradiction"
  let severity = Diagnostic.Severity.warning
  let otherSeverities: Set<Diagnostic.Severity> = [.error, .note]

  func check(_ file: ValidatedFile, in project: Project) -> [Diagnostic] {
    (file.androidConfig?.entries ?? []).compactMap { entry in
      guard entry.url == nil, let audience = entry.audience, let type = audience.value.type,
        let known = Audience(named: type.value)
      else { return nil }
      guard let tenant = audience.value.tenantID, !tenant.isBlank else {
        guard known == .myOrg, !Self.hasTenantInAnotherSpelling(audience.place, in: file) else { return nil }
        return finding(
          "audience `AzureADMyOrg` without `tenant_id`", severity: .error,
          help: "set `tenant_id` to the tenant's ID or domain",
          at: audience.value.tenantID?.place ?? type.place)
      }
      guard !tenant.isReference, TemplatePlaceholder.find(in: tenant.value) == nil,
        let contradiction = contradiction(of: known, with: tenant.value)
      else {
        return nil
      }
      return finding(
        "audience `\(known.rawValue)` contradicts `tenant_id`: \(contradiction.message)",
        severity: isHarmless(known, tenant.value) ? .note : .warning, help: contradiction.help,
        at: tenant.place(of: tenant.value[...]),
        related: [.init("the audience is here", at: type.place)])
    }
  }

  /// Returns whether the tenant is under a misspelled key, such as `tenantId`. `AndroidKeyCase` reports the key.
  private static func hasTenantInAnotherSpelling(_ place: FileSpan, in file: ValidatedFile) -> Bool {
    file.node(at: place)?.entries.contains { key, _ in
      guard let text = key.string, text != "tenant_id" else { return false }
      return AndroidKeyCase.meant(by: text, ["tenant_id"]) != nil
    } ?? false
  }

  /// Returns whether accounts in the audience can still sign in, because the tenant segment also covers several
  /// organizations. The app registration determines which accounts are allowed.
  private func isHarmless(_ audience: Audience, _ tenant: String) -> Bool {
    switch audience {
    case .myOrg: false
    case .personal: tenant.lowercased() == "common"
    default: ["common", "organizations"].contains(tenant.lowercased())
    }
  }

  private func contradiction(of audience: Audience, with tenant: String) -> (message: String, help: String)? {
    let shared = ["common", "organizations", "consumers"].contains(tenant.lowercased())
    if audience == .myOrg {
      guard shared else { return nil }
      return ("`\(tenant)` is not an organization", "use the tenant's ID or domain, or another audience")
    }
    guard let segment = audience.tenantSegment, segment != tenant.lowercased() else { return nil }
    if shared { return ("the audience corresponds to `\(segment)`", "use `\(segment)`, or remove `tenant_id`") }
    guard GUIDText.isWellFormed(tenant) || tenant.contains(".") else { return nil }
    if audience == .personal, tenant.lowercased() == WellKnown.personalTenantID { return nil }
    return ("only accounts from this tenant can sign in", "remove `tenant_id`, or use `AzureADMyOrg`")
  }
}
