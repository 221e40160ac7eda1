/// A glossary entry, as displayed by `authflow explain`.
///
/// The text comes from data files, so it can start with a lowercase letter and end without a period.
package struct GlossaryEntry: Hashable, Sendable {
  /// The topic of an entry. The cases are ordered from the most specific to the least specific.
  package enum Topic: String, Hashable, Sendable, CaseIterable {
    case signInError = "sign-in-error"
    case customerError = "b2c-error"
    case suberror
    case msalInternalError = "msal-internal-error"
    case msalError = "msal-error"
    case libraryError = "library-error"
    case oauthError = "oauth-error"
    case identityCoreError = "identity-core-error"
    case userInfoKey = "user-info-key"
    case stepKind = "step"
    case stepKey = "step-key"
    case outcome
    case event
    case misbehavior
    case word
    case workflowKey = "workflow-key"
    case scenarioKey = "scenario-key"
    case eventKey = "event-key"
    case directoryKey = "directory-key"
    case settingsKey = "settings-key"
    case rule
    case claim
    case parameter
    case term

    /// The display name of the topic.
    package var title: String {
      switch self {
      case .signInError: "Microsoft sign-in error"
      case .customerError: "Azure AD B2C error"
      case .suberror: "OAuth suberror"
      case .msalInternalError: "MSAL internal error code"
      case .msalError: "MSAL error"
      case .libraryError: "error from another MSAL library"
      case .oauthError: "OAuth error"
      case .identityCoreError: "IdentityCore error code"
      case .userInfoKey: "userInfo key in MSAL errors"
      case .stepKind: "step type"
      case .stepKey: "step key"
      case .outcome: "step outcome"
      case .event: "simulated event"
      case .misbehavior: "emulator misbehavior"
      case .word: "result field for expectations and captures"
      case .workflowKey: "workflow key"
      case .scenarioKey: "scenario key"
      case .eventKey: "simulated event key"
      case .directoryKey: "directory file key"
      case .settingsKey: "settings key"
      case .rule: "`authflow validate` rule"
      case .claim: "token claim"
      case .parameter: "request parameter"
      case .term: "term"
      }
    }
  }

  /// A labeled fact, for example `OAuth error: invalid_grant, suberror consent_required`.
  package struct Fact: Hashable, Sendable {
    package var label: String
    package var text: String

    package init(_ label: String, _ text: String) {
      self.label = label
      self.text = text
    }
  }

  package var topic: Topic
  /// The name as it appears in code and logs, for example `AADSTS65001` or `MSALErrorInteractionRequired`.
  package var name: String
  /// The error number, for example -50002 or 65001.
  package var number: Int?
  /// The alternative spellings. Spellings that differ only in case, `-`, and `_` are not listed.
  package var spellings: [String]
  package var meaning: String
  package var verdict: Verdict
  /// The cause, if the meaning does not explain it.
  package var cause: String?
  package var facts: [Fact]
  /// A description of how MSAL handles the error and which error the app receives.
  package var reaction: String?
  /// The recommended action for the app or its developer.
  package var advice: String
  /// The names of related entries.
  package var related: [String]
  /// The outcomes, codes, OAuth errors, and step types that represent this entry in workflows.
  package var shownAs: [String]

  package init(
    _ topic: Topic, _ name: String, number: Int? = nil, spellings: [String] = [], _ verdict: Verdict, meaning: String,
    cause: String? = nil, facts: [Fact] = [], reaction: String? = nil, advice: String, related: [String] = [],
    shownAs: [String] = []
  ) {
    self.topic = topic
    self.name = name
    self.number = number
    self.spellings = spellings
    self.verdict = verdict
    self.meaning = meaning
    self.cause = cause
    self.facts = facts
    self.reaction = reaction
    self.advice = advice
    self.related = related
    self.shownAs = shownAs
  }
}
