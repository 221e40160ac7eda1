import Diagnostics
import Documents
import OrderedCollections

extension ScenarioBody {
  /// The keys of a scenario and of a row of its matrix.
  static func fieldList(_ workflow: Workflow?) -> [Field<ScenarioBody>] {
    [
      Field("description", .string, into: \.description, "a remark for people"),
      Field("tags", .listOrOne(of: .nonEmptyString), into: \.tags, "words to find it by"),
      Field("given", .events, into: \.given, "what has happened before the first step"),
      Field(
        "before", .beforeSteps, into: \.before,
        "what happens right before a step: {silent: [offline]}"),
      Field("user", .sittings, into: \.user, "who sits at the keyboard"),
      Field("inputs", schema: ["type": "object"], "values for the workflow's inputs") { node, body, problems in
        guard node.kind == .mapping else {
          problems.mismatch(node, expected: "a mapping from inputs to values")
          return
        }
        for (key, value) in node.entries {
          guard let name = key.string else { continue }
          guard let workflow else { continue }
          guard let input = workflow.inputs[name] else {
            problems.unknownName(name, kind: "an input of this workflow", among: Array(workflow.inputs.keys), at: key)
            continue
          }
          body.inputs[name] = value.json
          if !input.accepts(value.json) {
            problems.error(
              "input-type", "\"\(name)\" is of the type \(input.type.rawValue), found \(value.typeName)", at: value)
          }
        }
      },
      .overlaidSettings(workflow),
      .overlaidClients(workflow),
      Field(
        "directory", .listOrOne(of: .directory), into: \.directory,
        "another directory: a mapping is laid over the workflow's, a file or contoso replaces it; a list, one by one"),
      Field("expect", .scenarioExpectation, into: \.expect, "what must then have happened"),
    ]
  }
}

extension Field where Owner == ScenarioBody {
  private static var layers: Codec<[Workflow.Source]> { .listOrOne(of: .source("settings")) }

  fileprivate static func overlaidSettings(_ workflow: Workflow?) -> Field {
    Field(
      "settings", schema: layers.schema(),
      "other settings: a mapping is laid over the workflow's, a file replaces them; a list, one by one"
    ) { node, body, problems in
      guard let sources = layers.read(node, &problems) else { return }
      body.settings = sources
      guard let names = workflow?.clients.keys, names.count > 1 else { return }
      problems.error(
        "settings-and-clients", "the workflow has \(names.count) apps, and these settings do not say whose they are",
        help: "write clients: {\(names[0]): …}", at: node)
    }
  }

  fileprivate static func overlaidClients(_ workflow: Workflow?) -> Field {
    let each = Codec<OrderedDictionary<String, [Workflow.Source]>>.map(of: layers)
    return Field("clients", schema: each.schema(), "other settings for one of several apps, by its name") {
      node, body, problems in
      guard let sources = each.read(node, &problems) else { return }
      body.clients = sources
      guard let workflow else { return }
      for (key, _) in node.entries where workflow.clients[key.string ?? ""] == nil {
        problems.unknownName(
          key.string ?? key.scalarText ?? "", kind: "a client of this workflow", among: Array(workflow.clients.keys),
          at: key)
      }
    }
  }
}

extension ScenarioExpectation {
  static let countedRequests = ["token", "authorize", "graph"]

  static let fieldList: [Field<ScenarioExpectation>] = [
    Field(
      "outcome", Codec<String>.nonEmptyString.located, into: \.outcome, default: "success",
      "success, failed, or the outcome that ended it"),
    Field("path", .path, into: \.path, "every step with its outcome, in order; ... is any run of entries"),
    Field("interactions", .matcher, into: \.interactions, "how often a user sat down"),
    Field(
      "requests",
      schema: [
        "type": "object",
        "properties": .object(
          OrderedDictionary(uniqueKeysWithValues: countedRequests.map { ($0, ["$ref": "#/$defs/matcher"] as JSON) })),
        "additionalProperties": false,
      ], "how many requests went to token, authorize and graph"
    ) { node, expectation, problems in
      guard node.kind == .mapping else {
        problems.mismatch(node, expected: "a mapping such as {token: 1}")
        return
      }
      for (key, value) in node.entries {
        let name = key.string ?? ""
        guard countedRequests.contains(name) else {
          problems.unknownName(name, kind: "a place where requests are counted", among: countedRequests, at: key)
          continue
        }
        expectation.requests[name] = Matcher(value, &problems)
      }
    },
    Field("accounts", .matcher, into: \.accounts, "how many accounts are left, or which usernames"),
  ]
}

extension Codec where Value == Matcher {
  static var matcher: Self {
    Self(expecting: "a value or a mapping of tests", schema: ["$ref": "#/$defs/matcher"]) { node, problems in
      Matcher(node, &problems)
    }
  }
}

extension Codec where Value == ScenarioExpectation {
  static var scenarioExpectation: Self {
    let fields = Fields<ScenarioExpectation>(
      "a scenario's expect", ScenarioExpectation.fieldList, otherSchema: { ["$ref": "#/$defs/matcher"] },
      others: { key, value, expectation, problems in
        let text = key.string ?? key.scalarText ?? ""
        // `requests.graph` is the same as `requests: {graph: …}`.
        if text.hasPrefix("requests."), ScenarioExpectation.countedRequests.contains(String(text.dropFirst(9))) {
          expectation.requests[String(text.dropFirst(9))] = Matcher(value, &problems)
          return true
        }
        if ResultField(rawValue: text) != nil {
          problems.error(
            "address", "\"\(text)\" does not say of which step", help: "write step.\(text), such as silent.\(text)",
            at: key)
          return true
        }
        guard text.contains(".") else { return false }
        let read = Expectation.read(key: key, value: value, &problems)
        for one in read {
          if case .own = one.address.subject {
            problems.error(
              "address", "\"\(text)\" does not say of which step", help: "write step.\(text), such as silent.\(text)",
              at: key)
          } else {
            expectation.facts.append(one)
          }
        }
        return true
      })
    return Self(expecting: "a mapping", schema: fields.schema) { node, problems in
      var expectation = ScenarioExpectation(place: node.place)
      return fields.read(node, into: &expectation, &problems) ? expectation : nil
    }
  }
}

extension Codec where Value == Scenario {
  static func scenario(_ workflow: Workflow?) -> Self {
    let fields = Fields<Scenario>(
      "a scenario",
      ScenarioBody.fieldList(workflow).map { field in
        Field<Scenario>(field.key, schema: field.schema(), default: field.defaultValue, field.words) {
          node, scenario, problems in field.assign(node, &scenario.body, &problems)
        }
      } + [
        Field(
          "matrix", .matrix(workflow), into: \.matrix,
          "axes over inputs and user, or rows that each override the scenario")
      ])
    return Self(expecting: "a scenario", schema: fields.schema) { node, problems in
      var scenario = Scenario(name: "", place: node.place)
      scenario.body.written = [.node(node)]
      return fields.read(node, into: &scenario, &problems) ? scenario : nil
    }
  }
}

extension Codec where Value == [Scenario] {
  /// The schema of a mapping from names to scenarios.
  static var mappingSchema: JSON { ["type": "object", "additionalProperties": ["$ref": "#/$defs/scenario"]] }

  static func scenarios(_ workflow: Workflow) -> Self {
    let one = Codec<Scenario>.scenario(workflow)
    return Self(expecting: "a mapping from names to scenarios", schema: ["type": "object"]) { node, problems in
      guard node.kind == .mapping else {
        problems.mismatch(node, expected: "a mapping from names to scenarios")
        return nil
      }
      var scenarios: [Scenario] = []
      var names: Set<String> = []
      for (key, value) in node.entries {
        let name = key.string ?? key.scalarText ?? ""
        // The reader of the document reports the second one.
        guard names.insert(name).inserted else { continue }
        if value.kind == .null {
          scenarios.append(Scenario(name: name, place: key.place))
          continue
        }
        guard var scenario = one.read(value, &problems) else { continue }
        scenario.name = name
        scenario.place = key.place
        scenarios.append(scenario)
      }
      return scenarios
    }
  }
}
