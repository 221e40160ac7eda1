import AppRegistration
import Diagnostics
import Documents
import IdentityPlatform

extension AppManifest {
  /// The redirect URIs that contain no references or placeholders.
  var writtenRedirects: [Redirect] { redirects.filter { !Self.isToBeFilledIn($0.uri.value) } }
}

extension Diagnostic.Fix {
  /// Returns a fix that replaces a string, or nil if it cannot be replaced safely.
  static func replacing(
    _ text: Positioned<String>, in file: ValidatedFile, with other: String, _ description: String
  ) -> Diagnostic.Fix? {
    // Each lookup starts at the document root, so findings in large files have no fixes. Real manifests are smaller.
    guard text.place.source.bytes.count <= longestFile, let node = file.node(at: text.place), node.string != nil else {
      return nil
    }
    return TextEdits.replaceValue(node, with: other).map { Diagnostic.Fix(description: description, edits: $0) }
  }

  private static let longestFile = 262_144

  /// Returns a fix that replaces a JSON token with another token, such as `null` with `2`.
  static func replacing(_ place: FileSpan, with other: String, _ description: String) -> Diagnostic.Fix? {
    place.span.map { Diagnostic.Fix(description: description, edits: [.init(span: $0, replacement: other)]) }
  }
}

extension AppManifest {
  /// All IDs in the manifest, each with its name in messages.
  var ids: [(name: String, id: Positioned<String>)] {
    var ids: [(name: String, id: Positioned<String>)] = []
    func add(_ name: String, _ id: Positioned<String>?) { if let id { ids.append((name, id)) } }
    add("`id`", objectID)
    add("`appId`", appID)
    for uri in identifierURIs { add("identifier URI", uri) }
    for resource in requiredResources?.value ?? [] {
      add("`resourceAppId`", resource.resource)
      for permission in resource.permissions { add("permission ID", permission.id) }
    }
    for scope in scopes { add("ID of scope\(scope.value.map { " `\($0.value)`" } ?? "")", scope.id) }
    for role in appRoles { add("ID of role\(role.value.map { " `\($0.value)`" } ?? "")", role.id) }
    for id in preAuthorizedIDs { add("preauthorized app ID", id) }
    return ids
  }

  /// The start offsets of IDs that may be names instead of GUIDs, if the file's format allows names.
  var namedPlaces: Set<Int> {
    var places: Set<Int> = []
    for resource in requiredResources?.value ?? [] where !GUIDText.isWellFormed(resource.resource.value) {
      if let start = resource.resource.place.span?.start { places.insert(start) }
    }
    for resource in requiredResources?.value ?? [] {
      for permission in resource.permissions { if let start = permission.id.place.span?.start { places.insert(start) } }
    }
    return places
  }
}
