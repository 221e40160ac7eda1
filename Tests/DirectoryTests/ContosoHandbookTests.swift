import Directory
import FoundationEssentials
import OrderedCollections
import TestSupport
import Testing

@Suite("The handbook of the built-in Contoso")
struct ContosoHandbookTests {
  private static let directory = EmulatedDirectory.contoso

  private static func table(_ head: [String], _ rows: [[String]]) -> String {
    ([head, head.map { _ in "---" }] + rows).map { "| \($0.joined(separator: " | ")) |" }.joined(separator: "\n") + "\n"
  }

  private static func code(_ texts: [String]) -> String { texts.map { "`\($0)`" }.joined(separator: ", ") }

  static let tenants = table(
    ["tenant", "id", "domains", "what for"],
    directory.tenants.map { tenant in
      let words =
        switch tenant.effectiveKind {
        case .work:
          tenant.userConsent == Tenant.UserConsent.none ? "an organization; no user may consent" : "an organization"
        case .personal: "personal accounts"
        case .b2c: "customers (B2C): \(code(tenant.userFlows))"
        case .external: "customers (External ID)"
        }
      return [tenant.name, "`\(tenant.id)`", code(tenant.domains), words]
    })

  static let people = table(
    ["username", "password", "object id", "what for"],
    directory.tenants.flatMap { tenant in
      tenant.users.map { user in
        ["`\(user.username)`", "`\(user.password ?? "")`", "`\(user.id)`", words(user, in: tenant)]
      }
    })

  private static func words(_ user: User, in tenant: Tenant) -> String {
    var words: [String] = []
    if user.isAdmin { words.append("administrator") }
    switch user.mfa {
    case .push: words.append("second factor: a notification")
    case .totp(let seed): words.append("second factor: codes of the seed `\(seed)`")
    case nil: break
    }
    if user.passwordExpired == true { words.append("password expired") }
    if user.isDisabled { words.append("disabled") }
    if !user.guestIn.isEmpty { words.append("guest at \(user.guestIn.joined(separator: ", "))") }
    if !user.messages.isEmpty { words.append("has mail, a calendar and contacts") }
    if let title = user.jobTitle, words.isEmpty { words.append(title) }
    return words.isEmpty ? user.displayName ?? "" : words.joined(separator: "; ")
  }

  static let apps = table(
    ["app", "client id", "redirect URIs", "secrets"],
    directory.apps.map { app in
      let uris = [
        ("public", app.publicRedirectUris), ("spa", app.spaRedirectUris), ("web", app.webRedirectUris),
      ].filter { !$0.1.isEmpty }.map { "\($0.0): \(code($0.1))" }
      return [app.name ?? "", "`\(app.appId)`", uris.joined(separator: "; "), code(app.secrets)]
    })

  static let apis = table(
    ["API", "id", "URIs", "scopes", "roles"],
    directory.resources.map { api in
      let scopes = api.scopes.map { "`\($0.name)`" + ($0.adminOnly == true ? " (administrators)" : "") }
      return [
        api.name ?? "", "`\(api.appId)`", code(api.uris), scopes.joined(separator: ", "), code(api.roles),
      ]
    })

  @Test("its tables are the directory's")
  func tables() throws {
    let page = ProjectFiles.directory.appending(path: "Sources/authflow/authflow.docc/Reference/Contoso.md")
    let text = String(decoding: try ProjectFiles.bytes(of: page), as: UTF8.self)
    for table in [Self.tenants, Self.people, Self.apps, Self.apis] {
      #expect(text.contains("\n" + table + "\n"), "\(table)")
    }
    // No table stands there besides.
    #expect(text.split(separator: "\n").count { $0.hasPrefix("| ---") } == 4)
  }
}
