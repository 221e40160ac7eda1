import Diagnostics
import Documents
import Effects
import OAuth
import Reports
import RunTrace
import Scenarios
import SimulatedWorld
import Synchronization
import TestSupport
import Testing
import WorkflowModel
import WorkflowRunner

/// Tests that reports do not contain secrets from the requests and responses of a run.
@Suite struct ReportSecrecyTests {
  /// The test covers every Nth scenario, because it renders each scenario in every format and the search is slow.
  private static let stride = 11

  static let formats: [(name: String, text: @Sendable (TracedRun) -> String)] = [
    ("markdown", { RunMarkdown.text($0, limit: .max) }), ("junit", { JUnitReport().text(RunSuite.record($0)) }),
    ("har", { HTTPArchive.json($0).text() }), ("mermaid", { SequenceMermaid.text(SequenceDiagram($0)) }),
    ("otlp", { RunSpans($0).json.text() }), ("page", { RunPage(tracedRun: $0).html() }),
  ]

  /// The maximum size of a page without its trace, in bytes.
  private static let pageLimit = 500 * 1024

  struct Run {
    var secrets: Set<String>
    var events: [TraceEvent]
    var trace: String { events.map(\.line).joined() }
  }

  static func run(_ test: ScenarioCase) async -> Run {
    let stage = ScenarioEnvironment(test.situation, seed: test.seed, world: ShippedScenariosTests.world)
    let events = Mutex<[TraceEvent]>([])
    let trace = TraceRecorder(clock: stage.simulation.clock) { event in events.withLock { $0.append(event) } }
    var setup = stage.setup(tool: "test 1")
    let tap = SecretTap(setup.world.http)
    setup.world.http = tap
    let run = ScenarioRun(test.loaded.workflow, scenario: test.scenario, setup: setup, trace: trace)
    _ = try? await stage.simulation.run { await run.run() }
    return Run(secrets: tap.secrets, events: events.withLock { $0 })
  }

  static func outputs(_ run: Run) throws -> [(name: String, text: String)] {
    var outputs = [("trace", run.trace)]
    for detail in [TerminalRunReport.Detail.normal, .verbose] {
      var report = TerminalRunReport(style: TerminalStyle(color: false, unicode: true, width: 120), detail: detail)
      outputs.append(("terminal", run.events.map { report.text(of: $0) }.joined()))
    }
    let tracedRun = try #require(TraceReader.read(Array(run.trace.utf8), named: "t").tracedRun)
    return outputs + formats.map { ($0.name, $0.text(tracedRun)) }
  }

  @Test(arguments: ShippedScenariosTests.workflows.indices)
  func reportsDoNotContainSecrets(_ workflow: Int) async throws {
    let loaded = ShippedScenariosTests.workflows[workflow]
    for (position, test) in loaded.cases().cases.enumerated() where position % Self.stride == 0 {
      let run = await Self.run(test)
      let search = SecretSearch(run.secrets)
      for (format, text) in try Self.outputs(run) {
        let leaks = search.leaks(in: text)
        #expect(leaks.isEmpty, "\(test.name): \(format)")
        if format == "mermaid" { _ = try MermaidSequence(sequence: text) }
        if format == "page" {
          #expect(text.utf8.count <= Self.pageLimit + run.trace.utf8.count, "\(test.name): \(text.utf8.count)")
        }
      }
      let result = TraceReader.read(Array(run.trace.utf8), named: "t")
      #expect(result.diagnostics.map(\.message) == [], "\(test.name)")
    }
  }

  @Test func theSearchFindsEverySecretInEveryEncoding() async throws {
    let me = ShippedScenariosTests.workflows.first { FilePath.name(of: $0.workflow.document.source.name) == "me.yaml" }
    let run = await Self.run(try #require(me?.cases().cases.first))
    #expect(run.secrets.count >= 10)
    #expect(run.secrets.contains { $0.hasPrefix("eyJ") } && run.secrets.contains { $0.hasPrefix("Fake-") })
    for secret in run.secrets {
      for (text, encoding) in SecretSearch.encodings(secret) {
        #expect(!SecretSearch([secret]).leaks(in: "before \(text) after").isEmpty, "\(encoding)")
      }
      for shift in 0..<3 {
        let surrounded = Array(repeating: UInt8(7), count: shift) + Array(secret.utf8) + [9]
        #expect(!SecretSearch([secret]).leaks(in: Base64.encode(surrounded)).isEmpty)
      }
    }
    // The search detects an unmasked secret in a trace.
    let planted = run.trace + "{\"note\":\"\(try #require(run.secrets.first))\"}"
    #expect(!SecretSearch(run.secrets).leaks(in: planted).isEmpty)
  }
}
