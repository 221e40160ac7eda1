extension StepKind {
  /// The words that can be known of a step of this kind once it has ended, beside those that are known of any: `outcome`,
  /// `attempts`, `error` and `duration`. Whether it has a value, `$`, is said apart.
  var ownWords: Set<ResultField> {
    switch key {
    case StepKind.loadAccount.key: [.account, .previousAccount]
    case StepKind.silent.key, StepKind.deviceCode.key: Self.ofTokens
    case StepKind.interactive.key: Self.ofTokens.union([.webview])
    case StepKind.callGraph.key, StepKind.callAPI.key: [.status, .headers, .sent]
    case StepKind.signout.key: [.sent, .screens, .webview]
    default: []
    }
  }

  /// Whether there is a `$`: what the step came to.
  var hasValue: Bool { key != StepKind.assert.key && key != StepKind.simulate.key && key != StepKind.parallel.key }

  /// Whether a word can be known of such a step.
  func knows(_ word: String) -> Bool {
    if word == "$" { return hasValue }
    guard let word = ResultField(rawValue: word) else { return false }
    return Self.ofAny.contains(word) || ownWords.contains(word)
  }

  /// Every word that can be known of it, as it is written, in the order of the reference.
  var allWords: [String] { (hasValue ? ["$"] : []) + ResultField.allCases.map(\.rawValue).filter { knows($0) } }

  private static let ofAny: Set<ResultField> = [.outcome, .attempts, .error, .duration]
  private static let ofTokens: Set<ResultField> = [.tokenSource, .scopes, .idToken, .account, .screens, .sent]
}

extension ResultField {
  /// Whether it is known only of a step that did what it is for.
  var needsSuccess: Bool { self == .tokenSource || self == .idToken }

  /// The kind of value that it always has; nil where it may have any.
  enum Form: String {
    case text, number, list
  }

  /// The form of the word, or of its member: `error.code`.
  func form(of member: String?) -> Form? {
    switch (self, member) {
    case (.outcome, nil), (.tokenSource, nil), (.webview, nil), (.error, "code"), (.error, "msal"), (.error, "oauth"),
      (.error, "suberror"), (.error, "description"):
      .text
    case (.status, nil), (.attempts, nil), (.duration, nil), (.error, "httpStatus"), (.error, "msalCode"): .number
    case (.scopes, nil), (.screens, nil), (.error, "declinedScopes"), (.error, "grantedScopes"): .list
    default: nil
    }
  }
}
