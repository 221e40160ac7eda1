import Documents
import Effects
import OrderedCollections

/// The JSON format for a suite's result, version 2. `authflow test` writes this format, and `authflow merge` reads it.
package enum SuiteJSON {
  package static let format = 2

  package static func json(_ suite: SuiteResult) -> JSON {
    var json: JSON = [
      "authflow": "suite", "format": .integer(Int64(format)), "tool": .string(suite.tool),
      "started": .string(suite.started.rfc3339(fractionDigits: 3)), "seconds": seconds(suite.duration),
      "jobs": integer(suite.jobs), "ending": .string(suite.ending.rawValue),
      "suite": ["fingerprint": .string(suite.fingerprint), "scenarios": integer(suite.chosen)],
      "summary": summary(suite), "tests": .array(suite.tests.map(json)),
    ]
    if suite.repeats != 1 { json["repeats"] = integer(suite.repeats) }
    if let seed = suite.seed { json["seed"] = .string(seed) }
    if let shard = suite.shard { json["shard"] = ["index": integer(shard.index), "total": integer(shard.total)] }
    if !suite.shards.isEmpty {
      json["shards"] = .array(
        suite.shards.map {
          [
            "index": integer($0.index), "started": .string($0.started.rfc3339(fractionDigits: 3)),
            "seconds": seconds($0.duration), "jobs": integer($0.jobs), "scenarios": integer($0.scenarios),
          ]
        })
    }
    if let coverage = suite.coverage { json["coverage"] = CoverageJSON.json(coverage) }
    return json
  }

  /// Returns the selected scenarios as JSON.
  package static func listing(_ tests: [TestResult]) -> JSON {
    .array(
      tests.map { test in
        [
          "number": integer(test.number), "file": .string(test.file), "name": .string(test.name),
          "line": integer(test.line), "column": integer(test.column), "tags": strings(test.tags),
        ]
      })
  }

  private static func summary(_ suite: SuiteResult) -> JSON {
    [
      "passed": integer(suite.count(.passed)), "failed": integer(suite.count(.failed)),
      "errors": integer(suite.count(.error)), "skipped": integer(suite.count(.skipped)),
      "total": integer(suite.tests.count),
    ]
  }

  /// Returns a scenario as an element of `tests`.
  package static func json(_ test: TestResult) -> JSON {
    var json: JSON = [
      "number": integer(test.number), "file": .string(test.file), "name": .string(test.name),
      "line": integer(test.line), "column": integer(test.column), "verdict": .string(test.verdict.rawValue),
      "seconds": seconds(test.duration), "elapsed": seconds(test.elapsed),
    ]
    if !test.tags.isEmpty { json["tags"] = strings(test.tags) }
    if let reason = test.reason { json["reason"] = .string(reason) }
    if let failure = test.failure { json["failure"] = self.json(failure) }
    return json
  }

  private static func json(_ failure: TestFailure) -> JSON {
    var json: JSON = [
      "path": strings(failure.path), "problems": .array(failure.problems.map(self.json)),
      "rerun": .string(failure.rerun), "watch": .string(failure.watch),
    ]
    if let expected = failure.expectedPath { json["expectedPath"] = strings(expected) }
    if let outcome = failure.outcome { json["outcome"] = .string(outcome) }
    if let divergence = failure.divergence { json["divergence"] = self.json(divergence) }
    return json
  }

  private static func json(_ problem: TestProblem) -> JSON {
    var json: JSON = [
      "rule": .string(problem.rule), "message": .string(problem.message), "file": .string(problem.file),
    ]
    if let help = problem.help { json["help"] = .string(help) }
    if let line = problem.line { json["line"] = integer(line) }
    if let column = problem.column { json["column"] = integer(column) }
    if !problem.excerpt.isEmpty { json["excerpt"] = .string(problem.excerpt) }
    return json
  }

  private static func json(_ divergence: TestDivergence) -> JSON {
    var json: JSON = ["step": .string(divergence.step), "outcome": .string(divergence.outcome)]
    if !divergence.decisions.isEmpty {
      json["decisions"] = .array(
        divergence.decisions.map {
          ["subject": .string($0.subject), "verdict": .string($0.verdict), "reason": .string($0.reason)]
        })
    }
    if !divergence.codes.isEmpty { json["codes"] = strings(divergence.codes) }
    if let description = divergence.description { json["description"] = .string(description) }
    if let next = divergence.next { json["next"] = .string(next) }
    if let rule = divergence.rule { json["rule"] = .string(rule) }
    return json
  }

  private static func integer(_ number: Int) -> JSON { .integer(Int64(number)) }
  private static func strings(_ texts: [String]) -> JSON { .array(texts.map { .string($0) }) }

  /// Returns a duration in seconds with microsecond precision.
  private static func seconds(_ duration: Duration) -> JSON {
    JSON(number: (duration.inSeconds * 1_000_000).rounded() / 1_000_000)
  }
}
