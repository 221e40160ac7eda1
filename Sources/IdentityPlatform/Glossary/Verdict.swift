/// The recommended action for a glossary entry. It appears before all details.
package enum Verdict: String, Sendable, CaseIterable {
  case signIn
  case askUser
  case fixApp
  case fixAppOrAskAdmin
  case askAdmin
  case correctRequest
  case fixProvider
  case retryLater
  case startAgain
  /// The error is part of normal operation, and the app should not report it as a failure.
  case expected
  /// The error wraps another code that identifies the cause.
  case readCode
  /// The entry describes a keyword, claim, or parameter and does not require an action.
  case informational

  /// The start of the verdict line, or nil if the line consists only of the meaning.
  var action: String? {
    switch self {
    case .signIn: "Sign in interactively"
    case .askUser: "User action required"
    case .fixApp: "Fix the app"
    case .fixAppOrAskAdmin: "Fix the app or ask an administrator"
    case .askAdmin: "Ask an administrator"
    case .correctRequest: "Correct the request or the user's input"
    case .fixProvider: "Fix the identity provider"
    case .retryLater: "Retry later"
    case .startAgain: "Start again"
    case .expected: "Expected"
    case .readCode: "Look up the nested code"
    case .informational: nil
    }
  }
}

extension GlossaryEntry {
  private static let maximumVerdictLength = 100

  /// The verdict as one sentence of at most 100 characters. It consists of the action and as much of the meaning as
  /// fits.
  package var verdictLine: String {
    guard let action = verdict.action else { return Self.sentence(verdictMeaning) }
    return verdictMeaning.isEmpty ? action + "." : Self.sentence("\(action): \(verdictMeaning)")
  }

  /// The rest of the meaning, or nil if the verdict line contains all of it.
  package var furtherMeaning: String? {
    let rest = meaning.dropFirst(verdictMeaning.count).drop { " .,;:".contains($0) }
    return rest.isEmpty ? nil : String(rest)
  }

  /// The part of the meaning that the verdict line contains: the first sentence, or as many of its clauses as fit.
  private var verdictMeaning: String {
    let limit = Self.maximumVerdictLength - 1 - (verdict.action.map { $0.count + 2 } ?? 0)
    let first = Self.prefixes(of: meaning, endingAt: [". "]).first { !$0.hasSuffix(".") } ?? meaning
    if first.count <= limit { return first }
    // Do not cut before "or" or "and", because otherwise the text would mention only one of several cases.
    for separator in ["; ", ": ", ", "] {
      let cut = Self.prefixes(of: first, endingAt: [separator]).last {
        let rest = first.dropFirst($0.count + separator.count)
        let splitsCases = rest.hasPrefix("or ") || rest.hasPrefix("and ") || rest.contains(", or ")
        return $0.count <= limit && !(separator == ", " && splitsCases)
      }
      if let cut { return cut }
    }
    return ""
  }

  /// Returns the prefixes of a string that end before a separator, shortest first.
  private static func prefixes(of text: String, endingAt separators: [String]) -> [String] {
    text.indices.compactMap { index in
      separators.contains { text[index...].hasPrefix($0) } && index > text.startIndex ? String(text[..<index]) : nil
    }
  }

  // MARK: - Sentences

  /// Capitalizes a clause and adds a period if the final punctuation is missing.
  package static func sentence(_ clause: String) -> String {
    let text = capitalized(clause)
    return text.hasSuffix(".") || text.hasSuffix("?") || text.hasSuffix("!") ? text : text + "."
  }

  /// Capitalizes the first word unless it is a name such as `max_age`.
  package static func capitalized(_ clause: String) -> String {
    let first = clause.prefix { !$0.isWhitespace }
    guard first.allSatisfy({ $0.isLetter && $0.isLowercase || ",:;'".contains($0) }) else { return clause }
    return clause.prefix(1).uppercased() + clause.dropFirst()
  }
}

// MARK: - Verdicts of the tables

extension AADSTS.Remedy {
  package var verdict: Verdict {
    switch self {
    case .interactive: .signIn
    case .beyondSignIn: .askUser
    case .developerOrAdmin: .fixAppOrAskAdmin
    case .differentRequest: .correctRequest
    case .wait: .retryLater
    case .poll: .expected
    case .restart: .startAgain
    }
  }
}

extension AADSTS {
  package var verdict: Verdict { verdictOverride ?? remedy.verdict }
}

extension AADB2C {
  package var verdict: Verdict { verdictOverride ?? remedy.verdict }
}
