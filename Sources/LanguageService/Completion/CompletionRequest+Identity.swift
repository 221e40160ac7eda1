import AppRegistration
import Diagnostics
import Directory
import Documents
import IdentityPlatform
import Validation

extension CompletionRequest {
  /// Returns names from the identity platform, the directory, and the app.
  func identityValues() -> [Candidate] {
    switch walk.place {
    case .user, .username: return usernames()
    case .picks: return usernames() + [.value("another", .keyword, detail: "use another account", rank: 20)]
    case .scope: return scopes()
    case .authority: return IdentityValues.authorities
    case .tenant: return IdentityValues.tenants + directoryTenants()
    case .clientID: return appIDs() + IdentityValues.clients
    case .resourceID: return IdentityValues.resources
    case .permissionID(let resource):
      guard resource == nil || resource?.lowercased() == WellKnown.graphAppID else { return [] }
      return IdentityValues.permissionIDs
    case .errorCode: return IdentityValues.errorCodes
    case .oauthError: return IdentityValues.oauthErrors
    case .misc(let values): return values.map { .value($0, .constant) }
    case .ruleID: return RuleCompletion.candidates(isKey: false)
    case .urlScheme: return urlSchemes()
    case .queryScheme:
      return [
        .value("msauthv2", .constant, detail: "Microsoft Authenticator"),
        .value("msauthv3", .constant, detail: "Microsoft Authenticator"),
      ]
    case .keychainGroup: return keychainGroups()
    default: return []
    }
  }

  /// Returns the scopes of Microsoft Graph and other Microsoft APIs, and the scopes in the workflow's settings.
  func scopes() -> [Candidate] {
    let keys = ["GraphScopes"] + (AppSettings.fields.field(named: "GraphScopes")?.aliases ?? [])
    let own = settingsOutlines().flatMap { settings in keys.flatMap { settings[$0]?.scalars ?? [] } }
    return Set(own).sorted().filter { !$0.isEmpty && !$0.contains(" ") }
      .map { .value($0, .scope, detail: "used by this app", rank: 10) }
      + IdentityValues.graphScopes + IdentityValues.otherScopes
  }

  /// Returns the settings of the workflow's clients.
  private func settingsOutlines() -> [OutlineNode] {
    guard let facts else { return [] }
    let root = facts.workflow.root
    let sources = [root["settings"]].compactMap { $0 } + (root["clients"]?.entries.compactMap(\.value) ?? [])
    return sources.prefix(10).compactMap { source in
      guard let name = source.scalar else { return source }
      let path = FilePath.join(FilePath.folder(of: facts.workflow.path), name)
      return snapshot.document(at: path).flatMap { OutlineNode.read($0.source) }
    }
  }

  private func directoryTenants() -> [Candidate] {
    snapshot.directory(for: outline, path: document.path, facts).tenants.compactMap { tenant in
      tenant.id.isEmpty ? nil : .value(tenant.id, .constant, detail: tenant.name, rank: 20)
    }
  }

  private static let maximumFileSize = 1 << 15

  /// Returns the client IDs of the apps in the project and in the directory.
  private func appIDs() -> [Candidate] {
    var candidates: [Candidate] = []
    for file in snapshot.files where file.name != document.name && file.bytes.count <= Self.maximumFileSize {
      // Do not use the decoded files, because validating a changed project takes longer.
      guard let outline = OutlineNode.read(SourceText(name: file.name, bytes: file.bytes)) else { continue }
      for key in ["AppId", "ClientId", "client_id", "appId"] {
        guard let id = outline[key]?.scalar, GUIDText.isWellFormed(id) else { continue }
        candidates.append(.value(id, .constant, detail: file.name, rank: 10))
      }
    }
    for app in snapshot.directory(for: outline, path: document.path, facts).apps where !app.appId.isEmpty {
      candidates.append(.value(app.appId, .constant, detail: app.name ?? "app in the directory", rank: 20))
    }
    return candidates
  }

  private func urlSchemes() -> [Candidate] {
    let bundleID =
      outline["CFBundleIdentifier"]?.scalar.flatMap { $0.isEmpty ? nil : $0 } ?? "$(PRODUCT_BUNDLE_IDENTIFIER)"
    return [.value("msauth.\(bundleID)", .constant, detail: "scheme of MSAL redirect URIs", rank: 10)]
  }

  private func keychainGroups() -> [Candidate] {
    let prefix = format == .entitlements ? "$(AppIdentifierPrefix)" : ""
    return [
      .value("\(prefix)com.microsoft.adalcache", .constant, detail: "MSAL's group on iOS"),
      .value("\(prefix)com.microsoft.identity.universalstorage", .constant, detail: "MSAL's group on macOS"),
    ]
  }
}

/// A user in a directory.
package struct DirectoryUser: Sendable {
  package var username: String
  package var name: String?
  package var tenant: String?
  /// The user's entry, or nil if the directory cannot be decoded.
  package var user: User?
}

extension WorkspaceSnapshot {
  /// Returns the directory of a workflow, or the directory in a directory file. If the directory is invalid, returns
  /// Contoso.
  func directory(for outline: OutlineNode, path: String, _ facts: WorkflowFacts?) -> EmulatedDirectory {
    if facts == nil, outline["directory"]?.scalar != nil {
      return load(path).document.flatMap { EmulatedDirectory.read($0.root).directory } ?? EmulatedDirectory()
    }
    guard let facts, let source = facts.workflow.root["directory"] else { return .contoso }
    if let name = source.scalar {
      guard name != "contoso", !name.isEmpty else { return .contoso }
      let file = FilePath.join(FilePath.folder(of: facts.workflow.path), name)
      return load(file).document.flatMap { EmulatedDirectory.read($0.root).directory } ?? .contoso
    }
    let node = load(facts.workflow.path).document?.root["directory"]
    return node.flatMap { EmulatedDirectory.read($0).directory } ?? .contoso
  }

  /// Returns the users in the directory, including users whose entries in the document are unfinished.
  func users(for outline: OutlineNode, path: String, _ facts: WorkflowFacts?) -> [DirectoryUser] {
    var users: [DirectoryUser] = []
    for tenant in directory(for: outline, path: path, facts).tenants {
      for user in tenant.users {
        users.append(
          DirectoryUser(username: user.username, name: user.displayName, tenant: tenant.name, user: user))
      }
    }
    for name in Self.usernames(in: outline) where !users.contains(where: { $0.username == name }) {
      users.append(DirectoryUser(username: name))
    }
    return users
  }

  /// Returns the usernames in a document's `users` lists.
  private static func usernames(in node: OutlineNode) -> [String] {
    switch node.kind {
    case .scalar: return []
    case .sequence: return node.elements.flatMap(usernames)
    case .mapping:
      return node.entries.flatMap { entry -> [String] in
        guard let value = entry.value else { return [] }
        if entry.key.text == "users", value.kind == .sequence {
          return value.elements.compactMap { $0["username"]?.scalar }.filter { !$0.isEmpty }
        }
        return usernames(in: value)
      }
    }
  }
}
