import Diagnostics
import IdentityPlatform

/// A scope that names no published permission of Microsoft Graph, and the help for it. The service itself gives no hint.
package struct UnknownPermission: Hashable, Sendable {
  package let name: String

  init(_ name: String) { self.name = name }

  /// Finds the scope in the description of an AADSTS650053 or AADSTS70011 error; nil if the error is about something else.
  package init?(description: String) {
    guard description.contains("AADSTS650053") || description.contains("AADSTS70011"),
      description.contains("'\(Resource.graphName)'"), let start = description.firstRange(of: "scope '")?.upperBound
    else { return nil }
    let name = description[start...].prefix { $0 != "'" }
    guard !name.isEmpty, GraphPermission.published(name) == nil else { return nil }
    self.name = String(name)
  }

  package var words: String { "Microsoft Graph has no permission `\(name)`" }

  package var help: String {
    Suggestion.nearest(to: name, among: GraphPermission.publishedNames).map { "did you mean `\($0)`?" }
      ?? "if Microsoft published it recently, declare it in the directory: "
      + "`resources: [{appId: \(WellKnown.graphAppID), scopes: [{name: \(name)}]}]`"
  }
}
