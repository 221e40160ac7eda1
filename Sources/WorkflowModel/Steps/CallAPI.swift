import Documents
import Trust

/// A call of any protected API with the last token acquired for these scopes.
package struct CallAPI: APIRequestStep {
  package var request = APIRequest()
  package var url: Resolvable<String>?
  /// Chooses the token; acquires none.
  package var scopes: Resolvable<[String]>?
  package var saveTo: Resolvable<String>?
}

extension StepKind {
  static let callAPI = StepKind(
    "callAPI", "a call of your own API", usesNetwork: true, standsAlone: false, outcomes: Outcome.callOutcomes,
    empty: CallAPI(), fields: CallAPI.fields, short: ShortForm(Codec<String>.apiURL.resolvable, into: \.url),
    check: { call, node, _, problems in
      if call.url != nil { return true }
      // A url that could not be read was told already.
      if node["url"] == nil {
        problems.error(
          "missing-key", "callAPI needs the key \"url\"", help: "write callAPI: {url: https://…}", at: node)
      }
      return false
    }
  ) { .callAPI($0) }
}

extension CallAPI {
  package static let fields = Fields<CallAPI>(
    "callAPI",
    [
      Field(
        "url", Codec<String>.apiURL.resolvable, into: \.url,
        "where the API is; a path given with get or post is appended"),
      Field("scopes", Codec<[String]>.scopes.resolvable, into: \.scopes, "which token is sent; none is acquired"),
    ] + Self.requestFields + [
      Field(
        "saveTo", Codec<String>.outputName.resolvable, into: \.saveTo,
        "the file for the response body, relative to the output folder")
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
          "url", "\"\(text)\" is no URL of an API", help: "write it whole: https://api.contoso.com/items", at: node)
        return nil
      }
      if let origin = Origin(of: text), !origin.isProtected {
        problems.error(
          "url", "an access token is never sent over http to \(origin.host)", help: "use https", at: node)
        return nil
      }
      return text
    }
  }
}
