import Documents
import Effects

extension SuiteJSON {
  package enum ReadError: Error, Hashable, Sendable {
    /// The text is not JSON.
    case unreadable(String)
    /// The JSON is not a suite result.
    case foreign
    /// The file has an unsupported format version.
    case format(Int64)
    /// A member is missing or invalid.
    case member(String)

    package var message: String {
      switch self {
      case .unreadable(let reason): "is not JSON: \(reason)"
      case .foreign: "was not written by `authflow test`"
      case .format(let format):
        "has format version \(format), but this version of authflow requires version \(SuiteJSON.format)"
      case .member(let name): "is invalid: `\(name)` is missing or has a different type"
      }
    }
  }

  /// Decodes a suite result in the JSON format.
  package static func read(_ bytes: [UInt8]) throws(ReadError) -> SuiteResult {
    let json: JSON
    do throws(JSONSyntaxError) {
      json = try JSON(parsing: bytes)
    } catch {
      throw .unreadable(error.description)
    }
    guard json["authflow"]?.string == "suite" else { throw .foreign }
    let format = json["format"]?.integer ?? 0
    guard format == Self.format else { throw .format(format) }
    guard let tool = json["tool"]?.string else { throw .member("tool") }
    guard let started = json["started"]?.string.flatMap({ Instant(rfc3339: $0) }) else { throw .member("started") }
    var suite = SuiteResult(tool: tool, started: started)
    suite.duration = try duration(json, "seconds")
    suite.jobs = try number(json, "jobs")
    if json["repeats"] != nil { suite.repeats = try number(json, "repeats") }
    suite.seed = json["seed"]?.string
    guard let ending = json["ending"]?.string.flatMap(SuiteResult.Ending.init) else { throw .member("ending") }
    suite.ending = ending
    guard let whole = json["suite"], let fingerprint = whole["fingerprint"]?.string else { throw .member("suite") }
    suite.fingerprint = fingerprint
    suite.chosen = try number(whole, "scenarios")
    if let shard = json["shard"] {
      suite.shard = SuiteResult.Shard(index: try number(shard, "index"), total: try number(shard, "total"))
      guard let shard = suite.shard, shard.total > 0, (1...shard.total).contains(shard.index) else {
        throw .member("shard")
      }
    }
    for shard in json["shards"]?.array ?? [] {
      guard let started = shard["started"]?.string.flatMap({ Instant(rfc3339: $0) }) else { throw .member("shards") }
      suite.shards.append(
        SuiteResult.ShardSummary(
          index: try number(shard, "index"), started: started, duration: try duration(shard, "seconds"),
          jobs: try number(shard, "jobs"), scenarios: try number(shard, "scenarios")))
    }
    guard let tests = json["tests"]?.array else { throw .member("tests") }
    for test in tests { suite.tests.append(try record(test)) }
    if let coverage = json["coverage"] {
      guard let records = CoverageJSON.read(coverage) else { throw .member("coverage") }
      suite.coverage = records
    }
    return suite
  }

  private static func record(_ json: JSON) throws(ReadError) -> TestResult {
    guard let verdict = json["verdict"]?.string.flatMap(TestResult.Status.init) else { throw .member("verdict") }
    var test = TestResult(
      number: try number(json, "number"), file: try text(json, "file"), name: try text(json, "name"),
      line: try number(json, "line"), column: try number(json, "column"), verdict: verdict)
    test.duration = try duration(json, "seconds")
    // The elapsed time can be negative, because a scenario can set its clock back.
    test.elapsed = try duration(json, "elapsed", orLess: true)
    test.tags = texts(json["tags"])
    test.reason = json["reason"]?.string
    if let failure = json["failure"] { test.failure = try self.failure(failure) }
    return test
  }

  private static func failure(_ json: JSON) throws(ReadError) -> TestFailure {
    var failure = TestFailure()
    failure.expectedPath = json["expectedPath"].map(texts)
    failure.path = texts(json["path"])
    failure.outcome = json["outcome"]?.string
    failure.rerun = json["rerun"]?.string ?? ""
    failure.watch = json["watch"]?.string ?? ""
    for problem in json["problems"]?.array ?? [] {
      failure.problems.append(
        TestProblem(
          rule: try text(problem, "rule"), message: try text(problem, "message"), help: problem["help"]?.string,
          file: try text(problem, "file"), line: problem["line"]?.integer.map { Int($0) },
          column: problem["column"]?.integer.map { Int($0) }, excerpt: problem["excerpt"]?.string ?? ""))
    }
    if let object = json["divergence"] {
      var divergence = TestDivergence(step: try text(object, "step"), outcome: try text(object, "outcome"))
      for decision in object["decisions"]?.array ?? [] {
        divergence.decisions.append(
          .init(
            subject: try text(decision, "subject"), verdict: try text(decision, "verdict"),
            reason: try text(decision, "reason")))
      }
      divergence.codes = texts(object["codes"])
      divergence.description = object["description"]?.string
      divergence.next = object["next"]?.string
      divergence.rule = object["rule"]?.string
      failure.divergence = divergence
    }
    return failure
  }

  private static func text(_ json: JSON, _ name: String) throws(ReadError) -> String {
    guard let text = json[name]?.string else { throw .member(name) }
    return text
  }

  private static func texts(_ json: JSON?) -> [String] { json?.array?.compactMap(\.string) ?? [] }

  private static func number(_ json: JSON, _ name: String) throws(ReadError) -> Int {
    guard let number = json[name]?.integer, number >= 0, number < 1 << 40 else { throw .member(name) }
    return Int(number)
  }

  private static func duration(
    _ json: JSON, _ name: String, orLess: Bool = false
  ) throws(ReadError) -> Duration {
    guard let seconds = json[name]?.number, seconds >= 0 || orLess, abs(seconds) < 1e12 else { throw .member(name) }
    return .microseconds(Int64((seconds * 1_000_000).rounded()))
  }
}
