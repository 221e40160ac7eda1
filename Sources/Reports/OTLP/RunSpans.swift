import Documents
import Effects
import OrderedCollections

/// A run as OpenTelemetry spans. There are spans for the run, the scenario, each step, each decision, each browser
/// visit, and each HTTP exchange. Spans for HTTP exchanges follow the semantic conventions for HTTP clients (1.23 and
/// later).
package struct RunSpans: Sendable {
  private let tracedRun: TracedRun
  private let identity: SpanIdentity

  /// The maximum number of spans in each request. Collectors accept requests of up to four megabytes.
  package static let batch = 1000

  package init(_ tracedRun: TracedRun) {
    self.tracedRun = tracedRun
    identity = SpanIdentity(tracedRun)
  }

  /// All spans as one `TracesData`.
  package var json: JSON { request(spans) }

  /// The spans, split into requests that are small enough for a collector.
  package var batches: [JSON] {
    let spans = self.spans
    return stride(from: 0, to: spans.count, by: Self.batch).map { start in
      request(Array(spans[start..<min(start + Self.batch, spans.count)]))
    }
  }

  private func request(_ spans: [Span]) -> JSON {
    let version = tracedRun.tool.split(separator: " ").last.map(String.init) ?? ""
    let resource: Span.Attributes = [
      "service.name": "authflow", "service.version": version.isEmpty ? nil : .string(version),
      "telemetry.sdk.name": "authflow", "telemetry.sdk.language": "swift",
    ]
    return [
      "resourceSpans": [
        [
          "resource": ["attributes": .array(resource.pairs)],
          "scopeSpans": [
            [
              "scope": ["name": "authflow", "version": .string(version)],
              "spans": .array(spans.map { $0.json(trace: identity.traceID) }),
            ]
          ],
        ]
      ]
    ]
  }

  // MARK: Spans

  private var runID: String { identity.span("run") }
  /// The ID of the parent span for the outermost steps and the preconditions.
  private var rootID: String { tracedRun.scenario == nil ? runID : identity.span("scenario") }

  private var spans: [Span] {
    var spans = [run]
    if let scenario = tracedRun.scenario { spans.append(span(scenario)) }
    spans += tracedRun.steps.indices.map(step)
    spans += tracedRun.decisions.map(decision)
    spans += tracedRun.interactions.map(interaction)
    spans += tracedRun.exchanges.map(exchange)
    return spans
  }

  private func parent(_ step: Int?) -> String {
    step.map { identity.span("step", tracedRun.steps[$0].startedSeq) } ?? rootID
  }

  private var run: Span {
    Span(
      id: runID, parent: nil, name: "run \(tracedRun.name)", start: tracedRun.started, end: tracedRun.ended,
      attributes: [
        "authflow.workflow.name": .string(tracedRun.name), "authflow.workflow.file": tracedRun.file.map { .string($0) },
        "authflow.platform": .string(tracedRun.platform),
        "authflow.outcome": tracedRun.ending.map { .string($0.outcome) } ?? "unfinished",
        "authflow.path": tracedRun.ending.map { .array($0.path.map { .string($0) }) },
        "authflow.interactions": tracedRun.ending.map { .integer(Int64($0.interactions)) },
      ], error: RunSummaryLine.reason(tracedRun))
  }

  private func span(_ scenario: TracedRun.Scenario) -> Span {
    Span(
      id: rootID, parent: runID, name: "scenario \(scenario.name)", start: tracedRun.started, end: tracedRun.ended,
      attributes: [
        "authflow.scenario.name": .string(scenario.name),
        "authflow.scenario.outcome": scenario.outcome.map { .string($0) },
        "authflow.scenario.broken": scenario.broken.isEmpty ? nil : .array(scenario.broken.map { .string($0) }),
      ], error: tracedRun.succeeded == true ? nil : RunSummaryLine.reason(tracedRun))
  }

  private func step(_ position: Int) -> Span {
    let step = tracedRun.steps[position]
    var span = Span(
      id: parent(position), parent: step.parent.map { parent($0) } ?? rootID, name: "step \(step.id)",
      start: step.started, end: step.ended ?? tracedRun.ended,
      attributes: [
        "authflow.step.id": .string(step.id), "authflow.step.kind": .string(step.kind),
        "authflow.step.outcome": .string(step.outcome ?? "unfinished"),
        "authflow.step.verdict": .string(step.verdict.rawValue),
        "authflow.step.entered_by": step.enteredBy.isEmpty ? nil : .string(step.enteredBy),
        "authflow.step.left_by": step.leftBy.map { .string($0) },
        "authflow.step.next": step.next.map { .string($0) },
        "authflow.step.attempts": step.attempts.isEmpty ? nil : .integer(Int64(step.attempts.count)),
        "authflow.step.client": step.client.map { .string($0) },
        "authflow.token.source": step.tokenSource.map { .string($0) },
        "authflow.error.msal": step.failure?.msal.map { .string($0) },
        "authflow.error.code": step.failure?.code.map { .string($0) },
        "authflow.error.oauth": step.failure?.oauth.map { .string($0) },
        "authflow.error.suberror": step.failure?.suberror.map { .string($0) },
        "error.type": step.verdict == .failed ? .string(step.outcome ?? "_OTHER") : nil,
        "code.file.path": step.place.map { .string($0.file) },
        "code.line.number": step.place.map { .integer(Int64($0.line)) },
      ])
    if step.verdict == .failed || step.verdict == .unfinished {
      span.error = RunSummaryLine.reasons(tracedRun, step: position).first ?? step.outcome ?? ""
    }
    span.events = step.cacheWrites.map { position in
      let write = tracedRun.cacheWrites[position]
      return Span.Event(
        name: "cache.written", time: write.time,
        attributes: [
          "authflow.cache.reason": .string(write.reason),
          "authflow.cache.changes": .array(
            write.changes.map { .string("\($0.kind) \($0.key.section) \($0.key.key)") }),
        ])
    }
    for token in tracedRun.tokens {
      for got in token.acquisitions where got.step == position {
        span.events.append(
          Span.Event(
            name: "token.acquired", time: got.time,
            attributes: [
              "authflow.token.label": .string(token.label), "authflow.token.source": .string(got.source),
              "authflow.token.scopes": .array(got.scopes.map { .string($0) }),
            ]))
      }
    }
    span.events.sort { $0.time < $1.time }
    return span
  }

  private func decision(_ decision: TracedDecision) -> Span {
    Span(
      id: identity.span("decision", decision.seq), parent: parent(decision.step),
      name: "decision \(decision.subject)", start: decision.time, end: decision.time,
      attributes: [
        "authflow.decision.subject": .string(decision.subject),
        "authflow.decision.verdict": .string(decision.verdict), "authflow.decision.reason": .string(decision.reason),
        "authflow.decision.facts": decision.facts.count == 0 ? nil : decision.facts,
      ])
  }

  private func interaction(_ interaction: TracedInteraction) -> Span {
    Span(
      id: identity.span("interaction", interaction.openedSeq), parent: parent(interaction.step),
      name: "interaction \(interaction.purpose)", start: interaction.opened, end: interaction.ended ?? tracedRun.ended,
      attributes: [
        "authflow.interaction.purpose": .string(interaction.purpose),
        "authflow.interaction.ending": interaction.ending.map { .string($0) },
        "authflow.interaction.screens": .array(interaction.screens.map { .string($0) }),
        "authflow.interaction.page_error": interaction.pageError.map { .string($0) },
      ])
  }

  /// The HTTP methods that appear unchanged in span names and attributes. For all other methods, the attribute is
  /// `_OTHER`.
  private static let knownMethods: Set<String> = [
    "CONNECT", "DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT", "QUERY", "TRACE",
  ]

  private func exchange(_ exchange: TracedExchange) -> Span {
    let address = RequestAddress(exchange.request)
    let method = exchange.request.method
    let isKnown = Self.knownMethods.contains(method)
    let status = exchange.answer?.status
    let errorType: String? =
      status.map { $0 >= 400 ? "\($0)" : nil } ?? (exchange.answer == nil ? "unanswered" : "_OTHER")
    var attributes: Span.Attributes = [
      "http.request.method": .string(isKnown ? method : "_OTHER"),
      "http.request.method_original": isKnown ? nil : .string(method), "url.full": .string(address.text),
      "url.scheme": address.scheme.map { .string($0) }, "server.address": .string(address.host ?? ""),
      "server.port": address.port.map { .integer(Int64($0)) },
      "http.response.status_code": status.map { .integer(Int64($0)) },
      "http.request.resend_count": exchange.attempt > 1 ? .integer(Int64(exchange.attempt - 1)) : nil,
      "error.type": errorType.map { .string($0) },
      "http.request.body.size": exchange.request.body.map { .integer(Int64($0.bytes)) },
      "http.response.body.size": exchange.answer?.body.map { .integer(Int64($0.bytes)) },
      "authflow.http.from": .string(exchange.from.rawValue),
    ]
    for name in ["client-request-id", "user-agent"] {
      attributes.add(
        "http.request.header.\(name)", exchange.request.headers.first(named: name).map { .array([.string($0)]) })
    }
    for name in ["x-ms-request-id", "request-id", "retry-after"] {
      attributes.add(
        "http.response.header.\(name)", exchange.answer?.headers.first(named: name).map { .array([.string($0)]) })
    }
    let start = exchange.request.time
    var span = Span(
      id: identity.span(of: exchange), parent: parent(exchange.step), name: isKnown ? method : "HTTP", kind: .client,
      start: start,
      end: exchange.answer.map { answer in exchange.duration.map { start + $0 } ?? answer.time } ?? tracedRun.ended,
      attributes: attributes)
    if errorType != nil { span.error = exchange.answer?.failure ?? "" }
    return span
  }
}
