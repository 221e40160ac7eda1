import AppRegistration
import Diagnostics
import Documents

struct ManifestLimits: Rule {
  let id = "manifest-limits"
  let severity = Diagnostic.Severity.error

  func check(_ file: ValidatedFile, in project: Project) -> [Diagnostic] {
    file.appManifests.flatMap { manifest in
      let personal = manifest.allowsPersonalAccounts
      return counts(of: manifest, personal) + lengths(in: manifest, personal)
    }
  }

  private func counts(of manifest: AppManifest, _ personal: Bool) -> [Diagnostic] {
    var found: [Diagnostic] = []
    func hold(_ count: Int, to limit: Int, _ what: String, at place: FileSpan?) {
      guard count > limit, let place else { return }
      let number = count >= AppManifest.mostEntries ? "\(AppManifest.mostEntries) or more" : "\(count)"
      found.append(finding("there are \(number) \(what)", help: "at most \(limit) are allowed", at: place))
    }
    hold(
      manifest.redirects.count, to: personal ? 100 : 256, "redirect URIs",
      at: manifest.longestRedirectList?.place ?? manifest.redirectList)
    hold(manifest.entryCount, to: 1200, "entries in all its lists", at: manifest.node.place)
    if personal {
      hold(manifest.identifierURIs.count, to: 50, "identifier URIs", at: manifest.identifierURIs.last?.place)
      hold(manifest.scopes.count, to: 100, "scopes", at: manifest.scopes.last?.place)
      hold(manifest.passwordCredentials.count, to: 2, "client secrets", at: manifest.passwordCredentials.last?.place)
    }
    guard let resources = manifest.requiredResources else { return found }
    hold(resources.value.count, to: 50, "APIs in requiredResourceAccess", at: resources.place)
    hold(
      resources.value.reduce(0) { $0 + $1.permissions.count }, to: personal ? 200 : 400,
      "permissions in requiredResourceAccess", at: resources.place)
    if personal {
      for resource in resources.value {
        hold(resource.permissions.count, to: 30, "permissions of one API", at: resource.place)
      }
    }
    return found
  }

  private func lengths(in manifest: AppManifest, _ personal: Bool) -> [Diagnostic] {
    var found: [Diagnostic] = []
    let scopeLimit = personal ? 40 : 120
    for scope in manifest.scopes {
      guard let value = scope.value, value.value.count > scopeLimit else { continue }
      found.append(
        finding(
          "the scope's name is \(value.value.count) characters long", help: "at most \(scopeLimit) are allowed",
          at: value.place))
    }
    let nameLimit = personal ? 90 : 120
    if let name = manifest.name, name.value.count > nameLimit, !AppManifest.isReference(name.value) {
      found.append(
        finding(
          "the name is \(name.value.count) characters long", help: "at most \(nameLimit) are allowed", at: name.place))
    }
    if let logout = manifest.logoutURL, logout.value.count > 255 {
      found.append(
        finding(
          "the logout URL is \(logout.value.count) characters long", help: "at most 255 are allowed", at: logout.place))
    }
    return found
  }
}

extension AppManifest {
  /// What the service counts together: redirect URIs, identifier URIs, permissions, scopes, roles, credentials and the apps that
  /// need no consent.
  fileprivate var entryCount: Int {
    let permissions = (requiredResources?.value ?? []).reduce(0) { $0 + $1.permissions.count }
    return redirects.count + identifierURIs.count + permissions + scopes.count + appRoles.count
      + passwordCredentials.count + keyCredentials.count + preAuthorizedIDs.count
  }
}
