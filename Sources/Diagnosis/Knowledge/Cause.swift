/// A known cause of a failed sign-in: how to recognize it, how to fix it, and a workflow that reproduces it.
///
/// Each file `Data/causes/<id>.yaml` contains one cause.
package struct Cause: Sendable {
  /// The frequency with which developers encounter a cause.
  package enum Prior: String, Sendable, CaseIterable {
    case common, usual, rare

    /// The log-odds that this frequency adds to the score.
    var weight: Double {
      switch self {
      case .common: 0.5
      case .usual: 0
      case .rare: -0.5
      }
    }
  }

  /// Another cause that can produce the same text, and the information that distinguishes the two.
  package struct Discriminator: Sendable {
    package var cause = ""
    /// The distinguishing information, as a noun phrase.
    package var tell = ""
  }

  /// A setting in the app's files that a fix can change.
  package enum Subject: String, Sendable, CaseIterable {
    case redirectURI, clientID, authority, scopes, urlSchemes, querySchemes, keychainGroups, intentFilters, secrets
  }

  /// The stable ID: the file name without its extension.
  package var id = ""
  /// The defect, as a lowercase noun phrase.
  package var title = ""
  package var prior = Prior.usual
  package var explanation = ""
  /// Sentences with captures in braces. A sentence is shown only if the input contains all its captures.
  package var details: [String] = []
  var recognizers: [Recognizer] = []
  /// The codes that this cause can produce, as users see them.
  package var codes: [String] = []
  package var discriminators: [Discriminator] = []
  /// The information that would determine the cause, as a noun phrase, or nil.
  package var needs: String?
  /// The fixes by platform. The `default` key is always present.
  package var fix: [String: String] = [:]
  /// The settings in the app's files that the fix changes.
  package var concerns: [Subject] = []
  /// The IDs of the validation rules that detect the defect before the app runs.
  package var rules: [String] = []
  /// The code in the trace of the reproducing workflow, or nil if no workflow reproduces the cause.
  package var reproduces: String?
  /// The reason why no workflow reproduces the cause, and the place to check instead, or nil if a workflow does.
  package var unreproducible: String?

  /// Whether the cause consists only of a code from the error tables.
  package var isGeneric = false

  package init() {}

  /// Returns the fix for the first of these platforms that has a specific fix, or the default fix.
  package func fix(for platforms: [String]) -> String {
    platforms.lazy.compactMap { fix[$0] }.first ?? fix["default"] ?? ""
  }
}

/// Evidence for or against a cause: phrases and facts that an input must or must not contain, and their weight.
struct Recognizer: Sendable {
  /// The strength of the evidence that a recognizer match provides for a cause.
  enum Strength: String, Sendable, CaseIterable {
    case decisive, strong, medium, weak, hint, faint, against, excludes

    /// The log-odds that the match adds to the score.
    var weight: Double {
      switch self {
      case .decisive: 7
      case .strong: 4.5
      case .medium: 3
      case .weak: 1.5
      case .hint: 0.7
      case .faint: 0.3
      case .against: -2
      case .excludes: -7
      }
    }
  }

  /// Alternative phrases, at least one of which must occur. Empty if the recognizer depends only on facts.
  var texts: [Phrase] = []
  /// Facts that must all be present.
  var facts: [FactPattern] = []
  /// Facts and phrases that must be absent.
  var withoutFacts: [FactPattern] = []
  var withoutTexts: [Phrase] = []
  var strength = Strength.hint
}

/// A fact name such as `aadsts:50011`, or a pattern for several fact names, such as `redirect:ms*`.
struct FactPattern: Sendable, Hashable {
  let name: String
  let isPrefix: Bool

  init(_ text: String) {
    isPrefix = text.hasSuffix("*")
    name = (isPrefix ? String(text.dropLast()) : text).lowercased()
  }
}
