// Measures entire scenarios and compares them with the RSA-2048 signing rate of this machine.
//
//     ScenarioBench rates [SECONDS]            on one thread and on two
//     ScenarioBench only FILE NAME [SECONDS]   one scenario of a workflow, on one thread, for a profiler
//     ScenarioBench count FILE NAME TIMES      the same, a fixed number of times, for instruction counts
//     ScenarioBench memory [COUNT]             resident memory during that many first runs
//
// Run it in the folder that contains `Workflows/`. Rates are per second of wall-clock time and of processor time
// ("cpu"), which other programs hardly affect. The last column is the fraction of the rate that would be possible if
// signing the scenario's tokens took all of the time.
import BenchSupport
import Diagnostics
import Documents
import Effects
import RunTrace
import Scenarios
import SimulatedWorld
import SystemWorld
import WorkflowModel
import WorkflowRunner

let world = World.live(http: StubTransport.unreachable())

func cases(in file: String) -> [ScenarioCase] {
  let (loaded, _) = LoadedWorkflow.read(file) { path, options in
    guard let bytes = try? world.files.read(path, limit: 1 << 20) else { fail("cannot read \(path)") }
    return DocumentReader.read(bytes, named: path, options: options)
  }
  guard let loaded else { fail("no workflow: \(file)") }
  return loaded.cases().cases
}

/// A scenario to repeat.
struct Kind: Sendable {
  var test: ScenarioCase
  /// The number of RS256 tokens that the platform signs in the scenario.
  var signatures: Int

  init(_ file: String, _ name: String, signatures: Int) {
    guard let test = cases(in: file).first(where: { $0.name == name }) else { fail("\(file) has no scenario \(name)") }
    self.test = test
    self.signatures = signatures
  }

  @Sendable func run() async {
    let report = await test.run(in: world, tool: "ScenarioBench")
    if report.verdict != .passed { fail("\(test.name) did not pass: \(report.result?.path ?? [])") }
  }
}

let kinds = [
  Kind("Workflows/me.yaml", "first run", signatures: 2),
  Kind("Workflows/me.yaml", "returning user", signatures: 2),
  Kind("Workflows/me.yaml", "MFA required (code from the authenticator app)", signatures: 2),
  Kind("Workflows/claims-challenge.yaml", "sessions revoked while the app runs", signatures: 4),
]

func rates(_ seconds: Double) async {
  for threads in [1, 2] {
    let limit = await measure(threads: threads, seconds: seconds, signing)
    say("threads: \(threads); signing limit \(rounded(limit.perSecond))/s, cpu \(rounded(limit.perSecondAlone))/s")
    for kind in kinds {
      let (rate, beside) = await measureBesideSigning(threads: threads, seconds: seconds, kind.run)
      let possible = beside.perSecondAlone / Double(kind.signatures)
      say(
        "  " + padded(kind.test.name, 54) + padded(rounded(rate.perSecond) + "/s", 12)
          + padded("cpu " + rounded(rate.perSecondAlone) + "/s", 16)
          + rounded(rate.perSecondAlone / possible * 100) + " % of the signing limit")
    }
  }
}

func memory(_ count: Int) async {
  say("at the start: \(rounded(residentMegabytes())) MB")
  var done = 0
  for part in [100, 1_000, 10_000, 100_000] where part <= count {
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<2 {
        let share = (part - done) / 2
        group.addTask { @concurrent in for _ in 0..<share { await kinds[0].run() } }
      }
    }
    done = part
    say("after \(part) scenarios: \(rounded(residentMegabytes())) MB")
  }
}

let arguments = Array(CommandLine.arguments.dropFirst())
let number = arguments.last.flatMap { Double($0) }
switch (arguments.first, arguments.count) {
case ("rates", 1...2), (nil, _): await rates(number ?? 2)
case ("only", 3...4):
  let kind = Kind(arguments[1], arguments[2], signatures: 0)
  let rate = await measure(threads: 1, seconds: number ?? 2, kind.run)
  say("\(kind.test.name): \(rounded(rate.perSecond))/s, cpu \(rounded(rate.perSecondAlone))/s")
case ("count", 4):
  let kind = Kind(arguments[1], arguments[2], signatures: 0)
  for _ in 0..<Int(number ?? 1) { await kind.run() }
case ("memory", 1...2): await memory(Int(number ?? 10_000))
default: fail("usage: ScenarioBench rates | only | count | memory; see main.swift")
}
