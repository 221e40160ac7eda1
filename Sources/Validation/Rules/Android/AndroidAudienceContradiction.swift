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
          "AzureADMyOrg needs the tenant_id of its organization", severity: .error,
          help: "write the tenant's id or domain",
          at: audience.value.tenantID?.place ?? type.place)
      }
      guard !tenant.isReference, TemplatePlaceholder.find(in: tenant.value) == nil,
        let words = judge(known, tenant.value)
      else {
        return nil
      }
      return finding(
        "the audience \(known.rawValue) contradicts tenant_id: \(words.message)",
        severity: isHarmless(known, tenant.value) ? .note : .warning, help: words.help,
        at: tenant.place(of: tenant.value[...]),
        related: [.init("the audience is here", at: type.place)])
    }
  }

  /// Whether another rule reports the tenant's key: `tenantId`.
  private static func hasTenantInAnotherSpelling(_ place: FileSpan, in file: ValidatedFile) -> Bool {
    file.node(at: place)?.entries.contains { key, _ in
      guard let text = key.string, text != "tenant_id" else { return false }
      return AndroidKeyCase.meant(by: text, ["tenant_id"]) != nil
    } ?? false
  }

  /// The registration says whose accounts may sign in; a segment for more, or fewer, of several organizations still serves them.
  private func isHarmless(_ audience: Audience, _ tenant: String) -> Bool {
    switch audience {
    case .myOrg: false
    case .personal: tenant.lowercased() == "common"
    default: ["common", "organizations"].contains(tenant.lowercased())
    }
  }

  private func judge(_ audience: Audience, _ tenant: String) -> (message: String, help: String)? {
    let shared = ["common", "organizations", "consumers"].contains(tenant.lowercased())
    if audience == .myOrg {
      guard shared else { return nil }
      return ("\(tenant) is no organization", "write the tenant's id or domain, or another audience")
    }
    guard let segment = audience.tenantSegment, segment != tenant.lowercased() else { return nil }
    if shared { return ("it stands for \(segment)", "write \(segment), or leave tenant_id out") }
    guard GUIDText.isWellFormed(tenant) || tenant.contains(".") else { return nil }
    if audience == .personal, tenant.lowercased() == WellKnown.personalTenantID { return nil }
    return ("only accounts of this one tenant could sign in", "leave tenant_id out, or write AzureADMyOrg")
  }
}
