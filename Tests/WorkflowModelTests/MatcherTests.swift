import Documents
import Testing

import WorkflowModel

@Suite struct MatcherTests {
  /// Evaluates a matcher in JSON for a value.
  static func evaluate(_ matcher: String, _ value: JSON) throws -> MatchResult {
    let flow = try workflow(
      "[{\"callGraph\": \"/x\", \"expect\": {\"$\": \(matcher)}}]",
      #""inputs": {"five": {"type": "integer", "default": 5}}"#)
    let context = EvaluationContext(
      facts: StepFacts(), scope: ValueScope(names: flow.inputValues()), stepIDs: flow.stepIDs)
    return try flow.steps[0].expect[0].evaluate(context, own: ["$": value]).result
  }

  static let matchers: [(String, JSON, Bool)] = [
    (#"1"#, 1 as JSON, true), (#"1"#, 1.0, true), (#"1"#, "1", false), (#""1""#, 1, false), (#""a""#, "a", true),
    (#""a""#, "A", false),
    (#"true"#, true, true), (#"true"#, "true", false), (#"null"#, .null, true), (#"[1, 2]"#, [1, 2], true),
    (#"[1, 2]"#, [2, 1], false),
    (#"{"a": 1}"#, ["a": 1], true), (#"{"a": 1}"#, ["a": 1, "b": 2], false),
    (#"{"equals": {"count": 2}}"#, ["count": 2], true),
    (#"{"notEquals": 1}"#, 2, true), (#"{"notEquals": 1}"#, 1, false), (#"{"contains": "gan"}"#, "Megan", true),
    (#"{"contains": "gan"}"#, ["gan"], true), (#"{"contains": "gan"}"#, ["Megan"], false),
    (#"{"contains": 2}"#, [1, 2], true),
    (#"{"startsWith": "Me"}"#, "Megan", true), (#"{"startsWith": "me"}"#, "Megan", false),
    (#"{"endsWith": "an"}"#, "Megan", true),
    (#"{"endsWith": "an"}"#, 5, false), (#"{"matches": "[A-Z][a-z]+"}"#, "Megan", true),
    (#"{"matches": "[A-Z]"}"#, "Megan", false),
    (#"{"exists": true}"#, 1, true), (#"{"exists": false}"#, 1, false), (#"{"exists": true}"#, .null, true),
    (#"{"type": "string"}"#, "x", true), (#"{"type": "integer"}"#, 1.0, true), (#"{"type": "integer"}"#, 1.5, false),
    (#"{"type": "number"}"#, 1, true), (#"{"type": "array"}"#, [], true), (#"{"type": "null"}"#, .null, true),
    (#"{"type": "boolean"}"#, true, true), (#"{"type": "object"}"#, [:], true), (#"{"count": 2}"#, [1, 2], true),
    (#"{"count": 2}"#, "ab", true),
    (#"{"count": {"greaterThan": 1}}"#, [1], false), (#"{"count": 1}"#, ["a": 1], true), (#"{"count": 1}"#, 7, false),
    (#"{"greaterThan": 1}"#, 2, true), (#"{"greaterThan": 1}"#, 1, false), (#"{"greaterThan": 1}"#, "2", false),
    (#"{"lessThan": 1.5}"#, 1, true),
    (#"{"lessThan": "2025-01-02"}"#, "2025-01-01", true), (#"{"lessThan": "2s"}"#, 1.9, true),
    (#"{"greaterThan": "9s"}"#, "1m", true),
    (#"{"greaterThan": 9007199254740992}"#, 9_007_199_254_740_993, true), (#"{"oneOf": [1, "a"]}"#, "a", true),
    (#"{"oneOf": [1, "a"]}"#, 2, false),
    (#"{"not": {"contains": "x"}}"#, "abc", true), (#"{"not": 1}"#, 1, false),
    (#"{"greaterThan": 1, "lessThan": 3}"#, 2, true),
    (#"{"greaterThan": 1, "lessThan": 3}"#, 3, false), (#""${five}""#, 5, true), (#"{"lessThan": "${five}"}"#, 4, true),
  ]

  @Test(arguments: matchers)
  func evaluates(_ matcher: String, _ value: JSON, _ holds: Bool) throws {
    #expect(try Self.evaluate(matcher, value).holds == holds, "\(matcher) on \(value)")
  }

  static let descriptions: [(String, JSON, String, String)] = [
    (#"1"#, 2 as JSON, "1", "2"), (#"{"contains": "x"}"#, "abc", #"a value that contains "x""#, #""abc""#),
    (#"{"count": {"greaterThan": 1}}"#, [1], "a value with a count of greater than 1", "[1]"),
    (#"{"not": {"oneOf": [1, 2]}}"#, 1, "not one of 1, 2", "1"), (#"{"type": "integer"}"#, "x", "an integer", #""x""#),
    (#"{"exists": false}"#, 1, "absent", "1"),
    (#"{"greaterThan": 1, "lessThan": 3}"#, 5, "greater than 1, and less than 3", "5"),
  ]

  @Test(arguments: descriptions)
  func describesTheExpectedValue(_ matcher: String, _ value: JSON, _ expected: String, _ actual: String) throws {
    let result = try Self.evaluate(matcher, value)
    #expect(!result.holds)
    #expect(result.expected == expected)
    #expect(result.actual == actual)
  }

  @Test func truncatesLongValues() throws {
    let result = try Self.evaluate("1", .string(String(repeating: "x", count: 10_000)))
    #expect(result.actual.count == 200)
  }

  /// Tests addresses with result fields, paths, and other steps.
  @Test(arguments: [
    (#""status": 200"#, true), (#""headers.content-type": {"contains": "json"}"#, true),
    (#""headers": {"CONTENT-TYPE": {"contains": "json"}}"#, true),
    (#""headers.etag": {"exists": false}"#, true), (#""error.code": "AADSTS50076""#, true),
    (#""error": {"code": {"startsWith": "AADSTS"}}"#, true),
    (#""idToken.tid": "t""#, true), (#""idToken": {"$.roles[0]": "admin"}"#, true),
    (#""idToken.$.roles[*]": ["admin", "user"]"#, true),
    (#""sent.headers.X-Client": "a""#, true), (#""sent": {"headers": {"x-client": "a"}, "prompt": "login"}"#, true),
    (#""screens": {"contains": "mfa"}"#, true), (#""$.value[0].id": 1"#, true), (#""$.value[*].id": [1, 2]"#, true),
    (#""$..id": {"count": 2}"#, true),
    (#""$.value[?@.id==2].name": ["b"]"#, true), (#""$.none": {"exists": false}"#, true),
    (#""$.value[*].none": {"exists": false}"#, true),
    (#""$.none": null"#, true), (#""$.none": 1"#, false), (#""$": {"$.value": {"count": 2}}"#, true),
    (#""silent.tokenSource": "cache""#, true),
    (#""silent[1].tokenSource": "refreshToken""#, true), (#""silent[3].tokenSource": {"exists": false}"#, true),
    (#""login/silent.$.scopes[0]": "User.Read""#, true), (#""silent#2.outcome": "success""#, true),
    (#""status": "200""#, false),
  ])
  func findsValues(_ expectation: String, _ holds: Bool) throws {
    let flow = try workflow("[\"silent\", {\"id\": \"x\", \"callGraph\": \"/x\", \"expect\": {\(expectation)}}]")
    var facts = StepFacts()
    facts.record("silent", ["tokenSource": "refreshToken"])
    facts.record("silent", ["tokenSource": "cache"])
    facts.record("login/silent", ["$": ["scopes": ["User.Read"]]])
    facts.record("silent#2", ["outcome": "success"])
    let own: JSON = [
      "status": 200, "headers": ["Content-Type": "application/json"], "error": ["code": "AADSTS50076"],
      "idToken": ["tid": "t", "roles": ["admin", "user"]], "sent": ["headers": ["x-client": "a"], "prompt": "login"],
      "screens": ["username", "mfa"], "$": ["value": [["id": 1, "name": "a"], ["id": 2, "name": "b"]]],
    ]
    let context = EvaluationContext(facts: facts, scope: ValueScope(), stepIDs: flow.stepIDs)
    let results = try flow.steps[1].expect.map { try $0.evaluate(context, own: own) }
    #expect(!results.isEmpty)
    #expect(results.allSatisfy(\.holds) == holds, "\(results.map(\.message))")
  }
}
