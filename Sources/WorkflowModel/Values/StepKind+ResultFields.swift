extension StepKind {
  /// The result fields of this step type, in addition to `outcome`, `attempts`, `error`, and `duration`, which all step
  /// types have, and `$` (see `hasValue`).
  var ownFields: Set<ResultField> {
    switch key {
    case StepKind.loadAccount.key: [.account, .previousAccount]
    case StepKind.silent.key, StepKind.deviceCode.key: Self.ofTokens
    case StepKind.interactive.key: Self.ofTokens.union([.webview])
    case StepKind.callGraph.key, StepKind.callAPI.key: [.status, .headers, .sent]
    case StepKind.signout.key: [.sent, .screens, .webview]
    default: []
    }
  }

  /// Whether the result has a value, `$`.
  var hasValue: Bool { key != StepKind.assert.key && key != StepKind.simulate.key && key != StepKind.parallel.key }

  /// Whether the result can have a field.
  func has(_ name: String) -> Bool {
    if name == "$" { return hasValue }
    guard let field = ResultField(rawValue: name) else { return false }
    return Self.ofAny.contains(field) || ownFields.contains(field)
  }

  /// The names of all result fields of this step type, in the order of the reference.
  var allFields: [String] { (hasValue ? ["$"] : []) + ResultField.allCases.map(\.rawValue).filter { has($0) } }

  private static let ofAny: Set<ResultField> = [.outcome, .attempts, .error, .duration]
  private static let ofTokens: Set<ResultField> = [.tokenSource, .scopes, .idToken, .account, .screens, .sent]
}

extension ResultField {
  /// Whether the field only exists if the step succeeds.
  var needsSuccess: Bool { self == .tokenSource || self == .idToken }

  /// The type of a field's value.
  enum Form: String {
    case string, number, list
  }

  /// The type of the field or its member (`error.code`), or nil if it is not fixed.
  func form(of member: String?) -> Form? {
    switch (self, member) {
    case (.outcome, nil), (.tokenSource, nil), (.webview, nil), (.error, "code"), (.error, "msal"), (.error, "oauth"),
      (.error, "suberror"), (.error, "description"):
      .string
    case (.status, nil), (.attempts, nil), (.duration, nil), (.error, "httpStatus"), (.error, "msalCode"): .number
    case (.scopes, nil), (.screens, nil), (.error, "declinedScopes"), (.error, "grantedScopes"): .list
    default: nil
    }
  }
}
