import Diagnostics
import Documents
import OrderedCollections

extension ScenarioBody {
  /// Returns the keys of a scenario and of its matrix rows.
  static func fieldList(_ workflow: Workflow?) -> [Field<ScenarioBody>] {
    [
      Field("description", .string, into: { $0.description = $1 }, "description for readers"),
      Field("tags", .listOrOne(of: .nonEmptyString), into: { $0.tags = $1 }, "tags for selecting scenarios"),
      Field("given", .events, into: { $0.given = $1 }, "preconditions: the events that occur before the first step"),
      Field(
        "before", .beforeSteps, into: { $0.before = $1 },
        "events that occur immediately before a step: `{silent: [offline]}`"),
      Field("user", .userBehaviors, into: { $0.user = $1 }, "behavior of the simulated user"),
      Field("inputs", schema: ["type": "object"], "values of the workflow's inputs") { node, body, problems in
        guard node.kind == .mapping else {
          problems.mismatch(node, expected: "a mapping from inputs to values")
          return
        }
        for (key, value) in node.entries {
          guard let name = key.string, let workflow else { continue }
          guard let input = workflow.inputs[name] else {
            problems.unknownName(name, kind: "an input of this workflow", among: Array(workflow.inputs.keys), at: key)
            continue
          }
          body.inputs[name] = value.json
          if !input.accepts(value.json) {
            problems.error(
              "input-type", "input `\(name)` expects type \(input.type.rawValue), found \(value.typeName)", at: value)
          }
        }
      },
      .settingsOverrides(workflow),
      .clientsOverrides(workflow),
      Field(
        "directory", .listOrOne(of: .directory), into: { $0.directory = $1 },
        "directory for this scenario: a mapping is merged over the workflow's directory, and a file or `contoso` replaces "
          + "it; list entries are applied in order"),
      Field("expect", .scenarioExpectation, into: { $0.expect = $1 }, "expected result"),
    ]
  }
}

extension Field where Owner == ScenarioBody {
  private static var settingsSources: Codec<[Workflow.Source]> { .listOrOne(of: .source("settings")) }

  fileprivate static func settingsOverrides(_ workflow: Workflow?) -> Field {
    Field(
      "settings", schema: settingsSources.schema(),
      "settings for this scenario: a mapping is merged over the workflow's settings, and a file replaces them; list "
        + "entries are applied in order"
    ) { node, body, problems in
      guard let sources = settingsSources.read(node, &problems) else { return }
      body.settings = sources
      guard let names = workflow?.clients.keys, names.count > 1 else { return }
      problems.error(
        "settings-and-clients", "ambiguous `settings`: the workflow has \(names.count) clients",
        help: "use `clients: {\(names[0]): …}`", at: node)
    }
  }

  fileprivate static func clientsOverrides(_ workflow: Workflow?) -> Field {
    let sourcesByClient = Codec<OrderedDictionary<String, [Workflow.Source]>>.map(of: settingsSources)
    return Field(
      "clients", schema: sourcesByClient.schema(), "settings for individual clients of the workflow, by name"
    ) {
      node, body, problems in
      guard let sources = sourcesByClient.read(node, &problems) else { return }
      body.clients = sources
      guard let workflow else { return }
      for (key, _) in node.entries where workflow.clients[key.string ?? ""] == nil {
        problems.unknownName(
          key.scalarText ?? "", kind: "a client of this workflow", among: Array(workflow.clients.keys),
          at: key)
      }
    }
  }
}

extension ScenarioExpectation {
  /// The names of the request counters.
  static let requestCounters = ["token", "authorize", "graph"]

  static let fieldList: [Field<ScenarioExpectation>] = [
    Field(
      "outcome", Codec<OutcomeSelector>.outcomes.located, into: { $0.outcome = $1 }, default: "success",
      "`success`, `failed`, or the outcome that ended the workflow"),
    Field(
      "path", .path, into: { $0.path = $1 },
      "executed steps with their outcomes, in order; `...` matches any number of entries"),
    Field("interactions", .matcher, into: { $0.interactions = $1 }, "number of times that the browser opened"),
    Field(
      "pages", .matcher, into: { $0.pages = $1 },
      "number of pages that the user saw; single sign-on opens the browser without showing a page"),
    Field(
      "requests",
      schema: [
        "type": "object",
        "properties": .object(
          OrderedDictionary(uniqueKeysWithValues: requestCounters.map { ($0, ["$ref": "#/$defs/matcher"] as JSON) })),
        "additionalProperties": false,
      ], "number of requests to the token endpoint, the authorize endpoint, and Microsoft Graph"
    ) { node, expectation, problems in
      guard node.kind == .mapping else {
        problems.mismatch(node, expected: "a mapping such as `{token: 1}`")
        return
      }
      for (key, value) in node.entries {
        let name = key.string ?? ""
        guard requestCounters.contains(name) else {
          problems.unknownName(name, kind: "a request counter", among: requestCounters, at: key)
          continue
        }
        expectation.requests[name] = Matcher(value, &problems)
      }
    },
    Field("accounts", .matcher, into: { $0.accounts = $1 }, "number of remaining accounts, or their usernames"),
  ]
}

extension Codec where Value == Matcher {
  static var matcher: Self {
    Self(expecting: "a value or a mapping of matchers", schema: ["$ref": "#/$defs/matcher"]) { node, problems in
      Matcher(node, &problems)
    }
  }
}

extension Codec where Value == ScenarioExpectation {
  static var scenarioExpectation: Self {
    let fields = Fields<ScenarioExpectation>(
      "a scenario's `expect`", ScenarioExpectation.fieldList, otherSchema: { ["$ref": "#/$defs/matcher"] },
      others: { key, value, expectation, problems in
        let text = key.scalarText ?? ""
        // `requests.graph` is equivalent to `requests: {graph: …}`.
        if let counter = ScenarioExpectation.requestCounters.first(where: { text == "requests.\($0)" }) {
          expectation.requests[counter] = Matcher(value, &problems)
          return true
        }
        func reportMissingStep() {
          problems.error(
            "result-path", "`\(text)` is not a step", help: "use `step.\(text)`, such as `silent.\(text)`",
            at: key)
        }
        if ResultField(rawValue: text) != nil {
          reportMissingStep()
          return true
        }
        guard text.contains(".") else { return false }
        for fact in Expectation.read(key: key, value: value, &problems) {
          if case .own = fact.address.subject { reportMissingStep() } else { expectation.facts.append(fact) }
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
        Field<Scenario>(field.key, schema: field.schema(), default: field.defaultValue, field.description) {
          node, scenario, problems in field.assign(node, &scenario.body, &problems)
        }
      } + [
        Field(
          "matrix", .matrix(workflow), into: { $0.matrix = $1 },
          "inputs and user behavior to combine, or a list of rows that override keys of the scenario")
      ])
    return Self(expecting: "a scenario", schema: fields.schema) { node, problems in
      var scenario = Scenario(name: "", place: node.place)
      scenario.body.sources = [.node(node)]
      return fields.read(node, into: &scenario, &problems) ? scenario : nil
    }
  }
}

extension Codec where Value == [Scenario] {
  /// The schema of a mapping from names to scenarios.
  static var mappingSchema: JSON { ["type": "object", "additionalProperties": ["$ref": "#/$defs/scenario"]] }

  static func scenarios(_ workflow: Workflow) -> Self {
    let codec = Codec<Scenario>.scenario(workflow)
    return Self(expecting: "a mapping from names to scenarios", schema: ["type": "object"]) { node, problems in
      guard node.kind == .mapping else {
        problems.mismatch(node, expected: "a mapping from names to scenarios")
        return nil
      }
      var scenarios: [Scenario] = []
      var names: Set<String> = []
      for (key, value) in node.entries {
        let name = key.scalarText ?? ""
        // The document reader reports duplicate names.
        guard names.insert(name).inserted else { continue }
        if value.kind == .null {
          scenarios.append(Scenario(name: name, place: key.place))
          continue
        }
        guard var scenario = codec.read(value, &problems) else { continue }
        scenario.name = name
        scenario.place = key.place
        scenarios.append(scenario)
      }
      return scenarios
    }
  }
}
