import AppRegistration
import Diagnostics
import Documents
import Effects
import OrderedCollections
import PublicClient
import RunTrace
import WorkflowModel

/// The environment and the options of a run.
package struct RunSetup: Sendable {
  /// The enforcement of a step's `timeout`.
  package enum Timeouts: Sendable {
    /// The step is canceled after the timeout.
    case canceling
    /// The step completes, and counts as timed out if it took longer on the clock. For virtual clocks.
    case measured
  }

  package var platform: String
  package var world: World
  /// The apps by name. The first is the default.
  package var clients: OrderedDictionary<String, ResolvedSettings>
  /// Returns the token store of an app.
  package var store: @Sendable (ResolvedSettings) -> any BlobStore
  /// Returns a browser with a user behavior that loads pages over a transport.
  package var browser: @Sendable (ResolvedUserBehavior, any HTTPTransport) -> any Browser
  /// The transport for pages, if it differs from the app's. A recording contains the app's requests and no pages.
  package var pages: (any HTTPTransport)?
  /// Whether the device is shared.
  package var deviceMode: DeviceMode
  /// The default user behavior.
  package var user: UserBehaviors?
  package var inputs: OrderedDictionary<String, JSON>
  /// The preconditions.
  package var given: [ScriptedEvent] = []
  /// Events before certain steps.
  package var before: BeforeSteps = [:]
  package var timeouts: Timeouts
  /// The maximum duration of a `wait`, or nil for a virtual clock.
  package var longestWait: Duration?
  /// Whether the platform has a control interface, which also reports request counts.
  package var hasControl = false
  /// Sets the clock of the run. Nil if it cannot be set.
  package var setClock: (@Sendable (Instant) -> Void)?
  /// Whether the run can damage or replace the token cache. A saved cache cannot be.
  package var ownsCache = false
  package var tool: String
  /// The W3C trace ID for requests, 32 hexadecimal digits, to join another program's trace, or nil.
  package var traceID: String?
  /// The folder for relative file names in the trace, or nil for unchanged names.
  package var baseFolder: String?
  /// Whether requests leave the process.
  package var isLive = false
  /// The outputs of this run and of earlier ones.
  package var outputs: any OutputRecord = DiscardedOutputs()
  /// Receives each acquired token, for commands that print it.
  package var takeToken: (@Sendable (TokenResult) -> Void)?
  /// Called before each step. Returns false to end the run.
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

/// The files that workflows wrote. A run can replace only these.
package protocol OutputRecord: Sendable {
  /// Whether a workflow wrote the file and it is unchanged.
  func contains(_ path: String) -> Bool
  /// Adds a written file.
  func add(_ path: String, _ bytes: [UInt8])
}

/// For runs that do not replace files.
package struct DiscardedOutputs: OutputRecord {
  package init() {}
  package func contains(_ path: String) -> Bool { true }
  package func add(_ path: String, _ bytes: [UInt8]) {}
}

/// A failure before the first step.
package enum RunFailure: Error, Sendable {
  /// An app's public client cannot be created.
  case application(MSALError)
  /// A precondition failed.
  case given(UnresolvedValue)
}

/// The result of a run.
package struct RunResult: Sendable {
  package var ending: WorkflowResult
  package var path: [String]
  /// The transitions of the machine, including those of used workflows, for coverage.
  package var transitions: [TakenTransition]
  /// The number of interactions, without preconditions.
  package var interactions: Int
  /// The number of requests by target (`token`, `authorize`, `graph`), without preconditions.
  package var requests: [String: Int]
  /// The unique usernames of the remaining accounts.
  package var accounts: [String]
  /// The locations of faults that never triggered.
  package var unmetFaults: [FileSpan]
  /// The `before` events of steps that the run did not reach.
  package var unmetBefore: [BeforeStep]
  /// The reason that a `before` event failed, which ended the run.
  package var impossible: UnresolvedValue?
  package var knowledge: EvaluationContext

  package var succeeded: Bool { ending.succeeded }
}
