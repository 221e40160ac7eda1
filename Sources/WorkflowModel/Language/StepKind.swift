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
  /// All outcomes of this type.
  package let outcomes: [Outcome]
  private let traits: StepTraits
  private let syntax: StepSyntax

  /// - Parameters:
  ///   - summary: A one-line description.
  ///   - outcomes: The outcomes that are specific to the type.
  init(
    _ key: String, fallbackKey: String? = nil, _ summary: String, _ traits: StepTraits = [], outcomes: [Outcome],
    syntax: StepSyntax
  ) {
    self.key = key
    self.fallbackKey = fallbackKey
    self.summary = summary
    self.traits = traits
    self.outcomes =
      outcomes + (traits.contains(.usesNetwork) ? [.offline, .timedOut] : []) + [.skipped, .exhausted]
    self.syntax = syntax
  }

  package var usesNetwork: Bool { traits.contains(.usesNetwork) }
  /// Whether the key can be used alone, without parameters.
  package var canBeBare: Bool { !traits.contains(.requiresValue) }
  /// Whether steps of this type can be fallbacks.
  package var canBeFallback: Bool { traits.contains(.canBeFallback) }
  /// Whether a step of this type can also have the outcomes of its inner steps.
  package var propagatesOutcomes: Bool { traits.contains(.propagatesOutcomes) }

  /// Returns the keys of the mapping, or an empty list if the value has no declared keys.
  package func parameterKeys() -> [String] { syntax.parameterKeys() }

  /// Returns the JSON Schema of the value.
  package func schema() -> JSON { syntax.schema() }

  /// Reads the value, which is nil for a bare key or an empty value.
  /// - Parameter keyNode: The key of the step type in the document.
  func read(
    _ value: Node?, at keyNode: Node, _ reader: inout StepReader, _ problems: inout DiagnosticCollector
  ) -> StepAction? {
    syntax.read(self, value, keyNode, &reader, &problems)
  }

  package func outcome(named name: OutcomeName) -> Outcome? { outcomes.first { $0.name == name } }

  /// All step types, in the order of the language reference.
  package static let all: [StepKind] = [
    .loadAccount, .listAccounts, .silent, .interactive, .deviceCode, .callGraph, .callAPI, .signout, .deviceInfo,
    .assert, .wait, .simulate, .use, .parallel,
  ]

  /// Returns the step type with this key, or nil if there is none.
  package static func named(_ key: String) -> StepKind? { byKey[key] }

  /// The keys of all step types, in the order of the language reference.
  package static let keys: [String] = all.flatMap { [$0.key] + ($0.fallbackKey.map { [$0] } ?? []) }

  private static let byKey: [String: StepKind] = {
    var kinds: [String: StepKind] = [:]
    for kind in all {
      kinds[kind.key] = kind
      if let fallbackKey = kind.fallbackKey { kinds[fallbackKey] = kind }
    }
    return kinds
  }()

  /// All outcomes of all step types, by name.
  package static let outcomesByName: [OutcomeName: Outcome] = {
    var outcomes: [OutcomeName: Outcome] = [:]
    for kind in all {
      for outcome in kind.outcomes where outcomes[outcome.name] == nil { outcomes[outcome.name] = outcome }
    }
    return outcomes
  }()
}

/// The boolean properties of a step type.
struct StepTraits: OptionSet, Sendable {
  let rawValue: Int

  static let usesNetwork = StepTraits(rawValue: 1 << 0)
  /// The key requires a value.
  static let requiresValue = StepTraits(rawValue: 1 << 1)
  /// Steps of this type can be fallbacks, because they can acquire a token interactively.
  static let canBeFallback = StepTraits(rawValue: 1 << 2)
  /// A step of this type can also have the outcomes of its inner steps: `use`, `parallel`.
  static let propagatesOutcomes = StepTraits(rawValue: 1 << 3)
}

/// The syntax of a step type's value.
struct StepSyntax: Sendable {
  let parameterKeys: @Sendable () -> [String]
  let schema: @Sendable () -> JSON
  let read:
    @Sendable (StepKind, _ value: Node?, _ keyNode: Node, inout StepReader, inout DiagnosticCollector) -> StepAction?

  /// Returns the syntax of a step whose value is a mapping with declared keys.
  /// - Parameters:
  ///   - defaults: The parameters of a step without any keys.
  ///   - short: A short form to accept instead of the mapping.
  ///   - check: A closure that checks the parameters as a whole. It returns false after reporting a problem.
  static func parameters<Parameters: Sendable>(
    _ defaults: Parameters, _ fields: @escaping @autoclosure @Sendable () -> Fields<Parameters>,
    short: ShortForm<Parameters>? = nil,
    check: (@Sendable (inout Parameters, Node, inout StepReader, inout DiagnosticCollector) -> Bool)? = nil,
    action: @escaping @Sendable (Parameters) -> StepAction
  ) -> StepSyntax {
    StepSyntax(
      parameterKeys: { fields().fields.map(\.key) },
      schema: {
        guard let short else { return fields().schema }
        return ["anyOf": [short.schema(), fields().schema]]
      },
      read: { kind, value, keyNode, reader, problems in
        var parameters = defaults
        if let value {
          if let short, short.accepts(value) {
            guard short.read(value, &parameters, &problems) else { return nil }
          } else if value.kind == .mapping {
            var fieldProblems = DiagnosticCollector()
            let isComplete = fields().read(value, into: &parameters, &fieldProblems)
            problems.add(fieldProblems, explainingKeysOf: value)
            guard isComplete, !fieldProblems.diagnostics.hasErrors else { return nil }
          } else {
            problems.error(
              "wrong-type",
              "`\(kind.key)` takes \(short.map { "\($0.expectation) or " } ?? "")a mapping, found \(value.typeName)",
              help: kind.canBeBare ? "use `\(keyNode.string ?? kind.key): {}` for no parameters" : nil, at: value)
            return nil
          }
        }
        if let check, !check(&parameters, value ?? keyNode, &reader, &problems) { return nil }
        return action(parameters)
      })
  }

  /// Returns the syntax of a step whose value is not a mapping with declared keys.
  static func value(
    example: String, schema: @escaping @autoclosure @Sendable () -> JSON,
    read: @escaping @Sendable (Node, inout StepReader, inout DiagnosticCollector) -> StepAction?
  ) -> StepSyntax {
    StepSyntax(
      parameterKeys: { [] }, schema: schema,
      read: { kind, value, keyNode, reader, problems in
        guard let value else {
          problems.error(
            "empty-value", "missing value for `\(kind.key)`", help: "write `\(kind.key): \(example)`", at: keyNode)
          return nil
        }
        return read(value, &reader, &problems)
      })
  }
}

/// A short form of a step type's mapping, such as `callGraph: /me`.
struct ShortForm<Parameters: Sendable>: Sendable {
  let expectation: String
  let schema: @Sendable () -> JSON
  let accepts: @Sendable (Node) -> Bool
  let read: @Sendable (Node, inout Parameters, inout DiagnosticCollector) -> Bool

  /// Creates a short form that consists of a scalar and sets one parameter.
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
