import Effects

extension Facts {
  /// Adds facts about the format of the text, and facts that follow from combinations of other facts.
  mutating func addSummary(of text: NormalizedText) {
    let whole = 0..<min(1, text.bytes.count)
    func hasText(_ part: String) -> Bool { text.bytes.firstRange(ofBytes: Array(part.utf8)) != nil }
    if hasText("error domain=") { add("kind:nserror", at: whole) }
    if hasText("error_description\":") || hasText("'error_description':") { add("kind:token-response", at: whole) }
    if hasText("http/1.1 ") || hasText("http/2") { add("kind:http-exchange", at: whole) }
    if hasText("\"homeaccountid\"") && hasText("\"credential_type\"") || hasText("\"refreshtoken\":") {
      add("kind:token-cache", at: whole)
    }
    if hasText("\"log\": {\"version\"") || hasText("\"entries\": [") && hasText("\"startedDateTime\"".lowercased()) {
      add("kind:har", at: whole)
    }
    if has("claim:aud"), has("claim:iss") { add("kind:decoded-token", at: whole) }
    if has("platform:ios") || has("platform:macos") || places.keys.contains(where: { $0.hasPrefix("nserror:") }) {
      add("platform:apple", at: whole)
    }
    addClockSkew(text)
    addAudience()
  }

  /// Adds a fact that specifies whether the token's audience and the API's expected audience refer to the same app. If
  /// so, only their formats differ, for example because `api://` precedes a client ID.
  private mutating func addAudience() {
    guard let token = captures["audience"], let expected = captures["expectedAudience"],
      let place = places["claim:aud"]?.first
    else { return }
    func name(_ audience: Substring) -> String {
      var rest = audience.lowercased()[...]
      while rest.first == " " { rest.removeFirst() }
      for prefix in ["api://", "spn:"] where rest.hasPrefix(prefix) { rest.removeFirst(prefix.count) }
      while let last = rest.last, last == " " || last == "/" { rest.removeLast() }
      return String(rest)
    }
    let isSame = expected.split(separator: ",").contains { name($0) == name(token[...]) }
    add(isSame ? "audience:same-identifier" : "audience:other-identifier", at: place)
  }

  /// Adds a fact if a token is not yet valid according to the current time in the text.
  private mutating func addClockSkew(_ text: NormalizedText) {
    func number(after label: String) -> Int? {
      guard let range = text.bytes.firstRange(ofBytes: Array(label.utf8)) else { return nil }
      let digits = text.bytes[range.upperBound...].prefix(16).drop { !isDigit($0) }.prefix(while: isDigit)
      return Int(String(decoding: digits, as: UTF8.self))
    }
    guard let now = number(after: "current epoch"), let start = number(after: "\"nbf\""), start > now + 60 else {
      return
    }
    add("time:skew", at: text.bytes.firstRange(ofBytes: Array("current epoch".utf8)) ?? 0..<0)
  }
}
