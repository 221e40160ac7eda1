import Diagnostics
import IdentityPlatform

/// A glossary that finds names, codes, and numbers in any common spelling.
package struct Glossary: Sendable {
  /// The result of a lookup.
  package enum Answer: Sendable {
    /// The entries with the given name, most specific first. The list is never empty.
    case known([GlossaryEntry])
    /// A well-formed error code that no table contains.
    case unlisted(UnknownSignInCode)
    /// No entry has this name. The suggestions are similar names.
    case unknown(suggestions: [String])
  }

  package let entries: [GlossaryEntry]
  private let bySpelling: [String: [Int]]
  private let byFolded: [String: [Int]]
  private let byNumber: [Int: [Int]]

  /// The entries from all tables in all modules.
  package static let whole = Glossary(
    ErrorGlossary.entries.map { $0.provokable } + identityCoreEntries + languageEntries + keyEntries
      + registrationEntries + termEntries)

  package init(_ entries: [GlossaryEntry]) {
    let rank = Dictionary(uniqueKeysWithValues: GlossaryEntry.Topic.allCases.enumerated().map { ($1, $0) })
    self.entries = entries.sorted { rank[$0.topic, default: 0] < rank[$1.topic, default: 0] }
    var bySpelling: [String: [Int]] = [:]
    var byFolded: [String: [Int]] = [:]
    var byNumber: [Int: [Int]] = [:]
    for (index, entry) in self.entries.enumerated() {
      for spelling in Set(([entry.name] + entry.spellings).map { $0.lowercased() }) {
        bySpelling[spelling, default: []].append(index)
      }
      for spelling in Set(([entry.name] + entry.spellings).map(Self.fold)) {
        byFolded[spelling, default: []].append(index)
      }
      if let number = entry.number { byNumber[number, default: []].append(index) }
    }
    self.bySpelling = bySpelling
    self.byFolded = byFolded
    self.byNumber = byNumber
  }

  /// Looks up a name, a code, or a number in all tables.
  ///
  /// To look up an error code, this method loads only the table that contains the code.
  package static func lookUp(_ text: String) -> Answer {
    guard let code = SignInCode(bare(text)) else { return whole.lookUp(text) }
    return ErrorGlossary.entry(of: code.number, isCustomer: code.isCustomer).map { .known([$0.provokable]) }
      ?? .unlisted(UnknownSignInCode(code))
  }

  /// Looks up a name, a code, or a number.
  package func lookUp(_ text: String) -> Answer {
    let word = Self.bare(text)
    if let code = SignInCode(word) {
      return entry(of: code).map { .known([$0]) } ?? .unlisted(UnknownSignInCode(code))
    }
    if let number = Self.number(word) { return lookUp(number, written: word) }
    // A copied call may include its arguments.
    let called = String(word.prefix { $0 != "(" && $0 != ":" })
    for name in [word, called, Self.lastComponent(called)] {
      let found = named(name)
      if !found.isEmpty { return .known(found) }
    }
    return .unknown(suggestions: nearest(to: word))
  }

  /// Returns the entries with this spelling, ignoring case. If there are no such entries, the method also ignores `-`,
  /// `_`, spaces, and MSAL's prefixes.
  package func named(_ name: String) -> [GlossaryEntry] {
    let found = bySpelling[name.lowercased()] ?? byFolded[Self.fold(name)] ?? []
    return found.map { entries[$0] }
  }

  /// Returns the entry for a code such as `AADSTS65001`.
  package func entry(of code: SignInCode) -> GlossaryEntry? {
    byNumber[code.number]?.map { entries[$0] }.first { $0.topic == (code.isCustomer ? .customerError : .signInError) }
  }

  /// Returns the entries with exactly this number.
  package func numbered(_ number: Int) -> [GlossaryEntry] { (byNumber[number] ?? []).map { entries[$0] } }

  private func lookUp(_ number: Int, written word: String) -> Answer {
    // MSAL's codes are negative, but they are often copied without the minus sign.
    var found = number < 0 ? numbered(number) : numbered(number) + numbered(-number)
    for entry in (bySpelling[word] ?? []).map({ entries[$0] }) where !found.contains(entry) { found.append(entry) }
    if !found.isEmpty { return .known(found) }
    let code = SignInCode(number: number)
    if (10_000...99_999_999).contains(number), AADSTS.nearby(number).isInKnownRange {
      return .unlisted(UnknownSignInCode(code))
    }
    return .unknown(suggestions: nearestNumbers(to: word))
  }

  private func nearest(to word: String) -> [String] {
    var candidates = Set(entries.map(\.name))
    var found: [String] = []
    while found.count < 3, let next = Suggestion.nearest(to: word, among: candidates.sorted()) {
      found.append(next)
      candidates.remove(next)
    }
    return found
  }

  private func nearestNumbers(to word: String) -> [String] {
    let digits = String(word.drop { !$0.isNumber })
    let numbers = byNumber.keys.sorted().filter { $0 < 0 }.map { String(-$0) }
    var candidates = Set(numbers)
    var found: [String] = []
    while found.count < 3, let next = Suggestion.nearest(to: digits, among: candidates.sorted()) {
      found.append("-\(next)")
      candidates.remove(next)
    }
    return found
  }

  /// Returns the text without surrounding quotes, spaces, or punctuation.
  private static func bare(_ text: String) -> String {
    var word = text[...]
    while let first = word.first, first.isWhitespace || "\"'`“”‘’([.".contains(first) { word.removeFirst() }
    while let last = word.last, last.isWhitespace || "\"'`“”‘’)]:,;.".contains(last) { word.removeLast() }
    return String(word)
  }

  /// Parses a decimal number with an optional hyphen or minus sign.
  private static func number(_ word: String) -> Int? {
    Int(word.replacing("\u{2212}", with: "-").replacing("\u{2013}", with: "-"))
  }

  /// Returns the last component of a qualified name, such as `interactionRequired` for `MSALError.interactionRequired`.
  private static func lastComponent(_ word: String) -> String {
    word.split(separator: ".").last.map(String.init) ?? word
  }

  private static func fold(_ word: String) -> String {
    var word = word.lowercased().filter { $0 != "-" && $0 != "_" && $0 != " " }
    for prefix in ["msalinternalerror", "msalinternal", "msalerror", "msiderror"]
    where word.hasPrefix(prefix) && word.count > prefix.count {
      word.removeFirst(prefix.count)
      break
    }
    return word
  }
}

/// An error code such as `AADSTS65001` or `AADB2C90118`, in any format.
package struct SignInCode: Hashable, Sendable {
  package var number: Int
  package var isCustomer: Bool

  package init(number: Int, isCustomer: Bool = false) {
    self.number = number
    self.isCustomer = isCustomer
  }

  /// Parses a code such as `AADSTS65001`, `aadsts 65001`, or `AADSTS-65001`. Returns nil for any other text.
  package init?(_ text: String) {
    let upper = text.uppercased()
    for (prefix, isCustomer) in [("AADSTS", false), ("AADB2C", true)] where upper.hasPrefix(prefix) {
      let rest = upper.dropFirst(prefix.count).drop { " \t_-:#".contains($0) }
      guard (4...9).contains(rest.count), rest.allSatisfy(\.isASCII), let number = Int(rest), number > 0 else {
        return nil
      }
      self.init(number: number, isCustomer: isCustomer)
      return
    }
    return nil
  }

  /// The code in its standard format, such as `AADSTS65001`.
  package var code: String { (isCustomer ? "AADB2C" : "AADSTS") + String(number) }
}

/// An error code that no table contains, with the information that its number provides.
package struct UnknownSignInCode: Hashable, Sendable {
  package var code: SignInCode

  package init(_ code: SignInCode) { self.code = code }

  /// Sentences with information about the code.
  package var words: [String] {
    if code.isCustomer {
      return [
        "\(code.code) is not in authflow's table of Azure AD B2C errors.",
        "B2C describes the error after the code in error_description. MSAL uses the OAuth error in the response.",
      ]
    }
    let nearby = AADSTS.nearby(code.number)
    var words = ["\(code.code) is not in authflow's table of Microsoft Entra ID errors."]
    if nearby.isInKnownRange { words.append("Codes that start with the same two digits are \(nearby.range).") }
    if let shorter = nearby.shorter {
      words.append(
        "Longer codes often refine a shorter code: \(shorter.code) means that \(shorter.meaning).")
    }
    words.append(
      "Apps should handle error and suberror instead of the number. After interaction_required, or invalid_grant for a refresh token, sign in interactively."
    )
    return words
  }

  /// The URL of the reference page for the code. Nil for Azure AD B2C codes.
  package var page: String? { code.isCustomer ? nil : ErrorGlossary.referencePage(code.number) }
}
