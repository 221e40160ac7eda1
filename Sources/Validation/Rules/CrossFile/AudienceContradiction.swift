import AppRegistration
import Diagnostics
import Documents
import IdentityPlatform

struct AudienceContradiction: Rule {
  let id = "audience-contradiction"
  let severity = Diagnostic.Severity.error
  let otherSeverities: Set<Diagnostic.Severity> = [.warning]

  func check(_ file: ValidatedFile, in project: Project) -> [Diagnostic] {
    file.loadedSettings.compactMap { loaded in
      guard let authority = loaded.resolved?.authority, authority.kind == .aad, let tenant = authority.tenant,
        let (_, manifest) = project.registration(of: loaded, in: file), let audience = manifest.audience,
        let written = manifest.signInAudience, let refusal = Self.refusal(audience, Self.plain(tenant))
      else { return nil }
      let settings = loaded.settings
      let said = settings.authority?.place ?? settings.tenantID?.place ?? settings.audience?.place
      // appsettings.Development.json says only what differs from appsettings.json.
      guard let place = said ?? (file.kind == .appsettings ? nil : settings.appID?.place) else { return nil }
      return finding(
        "\(authority.url) refuses an app for \(audience.rawValue): \(refusal.code)",
        severity: refusal.isCertain ? .error : .warning, help: refusal.help, at: place,
        related: [.init("the registration's audience is here", at: written.place)])
    }
  }

  private struct Refusal {
    var code: String
    var help: String
    /// Whether the service is known to refuse it.
    var isCertain = true
  }

  /// The tenant of personal accounts is consumers by another name.
  private static func plain(_ tenant: Authority.Tenant) -> Authority.Tenant {
    guard case .identifier(let id) = tenant, id.lowercased() == WellKnown.personalTenantID else { return tenant }
    return .consumers
  }

  private static func refusal(_ audience: Audience, _ tenant: Authority.Tenant) -> Refusal? {
    let atConsumers =
      "sign in at https://login.microsoftonline.com/consumers, or register the app for organizations too"
    return switch (audience, tenant) {
    case (.myOrg, .common), (.myOrg, .organizations):
      Refusal(
        code: "AADSTS50194",
        help: "name the organization's own tenant in the authority, or register the app for several organizations"
      )
    case (.myOrg, .consumers), (.multipleOrgs, .consumers):
      Refusal(
        code: "AADSTS9002332",
        help: "sign in at an organization's authority, or register the app for personal accounts too")
    case (.personal, .common), (.personal, .organizations): Refusal(code: "AADSTS9002346", help: atConsumers)
    case (.personal, .identifier): Refusal(code: "AADSTS9002346", help: atConsumers, isCertain: false)
    default: nil
    }
  }
}
