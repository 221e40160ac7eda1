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
  func setsTyped(_ text: String, _ name: String, _ value: JSON) throws {
    let flow = try workflow(#"["listAccounts"]"#, Self.declared)
    let (values, problems) = flow.inputs(parsing: [text])
    #expect(problems == [])
    #expect(JSON.object(values)[name] == value)
  }

  @Test(arguments: [
    ("i=x", #"--set i: "x" is not of the type integer"#), ("i=1.5", #"--set i: "1.5" is not of the type integer"#),
    ("b=yes", #"--set b: "yes" is not of the type boolean"#), ("d=5", #"--set d: "5" is not of the type duration"#),
    ("n=nan", #"--set n: "nan" is not of the type number"#), ("a=[1", #"--set a: "[1" is not of the type array"#),
    ("gues=1", #"--set gues: the workflow has no such input; did you mean "guess"?"#),
    ("x", "--set x: write name=value"),
  ])
  func refuses(_ text: String, _ words: String) throws {
    let flow = try workflow(#"["listAccounts"]"#, Self.declared)
    let (values, problems) = flow.inputs(parsing: [text])
    #expect(problems == [words])
    #expect(JSON.object(values) == [:])
  }

  @Test func requiredMustBeSet() throws {
    let flow = try workflow(#"["listAccounts"]"#, #""inputs": {"who": {"required": true}}"#)
    #expect(flow.inputs(parsing: []).problems == [#"the input "who" is required: --set who=…"#])
    #expect(flow.inputs(parsing: ["who=x"]).problems == [])
  }

  @Test func defaultsAndNulls() throws {
    let flow = try workflow(#"["listAccounts"]"#, Self.declared)
    #expect(
      JSON.object(flow.inputValues())
        == ["s": nil, "i": 5, "n": nil, "b": nil, "a": nil, "d": nil, "guess": 7])
  }
}
