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
        let signInAudience = manifest.signInAudience, let rejection = Self.rejection(audience, Self.normalized(tenant))
      else { return nil }
      let settings = loaded.settings
      let configured = settings.authority?.place ?? settings.tenantID?.place ?? settings.audience?.place
      // `appsettings.Development.json` contains only the values that differ from `appsettings.json`.
      guard let place = configured ?? (file.kind == .appsettings ? nil : settings.appID?.place) else { return nil }
      return finding(
        "`\(authority.url)` rejects apps with the audience `\(audience.rawValue)` (\(rejection.code))",
        severity: rejection.isCertain ? .error : .warning, help: rejection.help, at: place,
        related: [.init("the audience is defined here", at: signInAudience.place)])
    }
  }

  private struct Rejection {
    var code: String
    var help: String
    /// Whether the service always rejects the combination.
    var isCertain = true
  }

  /// Replaces the tenant ID for personal accounts with `consumers`.
  private static func normalized(_ tenant: Authority.Tenant) -> Authority.Tenant {
    guard case .identifier(let id) = tenant, id.lowercased() == WellKnown.personalTenantID else { return tenant }
    return .consumers
  }

  private static func rejection(_ audience: Audience, _ tenant: Authority.Tenant) -> Rejection? {
    let atConsumers =
      "use `https://login.microsoftonline.com/consumers`, or allow work and school accounts in the registration"
    return switch (audience, tenant) {
    case (.myOrg, .common), (.myOrg, .organizations):
      Rejection(
        code: "AADSTS50194",
        help: "use the organization's tenant in the authority, or allow several organizations in the registration"
      )
    case (.myOrg, .consumers), (.multipleOrgs, .consumers):
      Rejection(
        code: "AADSTS9002332",
        help: "use an organization's authority, or allow personal accounts in the registration")
    case (.personal, .common), (.personal, .organizations): Rejection(code: "AADSTS9002346", help: atConsumers)
    case (.personal, .identifier): Rejection(code: "AADSTS9002346", help: atConsumers, isCertain: false)
    default: nil
    }
  }
}
