import Documents

extension AppManifest {
  /// Reads an entry of `AADApps`, which is the input of the registration scripts in Microsoft's samples. The entry
  /// specifies permissions by name, and all redirect URIs in one string.
  static func sampleApp(_ node: Node) -> AppManifest {
    var manifest = AppManifest(dialect: .appCreationScripts, node: node)
    manifest.name = node.text("Name")
    manifest.signInAudience = node.text("Audience")
    let kind: RedirectKind? =
      switch node.text("Kind")?.value.lowercased() {
      case "singlepageapplication", "browserapp", "spa": .spa
      case "webapp", "webapi", "daemon": .web
      case "desktop", "mobile", "console", "publicclient": .installedClient
      default: nil
      }
    if let uris = node.text("ReplyUrls") {
      manifest.redirectList = uris.place
      let parts = uris.value.split { $0 == "," || $0 == ";" || $0.isWhitespace }
      manifest.redirects = parts.map { Redirect(uri: Positioned(String($0), at: uris.place), kind: kind) }
    }
    if let list = node["RequiredResourcesAccess"], list.kind == .array {
      let resources = list.elements.compactMap { entry -> RequiredResource? in
        guard let resource = entry.text("Resource") else { return nil }
        let delegated = entry["DelegatedPermissions"]?.texts ?? []
        let roles = entry["ApplicationPermissions"]?.texts ?? []
        return RequiredResource(
          resource: resource,
          permissions: delegated.map { Permission(id: $0, isRole: false) }
            + roles.map { Permission(id: $0, isRole: true) },
          place: entry.place)
      }
      manifest.requiredResources = Positioned(resources, at: list.place)
    }
    return manifest
  }
}
