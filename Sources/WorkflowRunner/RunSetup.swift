import AppRegistration
import Diagnostics
import Documents
import Effects
import OrderedCollections
import PublicClient
import RunTrace
import WorkflowModel

/// Everything that a run needs besides the workflow: whoever assembles it decides which world it happens in.
package struct RunSetup: Sendable {
  /// How a step's `timeout` is kept.
  package enum Timeouts: Sendable {
    /// The step is cancelled when the time is over.
    case canceling
    /// The step ends, and counts as timed out where the clock says that it took longer: for clocks that jump.
    case measured
  }

  package var platform: String
  package var world: World
  /// The apps by name; the first is the default.
  package var clients: OrderedDictionary<String, ResolvedSettings>
  /// Where an app keeps its tokens.
  package var store: @Sendable (ResolvedSettings) -> any BlobStore
  /// A browser with that user in front of it, which fetches its pages over the given transport.
  package var browser: @Sendable (ResolvedUserBehavior, any HTTPTransport) -> any Browser
  /// What the browser fetches its pages over, where that is not the app's own way: a recording holds the app's requests
  /// and no pages.
  package var pages: (any HTTPTransport)?
  /// Whose device it is: one user's, or whoever's turn it is.
  package var deviceMode: DeviceMode
  /// Who sits there where the workflow and the step do not say.
  package var user: UserBehaviors?
  package var inputs: OrderedDictionary<String, JSON>
  /// What has happened before the first step.
  package var given: [ScriptedEvent] = []
  /// What happens on the way, right before a step.
  package var before: BeforeSteps = [:]
  package var timeouts: Timeouts
  /// The longest that a `wait` may take; nil where time is virtual.
  package var longestWait: Duration?
  /// Whether the platform has a control interface, where it tells what it counted.
  package var hasControl = false
  /// Sets the run's clock; nil where it is not the run's to set.
  package var setClock: (@Sendable (Instant) -> Void)?
  /// Whether the token cache is the run's own, to be damaged or replaced; one that is kept for later runs is not.
  package var ownsCache = false
  package var tool: String
  /// The W3C trace id that the app's requests carry, 32 hexadecimal digits: where the platform is another program, whose
  /// spans are to join the run's. Nil sends none.
  package var traceID: String?
  /// The folder from which the trace names files, so that it is the same on any machine; nil for the names as they were
  /// given.
  package var baseFolder: String?
  /// Whether requests leave the process.
  package var isLive = false
  /// The outputs of this run and of earlier ones.
  package var outputs: any OutputRecord = DiscardedOutputs()
  /// Told of each token that a step acquires, for a command whose purpose is to hand one over.
  package var takeToken: (@Sendable (TokenResult) -> Void)?
  /// Asked before each step; false ends the run.
  package var mayPerform: (@Sendable (_ step: String, _ outcomesSoFar: [String]) async -> Bool)?

  package init(
    platform: String, world: World, clients: OrderedDictionary<String, ResolvedSettings>,
    store: @escaping @Sendable (ResolvedSettings) -> any BlobStore,
    browser: @escaping @Sendable (ResolvedUserBehavior, any HTTPTransport) -> any Browser,
    deviceMode: DeviceMode = .default, user: UserBehaviors? = nil, inputs: OrderedDictionary<String, JSON> = [:],
    timeouts: Timeouts, longestWait: Duration? = nil, tool: String,
    mayPerform: (@Sendable (String, [String]) async -> Bool)? = nil
  ) {
    self.platform = platform
    self.world = world
    self.clients = clients
    self.store = store
    self.browser = browser
    self.deviceMode = deviceMode
    self.user = user
    self.inputs = inputs
    self.timeouts = timeouts
    self.longestWait = longestWait
    self.tool = tool
    self.mayPerform = mayPerform
  }
}

/// The files that workflows wrote, so that a run replaces its own files and no others.
package protocol OutputRecord: Sendable {
  /// Whether a workflow wrote the file, and nothing changed it since.
  func contains(_ path: String) -> Bool
  /// Records a file after it was written.
  func add(_ path: String, _ bytes: [UInt8])
}

/// For runs whose outputs are discarded: they replace nothing.
package struct DiscardedOutputs: OutputRecord {
  package init() {}
  package func contains(_ path: String) -> Bool { true }
  package func add(_ path: String, _ bytes: [UInt8]) {}
}

/// Why no step was performed.
package enum RunFailure: Error, Sendable {
  /// An app's public client cannot be made.
  case application(MSALError)
  /// What was given could not be brought about.
  case given(UnresolvedValue)
}

/// How a run ended, and what is known of it.
package struct RunResult: Sendable {
  package var ending: WorkflowResult
  package var path: [String]
  /// Where the machine went from each end of a step, also inside of what it uses, for coverage.
  package var transitions: [TakenTransition]
  /// How often a user sat down, from the first step on.
  package var interactions: Int
  /// Requests by target (`token`, `authorize`, `graph`), from the first step on.
  package var requests: [String: Int]
  /// The usernames of the accounts that are left, each once.
  package var accounts: [String]
  /// The faults that nothing ran into, by where they are written.
  package var unmetFaults: [FileSpan]
  /// What was to happen before steps that the run never came to.
  package var unmetBefore: [BeforeStep]
  /// Why something could not happen before a step: the run ended there.
  package var impossible: UnresolvedValue?
  package var knowledge: EvaluationContext

  package var succeeded: Bool { ending.succeeded }
}
