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
    var findings: [Diagnostic] = []
    func checkCount(_ count: Int, limit: Int, _ label: String, at place: FileSpan?) {
      guard count > limit, let place else { return }
      let number = count >= AppManifest.mostEntries ? "\(AppManifest.mostEntries) or more" : "\(count)"
      findings.append(finding("\(number) \(label) (limit \(limit))", help: "remove some of them", at: place))
    }
    checkCount(
      manifest.redirects.count, limit: personal ? 100 : 256, "redirect URIs",
      at: manifest.longestRedirectList?.place ?? manifest.redirectList)
    checkCount(manifest.entryCount, limit: 1200, "entries in all lists combined", at: manifest.node.place)
    if personal {
      checkCount(manifest.identifierURIs.count, limit: 50, "identifier URIs", at: manifest.identifierURIs.last?.place)
      checkCount(manifest.scopes.count, limit: 100, "scopes", at: manifest.scopes.last?.place)
      checkCount(
        manifest.passwordCredentials.count, limit: 2, "client secrets", at: manifest.passwordCredentials.last?.place)
    }
    guard let resources = manifest.requiredResources else { return findings }
    checkCount(resources.value.count, limit: 50, "APIs in `requiredResourceAccess`", at: resources.place)
    checkCount(
      resources.value.reduce(0) { $0 + $1.permissions.count }, limit: personal ? 200 : 400,
      "permissions in `requiredResourceAccess`", at: resources.place)
    if personal {
      for resource in resources.value {
        checkCount(resource.permissions.count, limit: 30, "permissions for one API", at: resource.place)
      }
    }
    return findings
  }

  private func lengths(in manifest: AppManifest, _ personal: Bool) -> [Diagnostic] {
    var findings: [Diagnostic] = []
    let scopeLimit = personal ? 40 : 120
    for scope in manifest.scopes {
      guard let value = scope.value, value.value.count > scopeLimit else { continue }
      findings.append(
        finding(
          "scope name has \(value.value.count) characters (limit \(scopeLimit))", help: "shorten it", at: value.place))
    }
    let nameLimit = personal ? 90 : 120
    if let name = manifest.name, name.value.count > nameLimit, !AppManifest.isReference(name.value) {
      findings.append(
        finding(
          "display name has \(name.value.count) characters (limit \(nameLimit))", help: "shorten it", at: name.place))
    }
    if let logout = manifest.logoutURL, logout.value.count > 255 {
      findings.append(
        finding(
          "logout URL has \(logout.value.count) characters (limit 255)", help: "shorten it", at: logout.place))
    }
    return findings
  }
}

extension AppManifest {
  /// The number of entries to which the service applies a common limit: redirect URIs, identifier URIs, permissions,
  /// scopes, roles, credentials, and preauthorized apps.
  fileprivate var entryCount: Int {
    let permissions = (requiredResources?.value ?? []).reduce(0) { $0 + $1.permissions.count }
    return redirects.count + identifierURIs.count + permissions + scopes.count + appRoles.count
      + passwordCredentials.count + keyCredentials.count + preAuthorizedIDs.count
  }
}
