import Diagnostics
import Documents

/// A step type: its key, its parameters, and its closed set of outcomes.
package struct StepKind: Sendable {
  /// The key of steps of this type.
  package let key: String
  /// Another key for this type, which implies `when: fallback`.
  package let fallbackKey: String?
  /// A one-line description.
  package let summary: String
  package let usesNetwork: Bool
  /// Whether the key can be used alone, without parameters.
  package let canBeBare: Bool
  /// Whether steps of this type can acquire a token with a user's help. Only these can be fallbacks.
  package let canBeFallback: Bool
  /// All outcomes of this type.
  package let outcomes: [Outcome]
  /// Whether the step can also have outcomes of inner steps (`use`, `parallel`).
  package let propagatesOutcomes: Bool
  /// The keys of its mapping, for suggestions.
  package let parameterKeys: @Sendable () -> [String]
  /// The JSON Schema of its value.
  package let schema: @Sendable () -> JSON
  /// Reads its value, which is nil for a bare key or an empty value.
  let read: @Sendable (Node?, _ at: Node, inout StepReader, inout DiagnosticCollector) -> StepAction?

  /// A step type whose mapping has declared keys.
  /// - Parameter short: An alternative to the mapping.
  init<Parameters: Sendable>(
    _ key: String, fallbackKey: String? = nil, _ summary: String, usesNetwork: Bool = false, canBeBare: Bool = true,
    canBeFallback: Bool = false, outcomes: [Outcome], propagatesOutcomes: Bool = false, empty: Parameters,
    fields: @escaping @autoclosure @Sendable () -> Fields<Parameters>, short: ShortForm<Parameters>? = nil,
    check: (@Sendable (inout Parameters, Node, inout StepReader, inout DiagnosticCollector) -> Bool)? = nil,
    action: @escaping @Sendable (Parameters) -> StepAction
  ) {
    self.key = key
    self.fallbackKey = fallbackKey
    self.summary = summary
    self.usesNetwork = usesNetwork
    self.canBeBare = canBeBare
    self.canBeFallback = canBeFallback
    self.propagatesOutcomes = propagatesOutcomes
    self.outcomes = outcomes + (usesNetwork ? [.offline, .timedOut] : []) + [.skipped, .exhausted]
    parameterKeys = { fields().fields.map(\.key) }
    schema = {
      guard let short else { return fields().schema }
      return ["anyOf": [short.schema(), fields().schema]]
    }
    read = { node, place, reader, problems in
      var parameters = empty
      if let node {
        if let short, short.accepts(node) {
          guard short.read(node, &parameters, &problems) else { return nil }
        } else if node.kind == .mapping {
          var own = DiagnosticCollector()
          let isComplete = fields().read(node, into: &parameters, &own)
          problems.add(own, explainingKeysOf: node)
          guard isComplete, !own.diagnostics.hasErrors else { return nil }
        } else {
          problems.error(
            "wrong-type",
            "`\(key)` takes \(short.map { "\($0.expectation) or " } ?? "")a mapping, found \(node.typeName)",
            help: canBeBare ? "use `\(place.string ?? key): {}` for no parameters" : nil, at: node)
          return nil
        }
      }
      if let check, !check(&parameters, node ?? place, &reader, &problems) { return nil }
      return action(parameters)
    }
  }

  /// A step type whose value has no declared keys.
  init(
    _ key: String, _ summary: String, example: String, usesNetwork: Bool = false, outcomes: [Outcome],
    propagatesOutcomes: Bool = false, schema: @escaping @autoclosure @Sendable () -> JSON,
    read: @escaping @Sendable (Node, inout StepReader, inout DiagnosticCollector) -> StepAction?
  ) {
    self.key = key
    fallbackKey = nil
    self.summary = summary
    self.usesNetwork = usesNetwork
    canBeBare = false
    canBeFallback = false
    self.propagatesOutcomes = propagatesOutcomes
    self.outcomes = outcomes + (usesNetwork ? [.offline, .timedOut] : []) + [.skipped, .exhausted]
    parameterKeys = { [] }
    self.schema = schema
    self.read = { node, place, reader, problems in
      guard let node else {
        problems.error("empty-value", "missing value of `\(key)`", help: "write `\(key): \(example)`", at: place)
        return nil
      }
      return read(node, &reader, &problems)
    }
  }

  package func outcome(named name: String) -> Outcome? { outcomes.first { $0.name == name } }

  /// All step types, in the order of the language reference.
  package static let all: [StepKind] = [
    .loadAccount, .listAccounts, .silent, .interactive, .deviceCode, .callGraph, .callAPI, .signout, .deviceInfo,
    .assert, .wait, .simulate, .use, .parallel,
  ]

  /// The step type with a key.
  package static func named(_ key: String) -> StepKind? { byKey[key] }

  /// The keys of all step types, in the order of the language reference.
  package static let keys: [String] = all.flatMap { [$0.key] + ($0.fallbackKey.map { [$0] } ?? []) }

  private static let byKey: [String: StepKind] = {
    var kinds: [String: StepKind] = [:]
    for kind in all {
      kinds[kind.key] = kind
      if let other = kind.fallbackKey { kinds[other] = kind }
    }
    return kinds
  }()

  /// All outcomes of all step types, by name.
  package static let outcomesByName: [String: Outcome] = {
    var outcomes: [String: Outcome] = [:]
    for kind in all {
      for outcome in kind.outcomes where outcomes[outcome.name] == nil { outcomes[outcome.name] = outcome }
    }
    return outcomes
  }()
}

/// A short form of a step type's mapping: `callGraph: /me`.
struct ShortForm<Parameters: Sendable>: Sendable {
  let expectation: String
  let schema: @Sendable () -> JSON
  let accepts: @Sendable (Node) -> Bool
  let read: @Sendable (Node, inout Parameters, inout DiagnosticCollector) -> Bool

  /// A scalar that sets one parameter.
  init<Value>(_ codec: Codec<Value>, into put: @escaping @Sendable (inout Parameters, Value) -> Void) {
    expectation = codec.expectation
    schema = codec.schema
    accepts = { $0.kind != .mapping && $0.kind != .null && $0.kind != .array }
    read = { node, parameters, problems in
      guard let value = codec.read(node, &problems) else { return false }
      put(&parameters, value)
      return true
    }
  }
}

/// The action of a step with its parameters.
package indirect enum StepAction: Sendable {
  case loadAccount(LoadAccount)
  case listAccounts(ListAccounts)
  case silent(Silent)
  case interactive(Interactive)
  case deviceCode(DeviceCode)
  case callGraph(CallGraph)
  case callAPI(CallAPI)
  case signout(SignOut)
  case deviceInfo(DeviceInfo)
  case assert([Expectation])
  case wait(Resolvable<Duration>)
  case simulate([ScriptedEvent])
  case use(Use)
  case parallel([Step])

  /// The parameters of a step that acquires a token.
  package var token: TokenParameters? {
    get {
      switch self {
      case .silent(let parameters): parameters.token
      case .interactive(let parameters): parameters.token
      case .deviceCode(let parameters): parameters.token
      default: nil
      }
    }
    set {
      guard let newValue else { return }
      switch self {
      case .silent(var parameters):
        parameters.token = newValue
        self = .silent(parameters)
      case .interactive(var parameters):
        parameters.token = newValue
        self = .interactive(parameters)
      case .deviceCode(var parameters):
        parameters.token = newValue
        self = .deviceCode(parameters)
      default: break
      }
    }
  }
}
