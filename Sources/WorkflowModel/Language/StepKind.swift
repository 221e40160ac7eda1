import Diagnostics
import Documents

/// A kind of step: its key, what it means, what it takes, and the closed set of what can become of it.
package struct StepKind: Sendable {
  /// The key that makes a mapping a step of this kind.
  package let key: String
  /// Another key of the same kind that also says `when: fallback`.
  package let fallbackKey: String?
  /// One line: what it does.
  package let words: String
  package let usesNetwork: Bool
  /// Whether a bare word is enough.
  package let standsAlone: Bool
  /// Whether it can acquire a token with a user or a device code: then it may stand as a fallback.
  package let canBeFallback: Bool
  /// Everything that can become of a step of this kind.
  package let outcomes: [Outcome]
  /// Whether outcomes of other kinds come through (`use`, `parallel`).
  package let passesOutcomesOn: Bool
  /// The keys of its mapping, for did-you-mean.
  package let parameterKeys: @Sendable () -> [String]
  /// The JSON Schema of its value.
  package let schema: @Sendable () -> JSON
  /// Reads its value; the node is nil for a bare word or an empty value.
  let read: @Sendable (Node?, _ at: Node, inout StepReader, inout DiagnosticCollector) -> StepAction?

  /// A kind whose mapping has declared keys.
  /// - Parameter short: what may stand there instead of a mapping.
  init<Parameters: Sendable>(
    _ key: String, fallbackKey: String? = nil, _ words: String, usesNetwork: Bool = false, standsAlone: Bool = true,
    canBeFallback: Bool = false, outcomes: [Outcome], passesOutcomesOn: Bool = false, empty: Parameters,
    fields: @escaping @autoclosure @Sendable () -> Fields<Parameters>, short: ShortForm<Parameters>? = nil,
    check: (@Sendable (inout Parameters, Node, inout StepReader, inout DiagnosticCollector) -> Bool)? = nil,
    action: @escaping @Sendable (Parameters) -> StepAction
  ) {
    self.key = key
    self.fallbackKey = fallbackKey
    self.words = words
    self.usesNetwork = usesNetwork
    self.standsAlone = standsAlone
    self.canBeFallback = canBeFallback
    self.passesOutcomesOn = passesOutcomesOn
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
            "\(key) takes \(short.map { "\($0.expectation) or " } ?? "")a mapping, found \(node.typeName)",
            help: standsAlone ? "without parameters write `\(place.string ?? key): {}`" : nil, at: node)
          return nil
        }
      }
      if let check, !check(&parameters, node ?? place, &reader, &problems) { return nil }
      return action(parameters)
    }
  }

  /// A kind whose value is no mapping with declared keys.
  init(
    _ key: String, _ words: String, example: String, usesNetwork: Bool = false, outcomes: [Outcome],
    passesOutcomesOn: Bool = false, schema: @escaping @autoclosure @Sendable () -> JSON,
    read: @escaping @Sendable (Node, inout StepReader, inout DiagnosticCollector) -> StepAction?
  ) {
    self.key = key
    fallbackKey = nil
    self.words = words
    self.usesNetwork = usesNetwork
    standsAlone = false
    canBeFallback = false
    self.passesOutcomesOn = passesOutcomesOn
    self.outcomes = outcomes + (usesNetwork ? [.offline, .timedOut] : []) + [.skipped, .exhausted]
    parameterKeys = { [] }
    self.schema = schema
    self.read = { node, place, reader, problems in
      guard let node else {
        problems.error("empty-value", "\(key) needs a value", help: "write \(key): \(example)", at: place)
        return nil
      }
      return read(node, &reader, &problems)
    }
  }

  package func outcome(named name: String) -> Outcome? { outcomes.first { $0.name == name } }

  /// All kinds, in the order of the language reference.
  package static let all: [StepKind] = [
    .loadAccount, .listAccounts, .silent, .interactive, .deviceCode, .callGraph, .callAPI, .signout, .deviceInfo,
    .assert, .wait, .simulate, .use, .parallel,
  ]

  /// The kind that a key means.
  package static func named(_ key: String) -> StepKind? { byKey[key] }

  /// Every key that makes a step, in the order of the reference.
  package static let keys: [String] = all.flatMap { [$0.key] + ($0.fallbackKey.map { [$0] } ?? []) }

  private static let byKey: [String: StepKind] = {
    var kinds: [String: StepKind] = [:]
    for kind in all {
      kinds[kind.key] = kind
      if let other = kind.fallbackKey { kinds[other] = kind }
    }
    return kinds
  }()

  /// Every outcome of any kind, by name.
  package static let outcomesByName: [String: Outcome] = {
    var outcomes: [String: Outcome] = [:]
    for kind in all {
      for outcome in kind.outcomes where outcomes[outcome.name] == nil { outcomes[outcome.name] = outcome }
    }
    return outcomes
  }()
}

/// What may stand in place of a kind's mapping: `callGraph: /me`.
struct ShortForm<Parameters: Sendable>: Sendable {
  let expectation: String
  let schema: @Sendable () -> JSON
  let accepts: @Sendable (Node) -> Bool
  let read: @Sendable (Node, inout Parameters, inout DiagnosticCollector) -> Bool

  /// A scalar that one parameter stands for.
  init<Value>(_ codec: Codec<Value>, into path: any WritableKeyPath<Parameters, Value?> & Sendable) {
    expectation = codec.expectation
    schema = codec.schema
    accepts = { $0.kind != .mapping && $0.kind != .null && $0.kind != .array }
    read = { node, parameters, problems in
      guard let value = codec.read(node, &problems) else { return false }
      parameters[keyPath: path] = value
      return true
    }
  }
}

/// What a step does, with its parameters.
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
