import AppRegistration
import Diagnostics
import Documents
import IdentityPlatform

/// What the rules about manifests ask of a registration, and how they mend one.
extension AppManifest {
  /// Every redirect URI that stands there as it will be registered.
  var writtenRedirects: [Redirect] { redirects.filter { !Self.isToBeFilledIn($0.uri.value) } }
}

extension Diagnostic.Fix {
  /// Puts another text in place of a string; nil where it cannot be written with certainty.
  static func replacing(
    _ text: Positioned<String>, in file: ValidatedFile, with other: String, _ description: String
  ) -> Diagnostic.Fix? {
    // Every value is looked up from the root, and nobody's registration is nearly as long.
    guard text.place.source.bytes.count <= longestFile, let node = file.node(at: text.place), node.string != nil else {
      return nil
    }
    return TextEdits.replaceValue(node, with: other).map { Diagnostic.Fix(description: description, edits: $0) }
  }

  private static let longestFile = 262_144

  /// Puts another token in place of a whole one, such as `2` for `null`.
  static func replacing(_ place: FileSpan, with other: String, _ description: String) -> Diagnostic.Fix? {
    place.span.map { Diagnostic.Fix(description: description, edits: [.init(span: $0, replacement: other)]) }
  }
}

extension AppManifest {
  /// Every id that the registration holds, with the key that it stands under.
  var ids: [(name: String, id: Positioned<String>)] {
    var ids: [(name: String, id: Positioned<String>)] = []
    func add(_ name: String, _ id: Positioned<String>?) { if let id { ids.append((name, id)) } }
    add("id", objectID)
    add("appId", appID)
    for uri in identifierURIs { add("the identifier URI", uri) }
    for resource in requiredResources?.value ?? [] {
      add("resourceAppId", resource.resource)
      for permission in resource.permissions { add("the permission's id", permission.id) }
    }
    for scope in scopes { add("the id of the scope\(scope.value.map { " \($0.value)" } ?? "")", scope.id) }
    for role in appRoles { add("the id of the role\(role.value.map { " \($0.value)" } ?? "")", role.id) }
    for id in preAuthorizedIDs { add("the pre-authorized id", id) }
    return ids
  }

  /// Where names stand in place of ids, in the dialects that allow them.
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
