extension StepKind {
  /// The result fields that are specific to this step type, without `$` (see `hasValue`).
  var specificFields: Set<ResultField> {
    switch key {
    case StepKind.loadAccount.key: [.account, .previousAccount]
    case StepKind.silent.key, StepKind.deviceCode.key: Self.tokenFields
    case StepKind.interactive.key: Self.tokenFields.union([.webview])
    case StepKind.callGraph.key, StepKind.callAPI.key: [.status, .headers, .sent]
    case StepKind.signout.key: [.sent, .screens, .webview]
    default: []
    }
  }

  /// Whether the result has a value (`$`).
  var hasValue: Bool { key != StepKind.assert.key && key != StepKind.simulate.key && key != StepKind.parallel.key }

  /// Returns whether the result can contain a field.
  func has(_ name: String) -> Bool {
    if name == "$" { return hasValue }
    guard let field = ResultField(rawValue: name) else { return false }
    return Self.commonFields.contains(field) || specificFields.contains(field)
  }

  /// The names of all result fields of this step type, in the order of the language reference.
  package var fieldNames: [String] { (hasValue ? ["$"] : []) + ResultField.allCases.map(\.rawValue).filter { has($0) } }

  private static let commonFields: Set<ResultField> = [.outcome, .attempts, .error, .duration]
  private static let tokenFields: Set<ResultField> = [.tokenSource, .scopes, .idToken, .account, .screens, .sent]
}

extension ResultField {
  /// Whether the field exists only if the step succeeds.
  var needsSuccess: Bool { self == .tokenSource || self == .idToken }

  enum ValueType: String {
    case string, number, list
  }

  /// Returns the type of the field's value or of one of its members (`error.code`). Returns nil if values can have
  /// different types.
  func valueType(of member: String?) -> ValueType? {
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
