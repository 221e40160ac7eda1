/// One thing that can be looked up, with what a developer who has met it wants to know.
///
/// Sentences may begin in lower case and end without a full stop, as the tables that they come from have them.
package struct GlossaryEntry: Hashable, Sendable {
  /// What sort of thing it is. The order is that from the most to the least specific.
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

    /// What it is called in front of people.
    package var words: String {
      switch self {
      case .signInError: "error of Microsoft's sign-in service"
      case .customerError: "error of Azure AD B2C"
      case .suberror: "suberror, the finer word beside an OAuth error"
      case .msalInternalError: "internal code of MSAL"
      case .msalError: "error of MSAL"
      case .libraryError: "error of another library"
      case .oauthError: "OAuth error"
      case .identityCoreError: "code of the layer below MSAL"
      case .userInfoKey: "key of an MSAL error's userInfo"
      case .stepKind: "kind of step"
      case .stepKey: "key of a step"
      case .outcome: "outcome of a step"
      case .event: "something that can happen"
      case .misbehavior: "way in which the emulated platform can misbehave"
      case .word: "word for expectations and captures"
      case .workflowKey: "key of a workflow"
      case .scenarioKey: "key of a scenario"
      case .eventKey: "key of a simulated event"
      case .directoryKey: "key of a directory file"
      case .settingsKey: "key of the settings"
      case .rule: "rule of `authflow validate`"
      case .claim: "claim of a token"
      case .parameter: "parameter of a request"
      case .term: "term"
      }
    }
  }

  /// A short fact with its name: `comes as: invalid_grant, consent_required`.
  package struct Fact: Hashable, Sendable {
    package var label: String
    package var text: String

    package init(_ label: String, _ text: String) {
      self.label = label
      self.text = text
    }
  }

  package var topic: Topic
  /// As it is written in the field: `AADSTS65001`, `MSALErrorInteractionRequired`.
  package var name: String
  /// The number, where it has one: -50002, 65001.
  package var number: Int?
  /// Other ways to write it, besides those that differ in letter case, `-` and `_` only.
  package var spellings: [String]
  package var meaning: String
  /// What to do, or what it is, in one line.
  package var verdict: Verdict
  /// How it comes about, where the meaning does not say it.
  package var cause: String?
  package var facts: [Fact]
  /// What MSAL does with it, and what the app sees.
  package var reaction: String?
  /// What an app, or whoever looks after it, should do.
  package var advice: String
  /// Names of other entries.
  package var related: [String]
  /// The words by which workflows show it: an outcome, a code, an OAuth error, a kind of step.
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
