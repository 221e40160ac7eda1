import Documents
import Trust

/// A call of a protected API with the most recent access token for the given scopes.
package struct CallAPI: APIRequestStep {
  package var request = APIRequest()
  package var url: Resolvable<String>?
  /// Selects the token, but does not acquire one.
  package var scopes: Resolvable<[String]>?
  package var saveTo: Resolvable<String>?
}

extension StepKind {
  static let callAPI = StepKind(
    "callAPI", "call of your API", usesNetwork: true, canBeBare: false, outcomes: Outcome.callOutcomes,
    empty: CallAPI(), fields: CallAPI.fields, short: ShortForm(Codec<String>.apiURL.resolvable, into: { $0.url = $1 }),
    check: { call, node, _, problems in
      if call.url != nil { return true }
      // A URL that cannot be read has its own diagnostic.
      if node["url"] == nil {
        problems.error(
          "missing-key", "missing key `url` in `callAPI`", help: "write `callAPI: {url: https://…}`", at: node)
      }
      return false
    }
  ) { .callAPI($0) }
}

extension CallAPI {
  package static let fields = Fields<CallAPI>(
    "`callAPI`",
    [
      Field(
        "url", Codec<String>.apiURL.resolvable, into: { $0.url = $1 },
        "URL of the API; the path of `get`, `post`, or another method is appended"),
      Field(
        "scopes", Codec<[String]>.scopes.resolvable, into: { $0.scopes = $1 },
        "scopes of the cached token to send; the step does not acquire a token"),
    ] + Self.requestFields + [
      Field(
        "saveTo", Codec<String>.outputName.resolvable, into: { $0.saveTo = $1 },
        "file for the response body, relative to the output folder")
    ])
}

extension Codec where Value == String {
  fileprivate static var apiURL: Self {
    Self(expecting: "a URL", schema: ["type": "string", "pattern": "^(https?://|\\$\\{)"]) { node, problems in
      guard let text = Codec<String>.nonEmptyString.read(node, &problems) else { return nil }
      let folded = text.lowercased()
      let rest =
        folded.hasPrefix("https://") ? folded.dropFirst(8) : folded.hasPrefix("http://") ? folded.dropFirst(7) : ""
      guard let first = rest.first, first != "/", !text.contains(where: { $0.isWhitespace }) else {
        problems.error(
          "url", "invalid API URL `\(text)`", help: "use an absolute URL such as `https://api.contoso.com/items`",
          at: node)
        return nil
      }
      if let origin = Origin(of: text), !origin.isProtected {
        problems.error(
          "url", "access tokens are never sent over http to `\(origin.host)`", help: "use an https URL", at: node)
        return nil
      }
      return text
    }
  }
}
