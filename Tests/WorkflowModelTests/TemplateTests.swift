import Diagnostics
import Documents
import Testing

import WorkflowModel

@Suite struct TemplateTests {
  static let scope = scope([
    "who": "Megan", "count": 3, "half": 0.5, "yes": true, "list": ["a", 1], "gone": nil,
    "tricky": "${secret:SEED} $${x} \"},{\"",
  ])

  static func scope(_ names: JSON) -> ValueScope {
    ValueScope(
      names: names.object ?? ValueScope().names,
      externalValues: ExternalValues(
        environment: { $0 == "HOME" ? "/home/megan" : nil }, secret: { $0 == "SEED" ? "JBSWY3DP" : nil }))
  }

  static let filled: [(String, JSON)] = [
    ("plain", "plain" as JSON), ("${who}", "Megan"), ("hello ${who}!", "hello Megan!"), ("${who}${who}", "MeganMegan"),
    ("${count}", 3), ("n=${count}", "n=3"), ("${half}", 0.5), ("${yes}", true), ("is ${yes}", "is true"),
    ("${list}", ["a", 1]), ("l=${list}", #"l=["a",1]"#), ("${env:HOME}/x", "/home/megan/x"),
    ("${secret:SEED}", "JBSWY3DP"),
    ("$${who}", "${who}"), ("$$", "$$"), ("a$b", "a$b"), ("$${${who}}", "${Megan}"), ("${gone}", .null), ("", ""),
    ("$", "$"), ("{who}", "{who}"), ("${none}", .null),
  ]

  @Test(arguments: filled)
  func resolves(_ text: String, _ value: JSON) throws {
    #expect(try Template(parsing: text).resolved(in: Self.scope) == value)
  }

  @Test(arguments: [
    "${", "${a", "${}", "${a b}", "${a.b}", "${a:b}", "${env:}", "${secret:a b}", "${${who}}", "${a${b}}", "${1+1:2}",
  ])
  func rejects(_ text: String) {
    #expect(throws: Template.Malformed.self) { try Template(parsing: text) }
  }

  /// Resolved values are data, so they are not parsed as templates again.
  @Test func doesNotParseResolvedValuesAsTemplates() throws {
    let filled = try Template(parsing: "${tricky}").resolved(in: Self.scope)
    #expect(filled == "${secret:SEED} $${x} \"},{\"")
    let inside = try Template(parsing: "<${tricky}>").resolved(in: Self.scope)
    #expect(inside == "<${secret:SEED} $${x} \"},{\">")
  }

  @Test(arguments: ["${env:NOPE}", "${secret:NOPE}", "x ${gone}", "x ${none}"])
  func reportsUnsetValues(_ text: String) {
    #expect(throws: UnresolvedValue.self) { try Template(parsing: text).resolved(in: Self.scope) }
  }

  @Test func bodiesKeepTheirStructure() throws {
    let flow = try workflow(
      #"[{"callGraph": {"post": "/me/events", "body": {"n": "${count}", "who": {"name": "${who}"}, "gone": "${gone}", "none": null, "list": ["${gone}", "${count}"]}}}]"#,
      #""inputs": {"count": {"type": "integer", "default": 3}, "who": {"default": "Megan"}, "gone": {}}"#)
    guard case .callGraph(let call) = flow.steps[0].action, case .json(let body)? = call.request.body else {
      Issue.record("no body")
      return
    }
    let value = try body.resolved(in: ValueScope(names: flow.inputValues()))
    #expect(value == ["n": 3, "who": ["name": "Megan"], "none": nil, "list": [3]])
  }

  /// The parameter determines the error for an invalid value.
  @Test func validatesResolvedValues() throws {
    let flow = try workflow(
      #"[{"wait": "${long}"}, {"silent": {"forceRefresh": "${long}", "scopes": "${scopes}"}}]"#,
      #""inputs": {"long": {"default": "soon"}, "scopes": {"type": "array", "default": ["A", "B"]}}"#)
    let scope = ValueScope(names: flow.inputValues())
    guard case .wait(let length) = flow.steps[0].action, case .silent(let silent) = flow.steps[1].action else { return }
    do {
      _ = try length.resolved(in: scope)
      Issue.record("the value was accepted")
    } catch {
      #expect(error.message == "invalid duration `soon`")
      #expect(error.place?.start.column ?? 0 > 1)
    }
    #expect(throws: UnresolvedValue.self) { try silent.forceRefresh?.resolved(in: scope) }
    #expect(try silent.token.scopes?.resolved(in: scope) == ["A", "B"])
  }

  @Test func aNullValueOmitsTheKey() throws {
    let flow = try workflow(
      #"[{"interactive": {"loginHint": "${hint}", "prompt": "${prompt}"}}]"#, #""inputs": {"hint": {}, "prompt": {}}"#)
    guard case .interactive(let interactive) = flow.steps[0].action else { return }
    let scope = ValueScope(names: flow.inputValues())
    #expect(try interactive.loginHint?.resolved(in: scope) == nil)
    #expect(try interactive.prompt?.resolved(in: scope) == nil)
  }
}
