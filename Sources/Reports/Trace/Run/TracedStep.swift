import Documents
import Effects

/// One entry of a step, from where it was entered to where it led.
package struct TracedStep: Sendable {
  package enum Status: String, Sendable {
    case ok
    /// It failed, and the workflow says what then.
    case handled
    case failed
    case skipped
    /// The trace ends before the step does.
    case unfinished
  }

  /// One try of a step with `retry`.
  package struct Attempt: Hashable, Sendable {
    /// From 1.
    package var number: Int
    package var started: Instant
    /// Nil where the trace ends before.
    package var ended: Instant?
    /// Why there was another one: `offline: attempt 2 after 30s`; nil for the last.
    package var reason: String?
  }

  /// What went wrong, in the words of each side.
  package struct Failure: Sendable {
    /// MSAL's name.
    package var msal: String?
    /// `AADSTS50076`.
    package var code: String?
    /// The OAuth error.
    package var oauth: String?
    package var suberror: String?
    package var description: String?
    /// All of it, as the trace has it.
    package var all: JSON
  }

  /// The step's id; inside `use` with the ids above: `login/silent`, and in `parallel` with its number: `silent#2`.
  package var id: String
  /// `silent`, `callGraph`, …
  package var kind: String
  /// Its number in the run, from 1; nil for a skipped one.
  package var number: Int?
  package var description: String?
  package var place: TracedLocation?
  /// The app that it is about, by its name in the settings.
  package var client: String?
  /// The step around it, as a position in `TracedRun.steps`: a `use` or a `parallel`.
  package var parent: Int?
  /// How many steps are around it.
  package var depth: Int
  /// Why it was entered: the rule that the machine followed.
  package var enteredBy: String
  package var started: Instant
  package var startedSeq: Int
  package var ended: Instant?
  package var endedSeq: Int?
  /// How long it took by its own word; nil where the trace does not tell.
  package var duration: Duration?
  /// `success`, `interactionRequired`, `skipped`, …; nil while unfinished.
  package var outcome: String?
  /// What the outcome means, in a sentence.
  package var means: String?
  package var verdict: Status
  /// The next step's id, `next`, `success` or `failure`.
  package var next: String?
  /// The transition's rule.
  package var leftBy: String?
  /// In order, at least one but for skipped steps.
  package var attempts: [Attempt]
  package var status: Int?
  package var failure: Failure?
  /// A few words about the step's value.
  package var shows: String?
  package var tokenSource: String?
  /// The account, as an expectation sees it.
  package var account: JSON?
  package var previousAccount: JSON?
  package var webview: String?
  package var prompt: String?
  package var loginHint: String?
  /// Expectations that did not hold, in words.
  package var broken: [String]

  /// Positions in the story's lists of what belongs to this step itself, in order.
  package var decisions: [Int] = []
  package var exchanges: [Int] = []
  package var interactions: [Int] = []
  package var cacheWrites: [Int] = []
  package var children: [Int] = []
}
