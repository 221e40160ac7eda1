/// The glossary entries for the errors, claims, and parameters in this module's tables.
package enum ErrorGlossary {
  /// All entries, grouped by topic.
  package static let entries: [GlossaryEntry] =
    signInErrors + customerErrors + suberrors + internalErrors + msalErrors + retired + libraryErrors + oauthErrors
    + userInfoKeys + claims + parameters

  /// Returns the URL of the page on which Microsoft describes an AADSTS number.
  package static func referencePage(_ number: Int) -> String {
    "https://login.microsoftonline.com/error?code=\(number)"
  }

  /// Returns the entry for an AADSTS or AADB2C number without loading the other tables.
  package static func entry(of number: Int, isCustomer: Bool) -> GlossaryEntry? {
    isCustomer ? AADB2C.numbered(number).map(entry) : AADSTS.numbered(number).map(entry)
  }

  private static let signInErrors = AADSTS.all.map(entry)

  private static func entry(_ entry: AADSTS) -> GlossaryEntry {
    var facts: [GlossaryEntry.Fact] = []
    if let error = entry.error {
      let pair = [error, entry.suberror].compactMap { $0 }.joined(separator: ", suberror ")
      facts.append(.init("OAuth error", entry.isInferred ? "\(pair) (inferred from similar codes)" : pair))
    }
    if entry.staysOnPage {
      facts.append(.init("shown", "on the service's error page, without a redirect to the app"))
    }
    facts.append(.init("Microsoft's description", referencePage(entry.number)))
    return GlossaryEntry(
      .signInError, entry.code, number: entry.number, entry.verdict, meaning: entry.meaning, facts: facts,
      reaction: entry.reaction,
      advice: entry.advice, related: [entry.suberror, entry.error].compactMap { $0 }, shownAs: [entry.code])
  }

  private static let customerErrors = AADB2C.all.map(entry)

  private static func entry(_ entry: AADB2C) -> GlossaryEntry {
    GlossaryEntry(
      .customerError, entry.code, number: entry.number, entry.verdict, meaning: entry.meaning,
      reaction:
        "MSAL maps the OAuth error that comes with the code: access_denied (as with 90118 and 90091) becomes MSALErrorUserCanceled (-50005), and any other error becomes an internal error. MSALErrorDescriptionKey contains the code.",
      advice: entry.advice, shownAs: [entry.code])
  }

  private static let suberrors = Suberror.allCases.map { suberror in
    let examples = AADSTS.all.filter { $0.suberror == suberror.rawValue }.map(\.code)
    var facts: [GlossaryEntry.Fact] = []
    if !examples.isEmpty { facts.append(.init("returned with", examples.joined(separator: " "))) }
    facts.append(
      .init("handled by", suberror.isShownToApps ? "the app; libraries pass it on" : "the library"))
    return GlossaryEntry(
      .suberror, suberror.rawValue, suberror.verdict, meaning: suberror.meaning, facts: facts,
      reaction: suberror.libraryReaction,
      advice: suberror.reaction, related: examples.count == 1 ? examples : [], shownAs: [suberror.rawValue])
  }

  private static let internalErrors = MSALInternalErrorCode.allCases.map { code in
    GlossaryEntry(
      .msalInternalError, code.symbol, number: code.rawValue, spellings: [code.outcome] + shortNames(code.symbol),
      code.verdict, meaning: code.meaning, cause: code.cause, facts: [.init("outcome in a workflow", code.outcome)],
      reaction: "the app receives -50000 (MSALErrorInternal) with \(code.rawValue) under MSALInternalErrorCodeKey.",
      advice: code.advice, shownAs: [code.outcome])
  }

  private static let msalErrors = MSALErrorCode.allCases.map { code in
    GlossaryEntry(
      .msalError, code.symbol, number: code.rawValue, spellings: [code.outcome] + shortNames(code.symbol),
      code.verdict, meaning: code.meaning, cause: code.cause, facts: [.init("outcome in a workflow", code.outcome)],
      reaction: code.reaction, advice: code.advice,
      related: code == .interactionRequired ? ["interaction_required"] : [], shownAs: [code.outcome])
  }

  /// Error numbers from MSAL 0.x, which still appear in old forum posts and logs.
  private static let retired: [GlossaryEntry] = [
    (-42_100, "InteractionRequired", MSALErrorCode.interactionRequired),
    (-42_400, "UserCanceled", MSALErrorCode.userCanceled),
  ].map { number, name, current in
    GlossaryEntry(
      .msalInternalError, String(number), number: number, .fixApp,
      meaning: "\(name) in MSAL 0.x; MSAL 1.0 and later versions do not use this number",
      cause: "The app uses an old version of MSAL, or the app's code creates the error.",
      reaction: "current versions return \(current.symbol) (\(current.rawValue)).",
      advice: "Update MSAL. \(current.advice)",
      related: [current.symbol])
  }

  private static let libraryErrors = LibraryError.all.map { error in
    GlossaryEntry(
      .libraryError, error.name, error.verdict, meaning: error.meaning, facts: [.init("library", error.platforms)],
      reaction: error.counterpart.map { "MSAL for Apple platforms returns \($0.symbol) (\($0.rawValue)) instead." },
      advice: error.advice, related: [error.counterpart?.symbol].compactMap { $0 },
      shownAs: [error.counterpart].compactMap { $0 }.filter { $0 != .internal }.map(\.outcome))
  }

  private static let oauthErrors = OAuthErrorDescription.all.map { error in
    var reaction: String?
    if let interactive = error.interactiveCode {
      let silent = OAuthErrorDescription.silentCode(error.name, suberror: nil)
      reaction =
        silent == interactive
        ? "\(interactive.displayName) in silent and interactive calls."
        : "interactive: \(interactive.displayName); silent, from the token endpoint: \(silent.displayName)."
    }
    return GlossaryEntry(
      .oauthError, error.name, error.verdict, meaning: error.meaning, cause: error.cause,
      facts: [.init("defined in", error.source)], reaction: reaction, advice: error.advice,
      shownAs: [error.name] + (deviceOutcomes[error.name].map { [$0] } ?? []))
  }

  /// The errors for which the device code step has a specific outcome.
  private static let deviceOutcomes = [
    "expired_token": "expiredToken", "authorization_declined": "authorizationDeclined",
  ]

  private static let userInfoKeys = MSALUserInfoKey.allCases.map { key in
    GlossaryEntry(
      .userInfoKey, key.rawValue, .informational, meaning: key.meaning, advice: key.advice, related: key.carriers)
  }

  private static let claims = ClaimDescription.all.map { claim in
    GlossaryEntry(
      .claim, claim.name, .informational, meaning: claim.meaning,
      facts: claim.isTime ? [.init("format", "seconds since 1970-01-01T00:00:00Z")] : [],
      advice: claim.advice)
  }

  private static let parameters = WireParameter.all.map { parameter in
    GlossaryEntry(
      .parameter, parameter.name, .informational, meaning: parameter.meaning,
      facts: [.init("used in", parameter.messages.map(\.rawValue).joined(separator: ", "))],
      advice:
        "MSAL handles this parameter. In a workflow, `sent` contains the value. The trace shows all requests and responses."
    )
  }

  /// Returns the variants of a symbol without MSAL's prefixes, for example `InteractionRequired` and
  /// `ErrorInteractionRequired`.
  private static func shortNames(_ symbol: String) -> [String] {
    ["MSALInternalError", "MSALInternal", "MSALError"].compactMap { prefix in
      symbol.hasPrefix(prefix) ? String(symbol.dropFirst(prefix.count)) : nil
    }
  }
}

extension ClaimDescription {
  /// The recommended use of the claim.
  var advice: String {
    adviceOverride ?? "Run `authflow token decode` to show the claims of a token with descriptions."
  }
}
