import Diagnostics
import IdentityPlatform

/// An unknown Microsoft Graph permission in a request. The type provides help text, which the live service's error
/// lacks.
package struct UnknownPermission: Hashable, Sendable {
  package let name: String

  init(_ name: String) { self.name = name }

  /// Extracts the scope from the description of an AADSTS650053 or AADSTS70011 error. Returns nil for other errors.
  package init?(description: String) {
    guard description.contains("AADSTS650053") || description.contains("AADSTS70011"),
      description.contains("'\(Resource.graphName)'"), let start = description.firstRange(of: "scope '")?.upperBound
    else { return nil }
    let name = description[start...].prefix { $0 != "'" }
    guard !name.isEmpty, GraphPermission.published(name) == nil else { return nil }
    self.name = String(name)
  }

  package var message: String { "Microsoft Graph has no permission `\(name)`" }

  package var help: String {
    Suggestion.nearest(to: name, among: GraphPermission.publishedNames).map { "did you mean `\($0)`?" }
      ?? "if Microsoft published this permission recently, add it to the directory: "
      + "`resources: [{appId: \(WellKnown.graphAppID), scopes: [{name: \(name)}]}]`"
  }
}
