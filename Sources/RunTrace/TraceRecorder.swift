import Documents
import Effects
import OrderedCollections
import Synchronization

/// Records the events of a run. The recorder masks secrets, numbers the events, and passes them to a sink.
///
/// A secret has the same placeholder, such as `‹access token #2›`, everywhere in a trace. After a `Secret` is recorded,
/// its value is masked in all later events, even inside longer strings.
package final class TraceRecorder: Sendable {
  private struct State {
    var seq = 0
    var known: [String: String] = [:]
    /// The finder for recorded secrets inside longer strings.
    var finder = SecretFinder()
    var counts: [Secret.Kind: Int] = [:]
    var secretSink: (@Sendable (Secret) -> Void)?
  }

  /// The step of the current task, which the recorder adds to all events of the task.
  @TaskLocal package static var step: String?

  private let state: Mutex<State>
  private let clock: any WorldClock
  private let sink: (@Sendable (TraceEvent) -> Void)?

  /// - Parameters:
  ///   - sink: A closure that is called with each event in order, on the task that recorded the event. Without a sink,
  ///     the recorder does not create events, so disabled tracing does not slow down cached-token lookups.
  ///   - secretSink: A closure that is called with each new secret. It must not call the recorder.
  package init(
    clock: any WorldClock, sink: (@Sendable (TraceEvent) -> Void)? = nil,
    secretSink: (@Sendable (Secret) -> Void)? = nil
  ) {
    self.clock = clock
    self.sink = sink
    state = Mutex(State(secretSink: secretSink))
  }

  /// Whether events are recorded. If not, callers can skip expensive details.
  package var isHeard: Bool { sink != nil }

  package func record(
    _ kind: TraceEvent.Kind, _ members: @autoclosure () -> OrderedDictionary<String, TraceValue>
  ) {
    guard let sink else { return }
    let time = clock.now
    var members = members()
    if let step = Self.step, members["step"] == nil { members["step"] = .value(.string(step)) }
    // Call the sink inside the lock to keep the events of concurrent tasks in order.
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

  /// Records a decision.
  /// - Parameters:
  ///   - subject: The subject, such as `accessToken` or `refreshToken`.
  ///   - verdict: The decision in one or two words, such as `hit`, `expired`, or `none`.
  ///   - reason: The reason for the decision, as a short clause.
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

  /// Masks a value in all later events.
  package func keepSecret(_ secret: Secret) {
    state.withLock { _ = Self.label(for: secret, &$0) }
  }

  /// Returns the placeholder of a secret.
  package func mask(_ secret: Secret) -> String {
    state.withLock { Self.label(for: secret, &$0) }
  }

  /// Returns the text with placeholders for all recorded secrets.
  package func mask(_ text: String) -> String {
    state.withLock { $0.finder.masking(text) }
  }

  /// Returns the value as an event would contain it, with placeholders for all secrets.
  package func mask(_ value: TraceValue) -> JSON {
    state.withLock { Self.mask(value, &$0) }
  }

  /// Returns whether a member contains terms from the workflow or the trace format. Such terms are not masked, because
  /// a secret such as `ok` would otherwise make the trace unreadable.
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

  /// Masks all strings, names, and numbers, because each of them can be a secret in external JSON.
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
