import Directory
import FoundationEssentials
import OrderedCollections
import TestSupport
import Testing

@Suite("Reference page of the default directory")
struct ContosoHandbookTests {
  private static let directory = EmulatedDirectory.contoso

  private static func table(_ head: [String], _ rows: [[String]]) -> String {
    ([head, head.map { _ in "---" }] + rows).map { "| \($0.joined(separator: " | ")) |" }.joined(separator: "\n") + "\n"
  }

  private static func code(_ texts: [String]) -> String { texts.map { "`\($0)`" }.joined(separator: ", ") }

  static let tenants = table(
    ["Tenant", "ID", "Domains", "Description"],
    directory.tenants.map { tenant in
      let description =
        switch tenant.effectiveKind {
        case .work:
          tenant.userConsent == Tenant.UserConsent.none ? "organization without user consent" : "organization"
        case .personal: "personal accounts"
        case .b2c: "customers (B2C): \(code(tenant.userFlows))"
        case .external: "customers (External ID)"
        }
      return [tenant.name, "`\(tenant.id)`", code(tenant.domains), description]
    })

  static let users = table(
    ["Username", "Password", "Object ID", "Description"],
    directory.tenants.flatMap { tenant in
      tenant.users.map { user in
        ["`\(user.username)`", "`\(user.password ?? "")`", "`\(user.id)`", description(of: user, in: tenant)]
      }
    })

  private static func description(of user: User, in tenant: Tenant) -> String {
    var parts: [String] = []
    if user.isAdmin { parts.append("administrator") }
    switch user.mfa {
    case .push: parts.append("second factor: push notification")
    case .totp(let seed): parts.append("second factor: one-time codes with the seed `\(seed)`")
    case nil: break
    }
    if user.passwordExpired == true { parts.append("password expired") }
    if user.isDisabled { parts.append("disabled") }
    if !user.guestIn.isEmpty { parts.append("guest in \(user.guestIn.joined(separator: ", "))") }
    if !user.messages.isEmpty { parts.append("has mail, a calendar, and contacts") }
    if let title = user.jobTitle, parts.isEmpty { parts.append(title) }
    return parts.isEmpty ? user.displayName ?? "" : parts.joined(separator: "; ")
  }

  static let apps = table(
    ["App", "Client ID", "Redirect URIs", "Secrets"],
    directory.apps.map { app in
      let uris = [
        ("public", app.publicRedirectUris), ("spa", app.spaRedirectUris), ("web", app.webRedirectUris),
      ].filter { !$0.1.isEmpty }.map { "\($0.0): \(code($0.1))" }
      return [app.name ?? "", "`\(app.appId)`", uris.joined(separator: "; "), code(app.secrets)]
    })

  static let apis = table(
    ["API", "ID", "URIs", "Scopes", "Roles"],
    directory.resources.map { api in
      let scopes = api.scopes.map { "`\($0.name)`" + ($0.adminOnly == true ? " (administrators)" : "") }
      return [
        api.name ?? "", "`\(api.appId)`", code(api.uris), scopes.joined(separator: ", "), code(api.roles),
      ]
    })

  @Test("contains tables that match the directory")
  func tables() throws {
    let page = ProjectFiles.directory.appending(path: "Sources/authflow/authflow.docc/Reference/Contoso.md")
    let text = String(decoding: try ProjectFiles.bytes(of: page), as: UTF8.self)
    for table in [Self.tenants, Self.users, Self.apps, Self.apis] {
      #expect(text.contains("\n" + table + "\n"), "\(table)")
    }
    // The page does not contain any other tables.
    #expect(text.split(separator: "\n").count { $0.hasPrefix("| ---") } == 4)
  }
}
