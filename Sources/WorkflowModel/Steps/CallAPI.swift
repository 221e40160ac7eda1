import Documents
import Trust

/// A call to a protected API with the most recent access token for the given scopes.
package struct CallAPI: APIRequestStep {
  package var request = APIRequest()
  package var url: Resolvable<String>?
  /// The scopes of the cached token to send. The step does not acquire a token.
  package var scopes: Resolvable<[String]>?
  /// Whether to send the request without an access token, for example to a token endpoint.
  package var isAnonymous = false
  package var saveTo: Resolvable<String>?
}

extension StepKind {
  static let callAPI = StepKind(
    "callAPI", "call to your API", [.usesNetwork, .requiresValue], outcomes: Outcome.callOutcomes,
    syntax: .parameters(
      CallAPI(), CallAPI.fields, short: ShortForm(Codec<String>.apiURL.resolvable, into: { $0.url = $1 }),
      check: { call, node, _, problems in
        if call.isAnonymous, call.scopes != nil {
          problems.error(
            "contradiction", "`scopes` cannot be combined with `anonymous`", help: "remove one of the keys", at: node)
          return false
        }
        if call.url != nil { return true }
        // A separate diagnostic reports an invalid URL.
        if node["url"] == nil {
          problems.error(
            "missing-key", "missing key `url` in `callAPI`", help: "write `callAPI: {url: https://…}`", at: node)
        }
        return false
      }
    ) { .callAPI($0) })
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
      Field(
        "anonymous", .bool, into: { $0.isAnonymous = $1 }, default: false,
        "whether to send the request without an access token, for example to a token endpoint"),
    ] + Self.requestFields + [.saveTo { $0.saveTo = $1 }])
}

extension Codec where Value == String {
  fileprivate static var apiURL: Self {
    Self(expecting: "a URL", schema: ["type": "string", "pattern": "^(https?://|\\$\\{)"]) { node, problems in
      guard let text = Codec<String>.nonEmptyString.read(node, &problems) else { return nil }
      let lowercased = text.lowercased()
      let afterScheme = ["https://", "http://"].first { lowercased.hasPrefix($0) }.map {
        lowercased.dropFirst($0.count)
      }
      guard let first = afterScheme?.first, first != "/", !text.contains(where: { $0.isWhitespace }) else {
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
