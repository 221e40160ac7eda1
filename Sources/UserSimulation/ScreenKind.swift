import Effects

/// The type of a sign-in page. The raw values match the values of `screens` in the workflow language.
enum ScreenKind: String, Sendable {
  case pickAccount, username, password, mfa, staySignedIn, consent, adminApproval, changePassword, signUp, deviceCode,
    signedOut, error

  /// Determines the type from the page's meta element or forms. Returns nil if the type is unknown.
  static func of(_ page: HTMLPage, for purpose: BrowserVisit.Purpose) -> ScreenKind? {
    if let mark = page.metas["authflow-screen"] { return ScreenKind(rawValue: mark) }
    guard let form = FormChoice.best(of: page) else { return nil }
    let refusals = page.forms.flatMap(\.buttons).filter { $0.means(.decline) }
    return guess(form, purpose: purpose, canRefuse: !refusals.isEmpty)
  }

  /// Determines the type from the types, names, and `autocomplete` values of the fields, and from the buttons.
  /// - Parameter canRefuse: Whether any form on the page has a button to decline.
  private static func guess(_ form: HTMLForm, purpose: BrowserVisit.Purpose, canRefuse: Bool) -> ScreenKind? {
    let passwords = form.fields.filter { $0.kind == .password }
    if !passwords.isEmpty {
      let isNew = passwords.count > 1 || passwords.contains { $0.autocomplete == "new-password" }
      guard isNew else {
        return passwords[0].means(.oneTimeCode) && !passwords[0].means(.password) ? .mfa : .password
      }
      return form.fields.contains { $0.kind == .text && $0.means(.username) } ? .signUp : .changePassword
    }
    let texts = form.fields.filter { $0.kind == .text }
    if purpose == .deviceCode, texts.contains(where: { $0.means(.deviceCode) }) { return .deviceCode }
    if texts.contains(where: { $0.means(.oneTimeCode) }) { return .mfa }
    if texts.contains(where: { $0.means(.username) }) { return .username }
    if form.buttons.contains(where: \.isAccount) { return .pickAccount }
    let isOffered = form.buttons.contains { $0.means(.accept) }
    if isOffered, canRefuse || !form.fields.isEmpty { return .consent }
    return nil
  }
}

/// The purpose of a control.
enum ControlPurpose: Sendable {
  case username, password, oneTimeCode, deviceCode
  case accept, decline, cancel, forgot, signUp, signOut, another
}

/// The words that describe the purpose of a control. The sets are created only once, because every control is compared
/// with them.
private enum Vocabulary {
  static let username: Set = [
    "loginfmt", "login", "user", "username", "userid", "email", "mail", "identifier", "account", "upn", "uid", "sub",
    "subject",
  ]
  static let oneTimeCode: Set = [
    "otc", "otp", "totp", "mfa", "pin", "code", "passcode", "verificationcode", "onetimecode", "securitycode",
  ]
  static let deviceCode: Set = ["usercode", "devicecode", "code", "otc"]
  static let accept: Set = ["accept", "allow", "authorize", "authorize", "agree", "approve", "grant", "consent", "yes"]
  static let decline: Set = [
    "decline", "deny", "refuse", "reject", "cancel", "disagree", "disallow", "no", "not", "abort",
  ]
  static let cancel: Set = ["cancel", "abort", "close"]
  static let forgot: Set = ["forgot", "forgotten", "reset", "lost", "recover"]
  static let signUp: Set = ["signup", "register", "registration", "createaccount", "createone", "join"]
  static let signOut: Set = ["signout", "logout", "logoff", "yes", "accept", "continue", "confirm"]
  static let another: Set = ["another", "other", "different"]
}

extension HTMLControl {
  func means(_ meaning: ControlPurpose) -> Bool {
    switch meaning {
    case .username:
      if type == "email" || autocomplete.containsUTF8("username") || autocomplete == "email" { return true }
      return hints.contains { hint in
        Vocabulary.username.contains(hint) || hint.hasSuffix("username") || hint.hasSuffix("email")
          || hint.hasSuffix("login")
      }
    case .password: return kind == .password
    case .oneTimeCode:
      if autocomplete.containsUTF8("one-time-code") { return true }
      return hints.contains { hint in
        Vocabulary.oneTimeCode.contains(hint) || hint.hasSuffix("otp") || hint.hasSuffix("totp")
          || hint.hasSuffix("onetimepassword")
      }
    case .deviceCode: return hints.contains(where: Vocabulary.deviceCode.contains)
    case .accept: return mentions(Vocabulary.accept) && !means(.decline)
    case .decline: return mentions(Vocabulary.decline)
    case .cancel: return mentions(Vocabulary.cancel)
    case .forgot: return mentions(Vocabulary.forgot)
    case .signUp: return mentions(Vocabulary.signUp)
    case .signOut: return mentions(Vocabulary.signOut)
    case .another: return mentions(Vocabulary.another)
    }
  }

  /// Whether the name or ID is one of the given words, or the label contains one of them. "Yes" and "no" count only as
  /// the first word.
  private func mentions(_ wanted: Set<String>) -> Bool {
    if names.contains(where: wanted.contains) { return true }
    for parts in words {
      for (place, part) in parts.enumerated() where wanted.contains(part) {
        if place == 0 || (part != "no" && part != "yes") { return true }
      }
      // Treat phrases such as "sign up" and "create account" as single words.
      if zip(parts, parts.dropFirst()).contains(where: { wanted.contains($0 + $1) }) { return true }
    }
    return false
  }
}

/// Selects the form that the user fills in.
enum FormChoice {
  static func best(of page: HTMLPage) -> HTMLForm? {
    page.forms.max { score($0) < score($1) }.flatMap { score($0) > 0 ? $0 : nil }
  }

  /// Returns a score for finding the relevant form. A page can also contain search boxes and language pickers.
  private static func score(_ form: HTMLForm) -> Int {
    if form.controls.isEmpty { return 0 }
    if form.fields.contains(where: { $0.type == "search" || $0.hints.contains("q") }) { return 0 }
    var score = form.method == "post" ? 20 : 2
    if form.fields.contains(where: { $0.kind == .password }) { score += 100 }
    if form.fields.contains(where: { $0.means(.username) || $0.means(.oneTimeCode) || $0.means(.deviceCode) }) {
      score += 50
    }
    if form.buttons.contains(where: { $0.means(.accept) }) { score += 30 }
    if form.buttons.contains(where: \.isAccount) { score += 30 }
    if !form.buttons.isEmpty { score += 5 }
    // The sign-out form in a page header has only a button.
    if form.fields.isEmpty, form.buttons.allSatisfy({ HTMLControl.plain($0.name + $0.label).containsUTF8("logout") }) {
      score -= 15
    }
    return score
  }
}
