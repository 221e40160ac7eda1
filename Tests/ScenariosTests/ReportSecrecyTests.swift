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

/// No form of any run holds a secret, on success and on failure: what is secret is taken from the wire itself.
@Suite struct ReportSecrecyTests {
  /// One scenario in so many: each passes through every form, and the search is long.
  private static let stride = 11

  static let forms: [(name: String, text: @Sendable (TracedRun) -> String)] = [
    ("markdown", { RunMarkdown.text($0, limit: .max) }), ("junit", { JUnitReport().text(RunSuite.record($0)) }),
    ("har", { HTTPArchive.json($0).text() }), ("mermaid", { SequenceMermaid.text(SequenceDiagram($0)) }),
    ("otlp", { RunSpans($0).json.text() }), ("page", { RunPage(story: $0).html() }),
  ]

  /// What a page may hold besides what the trace does.
  private static let pageLimit = 300 * 1024

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
      var story = TerminalRunReport(style: TerminalStyle(color: false, unicode: true, width: 120), detail: detail)
      outputs.append(("terminal", run.events.map { story.tell($0) }.joined()))
    }
    let story = try #require(TraceReader.read(Array(run.trace.utf8), named: "t").story)
    return outputs + forms.map { ($0.name, $0.text(story)) }
  }

  @Test(arguments: ShippedScenariosTests.workflows.indices)
  func noFormOfARunHoldsASecret(_ workflow: Int) async throws {
    let loaded = ShippedScenariosTests.workflows[workflow]
    for (position, test) in loaded.cases().cases.enumerated() where position % Self.stride == 0 {
      let run = await Self.run(test)
      let search = SecretSearch(run.secrets)
      for (form, text) in try Self.outputs(run) {
        let leaks = search.leaks(in: text)
        #expect(leaks.isEmpty, "\(test.name): \(form)")
        if form == "mermaid" { _ = try MermaidReading(sequence: text) }
        if form == "page" {
          #expect(text.utf8.count <= Self.pageLimit + run.trace.utf8.count, "\(test.name): \(text.utf8.count)")
        }
      }
      let reading = TraceReader.read(Array(run.trace.utf8), named: "t")
      #expect(reading.diagnostics.map(\.message) == [], "\(test.name)")
    }
  }

  /// The search finds what is there: each secret of a run, planted in each of its forms.
  @Test func theSearchFindsWhatIsPlanted() async throws {
    let me = ShippedScenariosTests.workflows.first { FilePath.name(of: $0.workflow.document.source.name) == "me.yaml" }
    let run = await Self.run(try #require(me?.cases().cases.first))
    #expect(run.secrets.count >= 10)
    #expect(run.secrets.contains { $0.hasPrefix("eyJ") } && run.secrets.contains { $0.hasPrefix("Fake-") })
    for secret in run.secrets {
      for (word, form) in SecretSearch.forms(secret) {
        #expect(!SecretSearch([secret]).leaks(in: "before \(word) after").isEmpty, "\(form)")
      }
      for shift in 0..<3 {
        let around = Array(repeating: UInt8(7), count: shift) + Array(secret.utf8) + [9]
        #expect(!SecretSearch([secret]).leaks(in: Base64.encode(around)).isEmpty)
      }
    }
    // A trace that was made by a hand that masks nothing is found out.
    let planted = run.trace + "{\"note\":\"\(try #require(run.secrets.first))\"}"
    #expect(!SecretSearch(run.secrets).leaks(in: planted).isEmpty)
  }
}
