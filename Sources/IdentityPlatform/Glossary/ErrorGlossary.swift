/// Everything that this room knows and a developer may look up, as entries: errors, claims and parameters.
package enum ErrorGlossary {
  /// All entries, topic by topic.
  package static let entries: [GlossaryEntry] =
    signInErrors + customerErrors + suberrors + internalErrors + msalErrors + retired + libraryErrors + oauthErrors
    + userInfoKeys + claims + parameters

  /// Where Microsoft says what a number means today.
  package static func referencePage(_ number: Int) -> String {
    "https://login.microsoftonline.com/error?code=\(number)"
  }

  private static let signInErrors = AADSTS.all.map { entry in
    var facts: [GlossaryEntry.Fact] = []
    if let error = entry.error {
      let words = [error, entry.suberror].compactMap { $0 }.joined(separator: ", suberror ")
      facts.append(.init("comes as", entry.isInferred ? "\(words) (inferred from similar codes)" : words))
    }
    if entry.staysOnPage {
      facts.append(.init("shown", "on a page of the service, which does not lead back to the app"))
    }
    facts.append(.init("Microsoft's page", referencePage(entry.number)))
    return GlossaryEntry(
      .signInError, entry.code, number: entry.number, entry.verdict, meaning: entry.meaning, facts: facts,
      reaction: entry.reaction,
      advice: entry.advice, related: [entry.suberror, entry.error].compactMap { $0 }, shownAs: [entry.code])
  }

  private static let customerErrors = AADB2C.all.map { entry in
    GlossaryEntry(
      .customerError, entry.code, number: entry.number, entry.verdict, meaning: entry.meaning,
      reaction:
        "MSAL decides by the OAuth error beside it: access_denied (as with 90118 and 90091) becomes MSALErrorUserCanceled (-50005), anything else an internal error. The code is in MSALErrorDescriptionKey.",
      advice: entry.advice, shownAs: [entry.code])
  }

  private static let suberrors = Suberror.allCases.map { suberror in
    let examples = AADSTS.all.filter { $0.suberror == suberror.rawValue }.map(\.code)
    var facts: [GlossaryEntry.Fact] = []
    if !examples.isEmpty { facts.append(.init("comes with", examples.joined(separator: " "))) }
    facts.append(
      .init("for", suberror.isShownToApps ? "apps: libraries hand it on" : "the library itself, which acts on it"))
    return GlossaryEntry(
      .suberror, suberror.rawValue, suberror.verdict, meaning: suberror.meaning, facts: facts,
      reaction: suberror.libraryReaction,
      advice: suberror.reaction, related: examples.count == 1 ? examples : [], shownAs: [suberror.rawValue])
  }

  private static let internalErrors = MSALInternalErrorCode.allCases.map { code in
    GlossaryEntry(
      .msalInternalError, code.symbol, number: code.rawValue, spellings: [code.outcome] + shortNames(code.symbol),
      code.verdict, meaning: code.meaning, cause: code.cause, facts: [.init("outcome in a workflow", code.outcome)],
      reaction: "the app sees -50000 (MSALErrorInternal), with \(code.rawValue) under MSALInternalErrorCodeKey.",
      advice: code.advice, shownAs: [code.outcome])
  }

  private static let msalErrors = MSALErrorCode.allCases.map { code in
    GlossaryEntry(
      .msalError, code.symbol, number: code.rawValue, spellings: [code.outcome] + shortNames(code.symbol),
      code.verdict, meaning: code.meaning, cause: code.cause, facts: [.init("outcome in a workflow", code.outcome)],
      reaction: code.reaction, advice: code.advice,
      related: code == .interactionRequired ? ["interaction_required"] : [], shownAs: [code.outcome])
  }

  /// Numbers of MSAL 0.x, which still stand in old questions and logs.
  private static let retired: [GlossaryEntry] = [
    (-42_100, "InteractionRequired", MSALErrorCode.interactionRequired),
    (-42_400, "UserCanceled", MSALErrorCode.userCanceled),
  ].map { number, name, today in
    GlossaryEntry(
      .msalInternalError, String(number), number: number, .fixApp,
      meaning: "\(name) in MSAL 0.x; no MSAL since 1.0 gives it for that",
      cause: "An old version of MSAL, or an error that somebody made by hand.",
      reaction: "today the app sees \(today.symbol) (\(today.rawValue)).",
      advice: "Update MSAL; then \(today.advice.prefix(1).lowercased() + today.advice.dropFirst())",
      related: [today.symbol])
  }

  private static let libraryErrors = LibraryError.all.map { error in
    GlossaryEntry(
      .libraryError, error.name, error.verdict, meaning: error.meaning, facts: [.init("library", error.platforms)],
      reaction: error.counterpart.map { "MSAL for Apple platforms says \($0.symbol) (\($0.rawValue)) instead." },
      advice: error.advice, related: [error.counterpart?.symbol].compactMap { $0 },
      shownAs: [error.counterpart].compactMap { $0 }.filter { $0 != .internal }.map(\.outcome))
  }

  private static let oauthErrors = OAuthErrorDescription.all.map { error in
    var reaction: String?
    if let surface = error.surface {
      let silent = OAuthErrorDescription.silentSurface(error.name, suberror: nil)
      reaction =
        silent == surface
        ? "\(surface.words), in a silent call as in an interactive one."
        : "interactive: \(surface.words); silent, at the token endpoint: \(silent.words)."
    }
    return GlossaryEntry(
      .oauthError, error.name, error.verdict, meaning: error.meaning, cause: error.cause,
      facts: [.init("defined in", error.source)], reaction: reaction, advice: error.advice,
      shownAs: [error.name] + (deviceOutcomes[error.name].map { [$0] } ?? []))
  }

  /// Errors that end a device code step under a name of their own.
  private static let deviceOutcomes = [
    "expired_token": "expiredToken", "authorization_declined": "authorizationDeclined",
  ]

  private static let userInfoKeys = MSALUserInfoKey.allCases.map { key in
    GlossaryEntry(
      .userInfoKey, key.rawValue, .states, meaning: key.meaning, advice: key.advice, related: key.carriers)
  }

  private static let claims = ClaimDescription.all.map { claim in
    GlossaryEntry(
      .claim, claim.name, .states, meaning: claim.words,
      facts: claim.isTime ? [.init("form", "seconds since 1970-01-01T00:00:00Z")] : [],
      advice: claim.advice)
  }

  private static let parameters = WireParameter.all.map { parameter in
    GlossaryEntry(
      .parameter, parameter.name, .states, meaning: parameter.meaning,
      facts: [.init("stands in", parameter.legs.map(\.rawValue).joined(separator: ", "))],
      advice: "MSAL writes and reads it; a workflow sees what was sent in `sent`, and the trace shows the rest.")
  }

  /// The symbol without MSAL's prefixes: `InteractionRequired`, `ErrorInteractionRequired`.
  private static func shortNames(_ symbol: String) -> [String] {
    ["MSALInternalError", "MSALInternal", "MSALError"].compactMap { prefix in
      symbol.hasPrefix(prefix) ? String(symbol.dropFirst(prefix.count)) : nil
    }
  }
}

extension ClaimDescription {
  /// What to use it for, and what not.
  var advice: String { ownAdvice ?? "`authflow token decode` shows a token's claims with their meaning." }
}
