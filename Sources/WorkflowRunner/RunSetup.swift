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
  /// The method for enforcing a step's `timeout`.
  package enum Timeouts: Sendable {
    /// The run cancels the step after the timeout.
    case canceling
    /// The step runs to its end. It counts as timed out if it took longer than the timeout on the virtual clock.
    case measured
  }

  /// Creates a browser that follows the user behavior, loads pages over the transport, and records the pages in the
  /// trace.
  package typealias BrowserFactory =
    @Sendable (ResolvedUserBehavior, any HTTPTransport, TraceRecorder) -> any Browser

  package var platform: String
  package var world: World
  /// The apps by name. The first app is the default.
  package var clients: OrderedDictionary<String, ResolvedSettings>
  /// A closure that returns an app's token store.
  package var store: @Sendable (ResolvedSettings) -> any BlobStore
  package var browser: BrowserFactory
  /// The transport for pages if it differs from the app's transport. A recording contains the app's requests but does
  /// not contain pages.
  package var pages: (any HTTPTransport)?
  /// The device mode, such as shared device mode.
  package var deviceMode: DeviceMode
  /// The default user behavior.
  package var user: UserBehaviors?
  package var inputs: OrderedDictionary<String, JSON>
  /// The preconditions.
  package var given: [ScriptedEvent] = []
  /// The events to simulate before specific steps.
  package var before: BeforeSteps = [:]
  package var timeouts: Timeouts
  /// The maximum duration of a `wait`, or nil for a virtual clock.
  package var longestWait: Duration?
  /// Whether the platform has a control interface, which also reports request counts.
  package var hasControl = false
  /// A closure that sets the run's clock. Nil if the run cannot set the clock.
  package var setClock: (@Sendable (Instant) -> Void)?
  /// Whether the run can damage or replace the token cache. This is not allowed for a saved cache.
  package var ownsCache = false
  package var tool: String
  /// The W3C trace ID for requests, as 32 hexadecimal digits. With this ID, the requests become part of another
  /// program's trace. Nil to send requests without a trace ID.
  package var traceID: String?
  /// The folder to which file names in the trace are relative, or nil to keep the names unchanged.
  package var baseFolder: String?
  /// Whether requests leave the process.
  package var isLive = false
  /// The files that this run and earlier runs wrote.
  package var outputs: any OutputRecord = DiscardedOutputs()
  /// A closure that receives each acquired token, for commands that print tokens.
  package var takeToken: (@Sendable (TokenResult) -> Void)?
  /// The run's debugger, which can suspend the run.
  package var debugger: (any RunDebugger)?
  /// A closure that suspends or resumes the timers of a virtual clock, which fire when the run waits. Nil for other
  /// clocks.
  package var suspendTimers: (@Sendable (_ isSuspended: Bool) -> Void)?

  package init(
    platform: String, world: World, clients: OrderedDictionary<String, ResolvedSettings>,
    store: @escaping @Sendable (ResolvedSettings) -> any BlobStore,
    browser: @escaping BrowserFactory,
    deviceMode: DeviceMode = .default, user: UserBehaviors? = nil, inputs: OrderedDictionary<String, JSON> = [:],
    timeouts: Timeouts, longestWait: Duration? = nil, tool: String
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
  }
}

/// The record of files that workflows wrote. A run can replace only these files.
package protocol OutputRecord: Sendable {
  /// Returns whether a workflow wrote the file and the file has not changed since.
  func contains(_ path: String) -> Bool
  /// Adds a file that a workflow wrote.
  func add(_ path: String, _ bytes: [UInt8])
}

/// A record that accepts every file and stores nothing.
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
  /// The transitions of the machine, including transitions in nested workflows, for coverage.
  package var transitions: [TakenTransition]
  /// The number of interactions, excluding interactions in the preconditions.
  package var interactions: Int
  /// The number of pages that the user saw in these interactions. Always zero with a real browser.
  package var pages: Int
  /// The number of requests by target (`token`, `authorize`, `graph`), excluding requests in the preconditions.
  package var requests: [String: Int]
  /// The usernames of the remaining accounts, without duplicates.
  package var accounts: [String]
  /// The locations of faults that no request triggered.
  package var unmetFaults: [FileSpan]
  /// The steps with `before` events that the run did not reach.
  package var unmetBefore: [BeforeStep]
  /// The unresolved value that made a `before` event fail and ended the run, or nil.
  package var impossible: UnresolvedValue?
  package var context: EvaluationContext
  /// The state at the end of the run, for a debugger. Nil without a debugger.
  package var inspection: RunInspection?

  package var succeeded: Bool { ending.succeeded }
}
