import Documents
import Effects
import OrderedCollections
import Synchronization

/// Takes what every room tells of a run, masks the secrets, numbers the events and hands them on.
///
/// A secret is shown as a stable ordinal, `‹access token #2›`, everywhere in one trace, also inside longer texts: once a
/// `Secret` was seen, its value is masked wherever it appears later.
package final class TraceRecorder: Sendable {
  private struct State {
    var seq = 0
    var known: [String: String] = [:]
    /// The same, to be found inside longer texts.
    var finder = SecretFinder()
    var counts: [Secret.Kind: Int] = [:]
    var secretSink: (@Sendable (Secret) -> Void)?
  }

  /// The step that the current task works for; it stands in every event recorded meanwhile.
  @TaskLocal package static var step: String?

  private let state: Mutex<State>
  private let clock: any WorldClock
  private let sink: (@Sendable (TraceEvent) -> Void)?

  /// - Parameters:
  ///   - sink: called with each event, in order, on the task that recorded it. Without one nothing is recorded, and what
  ///     would be told is not even made up: a token from the cache must not cost an app more than the token.
  ///   - secretSink: called with each secret when it is seen for the first time, for whoever else must keep it. It must
  ///     not call back.
  package init(
    clock: any WorldClock, sink: (@Sendable (TraceEvent) -> Void)? = nil,
    secretSink: (@Sendable (Secret) -> Void)? = nil
  ) {
    self.clock = clock
    self.sink = sink
    state = Mutex(State(secretSink: secretSink))
  }

  /// Whether anybody is told anything: what would only be told need not be put together where nobody is.
  package var isHeard: Bool { sink != nil }

  package func record(
    _ kind: TraceEvent.Kind, _ members: @autoclosure () -> OrderedDictionary<String, TraceValue>
  ) {
    guard let sink else { return }
    let time = clock.now
    var members = members()
    if let step = Self.step, members["step"] == nil { members["step"] = .value(.string(step)) }
    // The sink is called inside the lock, so that two tasks cannot deliver events out of order.
    state.withLock { state in
      var masked: OrderedDictionary<String, JSON> = [:]
      for (name, value) in members {
        if case .value(let json) = value, Self.isVocabulary(name, kind) {
          masked[name] = json
        } else {
          masked[name] = Self.mask(value, &state)
        }
      }
      state.seq += 1
      let event = TraceEvent(seq: state.seq, time: time, kind: kind, members: masked)
      sink(event)
    }
  }

  /// Says why the run goes on as it does.
  /// - Parameters:
  ///   - subject: what was decided about, such as `accessToken` or `refreshToken`.
  ///   - verdict: the outcome in a word or two, such as `hit`, `expired`, `none`.
  ///   - reason: one sentence for people.
  package func recordDecision(
    _ subject: String, _ verdict: @autoclosure () -> String, reason: @autoclosure () -> String,
    _ facts: @autoclosure () -> OrderedDictionary<String, TraceValue> = [:]
  ) {
    guard sink != nil else { return }
    let facts = facts()
    var members: OrderedDictionary<String, TraceValue> = [
      "subject": .value(.string(subject)), "verdict": .value(.string(verdict())), "reason": .value(.string(reason())),
    ]
    if !facts.isEmpty { members["facts"] = .fields(facts) }
    record(.decision, members)
  }

  /// Masks a value from now on wherever it would be shown.
  package func keepSecret(_ secret: Secret) {
    state.withLock { _ = Self.label(for: secret, &$0) }
  }

  /// The masked form of a secret in this trace.
  package func mask(_ secret: Secret) -> String {
    state.withLock { Self.label(for: secret, &$0) }
  }

  /// The text with every secret that this trace has seen replaced by its masked form.
  package func mask(_ text: String) -> String {
    state.withLock { $0.finder.masking(text) }
  }

  /// Whether a member names something of the workflow or the trace format. A secret that is an ordinary word, such as `ok`,
  /// must not make the trace unreadable.
  private static func isVocabulary(_ name: String, _ kind: TraceEvent.Kind) -> Bool {
    switch name {
    case "step", "stepKind", "parent", "outcome", "next", "from", "method", "path": true
    case "verdict": kind == .stepFinished
    default: false
    }
  }

  private static func mask(_ value: TraceValue, _ state: inout State) -> JSON {
    switch value {
    case .value(let json): mask(json, state)
    case .outside(let json): maskAll(json, state)
    case .secret(let secret): .string(label(for: secret, &state))
    case .list(let values): .array(values.map { mask($0, &state) })
    case .fields(let fields): .object(fields.mapValues { mask($0, &state) })
    }
  }

  private static func mask(_ json: JSON, _ state: State) -> JSON {
    switch json {
    case .string(let text): .string(state.finder.masking(text))
    case .array(let values): .array(values.map { mask($0, state) })
    case .object(let members): .object(members.mapValues { mask($0, state) })
    default: json
    }
  }

  /// Masks names and numbers too: in JSON from outside, a secret may be either.
  private static func maskAll(_ json: JSON, _ state: State) -> JSON {
    switch json {
    case .array(let values): return .array(values.map { maskAll($0, state) })
    case .object(let members):
      var masked: JSON.Members = [:]
      for (name, value) in members { masked[state.finder.masking(name)] = maskAll(value, state) }
      return .object(masked)
    case .integer, .real:
      let text = json.text()
      let masked = state.finder.masking(text)
      return masked == text ? json : .string(masked)
    default: return mask(json, state)
    }
  }

  private static func label(for secret: Secret, _ state: inout State) -> String {
    let value = secret.reveal()
    guard !value.isEmpty else { return secret.description }
    if let label = state.known[value] { return label }
    let ordinal = state.counts[secret.kind, default: 0] + 1
    state.counts[secret.kind] = ordinal
    let label = "‹\(secret.kind.rawValue) #\(ordinal)›"
    state.known[value] = label
    state.secretSink?(secret)
    state.finder.insert(value, label: label, evenIfShort: secret.kind.isSecretIfShort)
    return label
  }
}
