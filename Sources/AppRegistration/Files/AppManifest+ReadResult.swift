import Diagnostics
import Documents
import IdentityPlatform

// Maps the keys of all formats to the same properties. For example, `replyUrlsWithType` in one format corresponds to
// `web`, `spa`, and `publicClient` in another. PowerShell writes the same objects with capitalized keys.

extension AppManifest {
  /// Reads all app registrations in a document.
  package static func read(_ root: Node, _ problems: inout DiagnosticCollector) -> [AppManifest] {
    if root.kind == .array {
      guard let first = root[0] else { return [] }
      if first.member("resourceAppId") != nil { return [permissions(root, in: root)] }
      return root.elements.compactMap(one)
    }
    for key in ["AppRegistrations", "appRegistrations"] {
      if let list = root[key], list.kind == .array {
        return list.elements.filter { $0.kind == .mapping }.map { registration($0, dialect: .appCreationScripts) }
      }
    }
    if let list = root["AADApps"], list.kind == .array {
      return list.elements.filter { $0.kind == .mapping }.map(sampleApp)
    }
    if let list = root["value"], list.kind == .array { return list.elements.compactMap(one) }
    return one(root).map { [$0] } ?? []
  }

  private static func one(_ node: Node) -> AppManifest? {
    guard node.kind == .mapping else { return nil }
    let names = node.entries.compactMap { $0.key.string }
    if node.member("resourceAppId") != nil { return permissions(node, in: node) }
    if names.count == 1, let list = node.member("requiredResourceAccess") { return permissions(list, in: node) }
    return registration(node, dialect: dialect(of: node))
  }

  private static func permissions(_ list: Node, in node: Node) -> AppManifest {
    var manifest = AppManifest(dialect: .permissionsOnly, node: node)
    manifest.requiredResources = requiredResources(list)
    if manifest.usesReferencesOrNames { manifest.dialect = .teamsToolkit }
    return manifest
  }

  private static func dialect(of node: Node) -> Dialect {
    let publicClient = node.member("publicClient")
    if node.member("replyUrls") != nil || node.member("availableToOtherTenants") != nil || publicClient?.bool != nil {
      return .azureADGraph
    }
    let portalKeys = [
      "replyUrlsWithType", "oauth2AllowImplicitFlow", "oauth2AllowIdTokenImplicitFlow", "accessTokenAcceptedVersion",
      "allowPublicClient", "oauth2Permissions",
    ]
    return portalKeys.contains { node.member($0) != nil } ? .portal : .graph
  }

  private static func registration(_ node: Node, dialect: Dialect) -> AppManifest {
    var manifest = AppManifest(dialect: dialect, node: node)
    let api = node.member("api")
    let web = node.member("web")
    manifest.appID = node.text("appId")
    manifest.objectID = node.text("id") ?? node.text("objectId")
    manifest.name = node.text("displayName") ?? node.text("name")
    manifest.signInAudience = node.text("signInAudience")
    let version = node.member("accessTokenAcceptedVersion") ?? api?.member("requestedAccessTokenVersion")
    manifest.tokenVersionIsText = version?.string != nil && node.document.syntax == .json
    manifest.tokenVersion =
      version
      .flatMap { value in
        if value.kind == .null { return Positioned(nil, at: value.place) }
        return (value.integer ?? value.string.flatMap { Int64($0) }).map { Positioned(Int($0), at: value.place) }
      }
    manifest.isPublicClient =
      (node.member("allowPublicClient") ?? node.member("isFallbackPublicClient")
      ?? node.member("publicClient").flatMap { $0.kind == .bool ? $0 : nil })
      .flatMap { value in
        value.kind == .null || value.bool != nil ? Positioned(value.bool, at: value.place) : nil
      }
    manifest.readRedirects(node)
    manifest.identifierURIs = node.member("identifierUris")?.texts ?? []
    manifest.logoutURL = node.text("logoutUrl") ?? web?.text("logoutUrl")
    let implicit = web?.member("implicitGrantSettings")
    manifest.issuesIDTokensImplicitly =
      node.flag("oauth2AllowIdTokenImplicitFlow") ?? implicit?.flag("enableIdTokenIssuance")
    manifest.issuesAccessTokensImplicitly =
      node.flag("oauth2AllowImplicitFlow") ?? implicit?.flag("enableAccessTokenIssuance")
    manifest.requiredResources = node.member("requiredResourceAccess").flatMap(requiredResources)
    manifest.readExposedPermissions(node, api)
    manifest.passwordCredentials = credentials(node.member("passwordCredentials"))
    manifest.keyCredentials = credentials(node.member("keyCredentials"))
    manifest.readCodeConfigurations(node)
    if dialect == .portal || dialect == .graph, manifest.usesReferencesOrNames { manifest.dialect = .teamsToolkit }
    return manifest
  }

  private mutating func readRedirects(_ node: Node) {
    if let list = node.member("replyUrlsWithType"), list.kind == .array {
      note(list)
      for entry in list.firstElements {
        guard let uri = entry.text("url") else { continue }
        let kind = entry.text("type")
        redirects.append(Redirect(uri: uri, kind: kind.flatMap { .init(folding: $0.value) }, writtenKind: kind))
      }
    }
    for (key, kind) in [("web", RedirectKind.web), ("spa", .spa), ("publicClient", .installedClient)] {
      guard let list = node.member(key)?.member("redirectUris"), list.kind == .array else { continue }
      note(list)
      redirects += list.texts.map { Redirect(uri: $0, kind: kind) }
    }
    if let list = node.member("replyUrls"), list.kind == .array {
      note(list)
      let kind: RedirectKind? = isPublicClient?.value == true ? .installedClient : nil
      redirects += list.texts.map { Redirect(uri: $0, kind: kind) }
    }
  }

  private mutating func note(_ list: Node) {
    if list.count > longestRedirectList?.count ?? -1 { longestRedirectList = (list.place, list.count) }
    if redirectList == nil || (redirectList?.span?.start ?? 0) > list.span.start { redirectList = list.place }
  }

  private mutating func readExposedPermissions(_ node: Node, _ api: Node?) {
    func exposedPermissions(_ list: Node?) -> [ExposedPermission] {
      (list?.firstElements ?? []).filter { $0.kind == .mapping }.map {
        ExposedPermission(id: $0.text("id"), value: $0.text("value"), place: $0.place)
      }
    }
    scopes = exposedPermissions(node.member("oauth2Permissions") ?? api?.member("oauth2PermissionScopes"))
    appRoles = exposedPermissions(node.member("appRoles"))
    for entry in (node.member("preAuthorizedApplications") ?? api?.member("preAuthorizedApplications"))?.firstElements
      ?? []
    {
      guard preAuthorizedIDs.count < AppManifest.mostEntries else { break }
      preAuthorizedIDs += [entry.text("appId")].compactMap { $0 }
      preAuthorizedIDs += (entry.member("permissionIds") ?? entry.member("delegatedPermissionIds"))?.texts ?? []
    }
  }

  private mutating func readCodeConfigurations(_ node: Node) {
    for entry in node["codeConfigurations"]?.firstElements ?? [] {
      var configuration = CodeConfiguration()
      for (key, value) in entry["replaceTokens"]?.entries.map({ $0 }) ?? [] {
        if let name = key.string, let text = value.string {
          configuration.tokens.append((name, Positioned(text, at: value.place)))
        }
      }
      codeConfigurations.append(configuration)
    }
  }

  static func requiredResources(_ list: Node) -> Positioned<[RequiredResource]>? {
    guard list.kind == .array || list.member("resourceAppId") != nil else { return nil }
    let entries = list.kind == .array ? list.firstElements : [list]
    var remaining = AppManifest.mostEntries
    let resources = entries.compactMap { entry -> RequiredResource? in
      guard let resource = entry.text("resourceAppId") else { return nil }
      let access = (entry.member("resourceAccess")?.firstElements ?? []).prefix(remaining)
      remaining -= access.count
      let permissions = access.compactMap { permission -> Permission? in
        guard let id = permission.text("id") else { return nil }
        let kind = permission.text("type")
        return Permission(
          id: id, writtenKind: kind, isRole: kind?.value.lowercased() == "role",
          writtenName: permission.text("x-ms-name") ?? permission.text("name"))
      }
      return RequiredResource(resource: resource, permissions: permissions, place: entry.place)
    }
    return Positioned(resources, at: list.place)
  }

  private static func credentials(_ list: Node?) -> [Credential] {
    (list?.firstElements ?? []).filter { $0.kind == .mapping }.map { entry in
      Credential(
        start: entry.text("startDate") ?? entry.text("startDateTime"),
        end: entry.text("endDate") ?? entry.text("endDateTime"),
        secretText: entry.text("secretText") ?? entry.text("value"), place: entry.place)
    }
  }

  /// Only Teams Toolkit files contain references and refer to APIs by name.
  private var usesReferencesOrNames: Bool {
    let texts = [appID, objectID, name].compactMap { $0 } + identifierURIs + redirects.map(\.uri)
    let resources = requiredResources?.value.map(\.resource) ?? []
    if (texts + resources + preAuthorizedIDs).contains(where: { $0.value.contains("{{") }) { return true }
    guard resources.contains(where: { Self.namedResources.contains($0.value) }) else { return false }
    // A registration with an app ID is not a template, unless Teams Toolkit set the ID.
    guard let appID, GUIDText.isWellFormed(appID.value) else { return true }
    return FilePath.name(of: node.document.source.name).lowercased().hasPrefix("aad.")
  }

  /// The APIs that Teams Toolkit accepts by name.
  private static let namedResources: Set<String> = ["Microsoft Graph", "Office 365 SharePoint Online"]
}

extension AppManifest.RedirectKind {
  /// Creates the kind with the given name, ignoring case.
  package init?(folding word: String) {
    guard let kind = Self.allCases.first(where: { $0.rawValue.lowercased() == word.lowercased() }) else { return nil }
    self = kind
  }
}

extension Node {
  /// Returns the value of a key, or of the capitalized key that PowerShell writes.
  func member(_ key: String) -> Node? {
    guard kind == .mapping else { return nil }
    return self[key] ?? self[key.prefix(1).uppercased() + key.dropFirst()]
  }

  func text(_ key: String) -> Positioned<String>? {
    guard let value = member(key), let text = value.string else { return nil }
    return Positioned(text, at: value.place)
  }

  func flag(_ key: String) -> Positioned<Bool>? {
    guard let value = member(key), let flag = value.bool else { return nil }
    return Positioned(flag, at: value.place)
  }

  /// The strings in a list.
  var texts: [Positioned<String>] {
    firstElements.compactMap { node in node.string.map { Positioned($0, at: node.place) } }
  }

  /// The elements of a list, up to the limit.
  fileprivate var firstElements: [Node] { Array(elements.prefix(AppManifest.mostEntries)) }
}
