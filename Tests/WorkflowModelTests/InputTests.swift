import Documents
import Testing

import WorkflowModel

@Suite struct InputTests {
  static let declared =
    #""inputs": {"s": {}, "i": {"type": "integer", "default": 5}, "n": {"type": "number"}, "b": {"type": "boolean"}, "a": {"type": "array"}, "d": {"type": "duration"}, "guess": {"default": 7}}"#

  static let set: [(String, String, JSON)] = [
    ("s=", "s", "" as JSON), ("s=a=b", "s", "a=b"), ("i=3", "i", 3), ("i=-3", "i", -3), ("n=1.5", "n", 1.5),
    ("n=2", "n", 2),
    ("b=true", "b", true), ("b=false", "b", false), ("a=x,y", "a", ["x", "y"]), (#"a=["x", 1]"#, "a", ["x", 1]),
    ("a=", "a", []),
    ("d=5m", "d", "5m"), ("guess=8", "guess", 8),
  ]

  @Test(arguments: set)
  func parsesValuesByType(_ text: String, _ name: String, _ value: JSON) throws {
    let flow = try workflow(#"["listAccounts"]"#, Self.declared)
    let (values, problems) = flow.inputs(parsing: [text])
    #expect(problems == [])
    #expect(JSON.object(values)[name] == value)
  }

  @Test(arguments: [
    ("i=x", "invalid value for input `i`: `x` is not of type integer"),
    ("i=1.5", "invalid value for input `i`: `1.5` is not of type integer"),
    ("b=yes", "invalid value for input `b`: `yes` is not of type boolean"),
    ("d=5", "invalid value for input `d`: `5` is not of type duration"),
    ("n=nan", "invalid value for input `n`: `nan` is not of type number"),
    ("a=[1", "invalid value for input `a`: `[1` is not of type array"),
    ("gues=1", "unknown input `gues` in `--set`; did you mean `guess`?"),
    ("x", "invalid `--set x`: use `--set NAME=VALUE`"),
  ])
  func rejects(_ text: String, _ message: String) throws {
    let flow = try workflow(#"["listAccounts"]"#, Self.declared)
    let (values, problems) = flow.inputs(parsing: [text])
    #expect(problems == [message])
    #expect(JSON.object(values) == [:])
  }

  @Test func requiredInputsMustBeSet() throws {
    let flow = try workflow(#"["listAccounts"]"#, #""inputs": {"who": {"required": true}}"#)
    #expect(flow.inputs(parsing: []).problems == ["missing required input `who`: use `--set who=VALUE`"])
    #expect(flow.inputs(parsing: ["who=x"]).problems == [])
  }

  @Test func unsetInputsHaveTheirDefaultValueOrNull() throws {
    let flow = try workflow(#"["listAccounts"]"#, Self.declared)
    #expect(
      JSON.object(flow.inputValues())
        == ["s": nil, "i": 5, "n": nil, "b": nil, "a": nil, "d": nil, "guess": 7])
  }
}
