/// What a developer does about an entry, in one line, before any detail.
///
/// Every entry declares one: an entry without a verdict does not compile.
package enum Verdict: Hashable, Sendable, CaseIterable {
  case signIn
  case askUser
  case fixApp
  case fixAppOrAskAdmin
  case askAdmin
  case correctRequest
  case fixProvider
  case retryLater
  case startAgain
  /// Part of normal operation: not a failure to report.
  case expected
  /// The entry is a wrapper: the cause is in another code.
  case readCode
  /// A word of the language, a claim or a parameter: the line says what it is.
  case states

  /// The beginning of the line; nil when the line consists of the meaning alone.
  var action: String? {
    switch self {
    case .signIn: "Sign in interactively"
    case .askUser: "Ask the user to act"
    case .fixApp: "Fix the app"
    case .fixAppOrAskAdmin: "Fix the app or ask an administrator"
    case .askAdmin: "Ask an administrator"
    case .correctRequest: "Correct the request or the user's input"
    case .fixProvider: "Fix the identity provider"
    case .retryLater: "Retry later"
    case .startAgain: "Start again"
    case .expected: "Expected"
    case .readCode: "Look up the code inside"
    case .states: nil
    }
  }
}

extension GlossaryEntry {
  /// Longest verdict line.
  package static let longestVerdict = 100

  /// The verdict as one sentence of at most `longestVerdict` characters: the action, and as much of the meaning as fits.
  package var verdictLine: String {
    guard let action = verdict.action else { return Self.sentence(saidInVerdict) }
    return saidInVerdict.isEmpty ? action + "." : Self.sentence("\(action): \(saidInVerdict)")
  }

  /// The rest of the meaning; nil when the verdict line contains all of it.
  package var furtherMeaning: String? {
    let rest = meaning.dropFirst(saidInVerdict.count).drop { " .,;:".contains($0) }
    return rest.isEmpty ? nil : String(rest)
  }

  /// The beginning of the meaning that the verdict line contains: its first sentence or the clauses that fit.
  private var saidInVerdict: String {
    let room = Self.longestVerdict - 1 - (verdict.action.map { $0.count + 2 } ?? 0)
    let first = Self.prefixes(of: meaning, endingAt: [". "]).first { !$0.hasSuffix(".") } ?? meaning
    if first.count <= room { return first }
    // A cut before "or" or "and" would state one of several cases as the only one.
    for separator in ["; ", ": ", ", "] {
      let cut = Self.prefixes(of: first, endingAt: [separator]).last {
        let rest = first.dropFirst($0.count + separator.count)
        let splitsCases = rest.hasPrefix("or ") || rest.hasPrefix("and ") || rest.contains(", or ")
        return $0.count <= room && !(separator == ", " && splitsCases)
      }
      if let cut { return cut }
    }
    return ""
  }

  /// The beginnings of a text up to each of the separators, the shortest first.
  private static func prefixes(of text: String, endingAt separators: [String]) -> [String] {
    text.indices.compactMap { index in
      separators.contains { text[index...].hasPrefix($0) } && index > text.startIndex ? String(text[..<index]) : nil
    }
  }

  // MARK: Sentences

  /// The words as a sentence; names such as `max_age` keep their case.
  package static func sentence(_ words: String) -> String {
    let text = capitalized(words)
    return text.hasSuffix(".") || text.hasSuffix("?") || text.hasSuffix("!") ? text : text + "."
  }

  package static func capitalized(_ words: String) -> String {
    let first = words.prefix { !$0.isWhitespace }
    guard first.allSatisfy({ $0.isLetter && $0.isLowercase || ",:;'".contains($0) }) else { return words }
    return words.prefix(1).uppercased() + words.dropFirst()
  }
}

// MARK: Verdicts of the tables

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
  package var verdict: Verdict { ownVerdict ?? wayOut.verdict }
}

extension AADB2C {
  package var verdict: Verdict { ownVerdict ?? wayOut.verdict }
}
