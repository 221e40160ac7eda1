import Directory
import Documents
import IdentityPlatform
import WorkflowModel

/// The descriptions of names from the Microsoft identity platform.
enum IdentityHover {
  /// Returns the description of a value that is recognized by its format: an error code, a GUID, an authority, or a
  /// duration.
  static func general(_ text: String) -> String? {
    if GUIDText.isWellFormed(text) { return guid(text) }
    if text.lowercased().hasPrefix("https://") { return authority(text) }
    let upper = text.uppercased()
    if upper.hasPrefix("AADSTS") || upper.hasPrefix("AADB2C") || text.hasPrefix("MSALError")
      || text.hasPrefix("MSALInternalError")
    {
      return GlossaryHover.markdown(of: text)
    }
    return duration(text)
  }

  /// Returns the advice for the MSAL error with the same name as an outcome, or nil.
  static func advice(forOutcome name: OutcomeName) -> String? {
    switch name {
    case .language: nil
    case .msal(let code): code.advice
    case .internal(let code): code.advice
    }
  }

  // MARK: Scopes

  static func scope(_ text: String) -> String? {
    let names = text.split(whereSeparator: { $0 == " " || $0 == "," }).map(String.init)
    let described = names.prefix(10).compactMap(single)
    return described.isEmpty ? nil : described.joined(separator: "\n\n")
  }

  private static func single(_ text: String) -> String? {
    if WellKnown.openIDScopes.contains(text.lowercased()) {
      return
        "**\(text)** (OpenID Connect scope)\n\nMSAL adds `openid`, `profile`, and `offline_access` to every request."
    }
    let permission = ScopeRules.permission(of: text)
    guard ScopeRules.isGraph(text) else {
      guard let resource = ScopeRules.resource(of: text), let api = FirstPartyAPI.named(resource) else { return nil }
      return "**\(Markdown.plain(permission))** (delegated permission of \(Markdown.plain(api.name)))"
    }
    if permission == ".default" {
      return "**.default** (Microsoft Graph)\n\nAll Microsoft Graph permissions in the app registration."
    }
    guard let (name, needsAdmin) = GraphPermission.published(permission) else { return nil }
    var facts: [(label: String, text: String)] = [
      ("consent", needsAdmin ? "only an administrator" : "any user, unless the tenant restricts consent")
    ]
    if let known = GraphPermission.named(name) {
      facts.append(("personal accounts", known.allowsPersonalAccounts ? "supported" : "not supported"))
      facts.append(("ID", Markdown.code(known.id)))
      if let role = known.applicationRoleID { facts.append(("ID of the application permission", Markdown.code(role))) }
    }
    return "**\(name)** (delegated permission of Microsoft Graph)\n\n\(meaning(of: name))\n\n\(Markdown.facts(facts))"
  }

  /// Returns a description of the access that a permission allows, derived from the permission's name.
  private static func meaning(of name: String) -> String {
    let parts = name.split(separator: ".").map(String.init)
    guard parts.count >= 2, let operation = operations[parts[1]] else {
      return "Allows the app to use \(Markdown.code(parts.first ?? name)) for the signed-in user."
    }
    let reach =
      parts.contains("All")
      ? "that the signed-in user can access in the organization"
      : parts.contains("Shared") ? "of the signed-in user and shared with this user" : "of the signed-in user"
    return "Allows the app to \(operation) \(Markdown.code(parts[0])) \(reach)."
  }

  private static let operations = [
    "Read": "read", "ReadWrite": "read and write", "ReadBasic": "read basic properties of", "Send": "send",
    "Create": "create", "Manage": "manage", "Invite": "invite", "Write": "write", "Export": "export",
  ]

  // MARK: Authorities

  static func authority(_ text: String) -> String? {
    guard let authority = try? Authority(parsing: text) else { return nil }
    var facts: [(label: String, text: String)] = [("type", authority.kind.rawValue.uppercased())]
    if let cloud = authority.cloud { facts.append(("cloud", cloud.rawValue)) }
    if let tenant = authority.tenant {
      let segment = tenant.segment
      facts.append(("tenant", accounts(segment).map { "\(Markdown.code(segment)): \($0)" } ?? Markdown.code(segment)))
    }
    if let policy = authority.policy { facts.append(("policy", Markdown.code(policy))) }
    return "**\(Markdown.plain(authority.host))** (authority)\n\n\(Markdown.facts(facts))"
  }

  static func tenant(_ text: String) -> String? {
    accounts(text).map { "**\(Markdown.plain(text))** (tenant)\n\n\(Markdown.sentence($0))" } ?? guid(text)
  }

  private static func accounts(_ segment: String) -> String? {
    switch segment.lowercased() {
    case "common": "work, school, and personal accounts"
    case "organizations": "work and school accounts from any tenant"
    case "consumers", WellKnown.personalTenantID: "personal accounts"
    default: nil
    }
  }

  // MARK: GUIDs

  static func guid(_ text: String) -> String? {
    let id = text.lowercased()
    if id == WellKnown.personalTenantID { return "**Personal accounts** (tenant)\n\nTenant for all personal accounts." }
    if id == WellKnown.graphAppID { return "**Microsoft Graph** (API)\n\nSame application ID in all tenants." }
    if let client = FirstPartyClient.identified(by: id) {
      return "**\(Markdown.plain(client.name))** (Microsoft client)\n\nSame application ID in all tenants."
    }
    if let api = FirstPartyAPI.named(id) {
      return "**\(Markdown.plain(api.name))** (Microsoft API)\n\nSame application ID in all tenants."
    }
    guard let (permission, isRole) = GraphPermission.withID(id) else { return nil }
    let kind = isRole ? "application permission (`Role`)" : "delegated permission (`Scope`)"
    return "**\(permission.name)** (\(kind) of Microsoft Graph)\n\n\(meaning(of: permission.name))"
  }

  // MARK: Durations

  private static func duration(_ text: String) -> String? {
    guard text.utf8.count <= 12, let duration = Duration(parsing: text) else { return nil }
    let units = [("d", "day"), ("h", "hour"), ("ms", "millisecond"), ("m", "minute"), ("s", "second")]
    func words(_ text: String) -> String? {
      let number = text.prefix { $0.isNumber }
      guard let unit = units.first(where: { $0.0 == text.dropFirst(number.count) })?.1 else { return nil }
      return "\(number) \(unit)\(number == "1" ? "" : "s")"
    }
    guard let written = words(text) else { return nil }
    let short = words(duration.shortText)
    return "\(written)\(short.map { $0 == written ? "" : ", or \($0)" } ?? "") (duration)"
  }
}

/// The descriptions of directory entries. Passwords are never shown.
enum DirectoryHover {
  static func markdown(of entry: DirectoryUser) -> String {
    var markdown = "**\(Markdown.plain(entry.name ?? entry.username))** (user in the directory)"
    var facts: [(label: String, text: String)] = [("username", Markdown.code(entry.username))]
    if let tenant = entry.tenant, !tenant.isEmpty { facts.append(("tenant", Markdown.plain(tenant))) }
    if let user = entry.user {
      if let title = user.jobTitle { facts.append(("job title", Markdown.plain(title))) }
      if let role = user.role { facts.append(("role", role.rawValue)) }
      if user.mfa != nil { facts.append(("second factor", "registered")) }
      if user.isDisabled { facts.append(("account", "disabled")) }
      if user.passwordExpired == true { facts.append(("password", "expired")) }
      if let risk = user.risk { facts.append(("sign-in risk", risk.rawValue)) }
      if !user.memberOf.isEmpty { facts.append(("groups", user.memberOf.map(Markdown.plain).joined(separator: ", "))) }
    }
    markdown += "\n\n" + Markdown.facts(facts)
    return markdown
  }
}
