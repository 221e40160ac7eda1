import Documents
import Effects
import HTTPTypes
import OAuth
import Reports

/// Hands spans to a collector of OpenTelemetry: OTLP over HTTP, as JSON.
struct CollectorDelivery {
  /// How often a request is tried that the collector has no time for.
  private static let attempts = 3
  /// The longest wait between two attempts that a collector may ask for.
  private static let longestWait = Duration.seconds(30)

  let url: String
  let session: Session

  func send(_ batches: [JSON]) async throws(ExitStatus) {
    var loss = false
    for batch in batches {
      guard
        let request = RequestMessage(method: .post, url: address, headers: headers, body: Array(batch.text().utf8))
      else {
        session.printStatus("error: \(url) is no URL of a collector\n  help: as in --otlp http://localhost:4318")
        throw .usageError
      }
      switch try await answer(to: request) {
      case .accepted: break
      case .warned(let words): session.printStatus("warning: the collector took the spans and says: \(words)")
      case .partly(let rejected, let words):
        loss = true
        session.printStatus(
          "error: the collector left out \(rejected) of the spans" + (words.isEmpty ? "" : ": \(words)"))
      case .refused(let status, let words, _):
        let help =
          switch status {
          case 401, 403: "\n  help: give it credentials: OTEL_EXPORTER_OTLP_HEADERS=authorization=Bearer%20…"
          case 404: "\n  help: spans over HTTP go to /v1/traces, usually on port 4318"
          case 413: "\n  help: the collector takes no request of this size; raise its limit"
          case 415: "\n  help: the collector takes no JSON; ask its operator for a receiver of OTLP/JSON"
          default: ""
          }
        session.printStatus(
          "error: the collector at \(url) refused the spans with \(status)"
            + (words.isEmpty ? "" : ": \(words)") + help)
        throw .environmentFailure
      }
    }
    if loss { throw .environmentFailure }
  }

  /// A URL without a path names the collector, and the path is the one of the specification.
  private var address: String {
    let reference = URLReference(url)
    guard reference.path.isEmpty || reference.path == "/", reference.query == nil else { return url }
    var full = reference
    full.path = "/v1/traces"
    full.fragment = nil
    return full.text
  }

  /// `OTEL_EXPORTER_OTLP_HEADERS`, and those for traces over them: `name=value,…`, percent-encoded.
  private var headers: HTTPFields {
    var fields: HTTPFields = [.contentType: "application/json", .accept: "application/json"]
    for variable in ["OTEL_EXPORTER_OTLP_HEADERS", "OTEL_EXPORTER_OTLP_TRACES_HEADERS"] {
      for pair in (session.world.environment[variable] ?? "").split(separator: ",") {
        guard let equals = pair.firstIndex(of: "=") else { continue }
        let written = pair[..<equals].filter { $0 != " " }
        guard let name = HTTPField.Name(FormCoding.decode(written, plusIsSpace: false)) else { continue }
        let value = pair[pair.index(after: equals)...].drop { $0 == " " }
        fields[name] = FormCoding.decode(value, plusIsSpace: false)
      }
    }
    return fields
  }

  private func answer(to request: RequestMessage) async throws(ExitStatus) -> CollectorResponse {
    for attempt in 1... {
      let response: ResponseMessage
      do {
        response = try await session.world.http.send(request)
      } catch {
        if Task.isCancelled { throw .interrupted }
        session.printStatus(
          "error: the collector at \(url) cannot be reached: \(error.explanation)\n"
            + "  help: start it, or check the URL; spans over HTTP go to port 4318")
        throw .environmentFailure
      }
      let answer = CollectorResponse(status: response.head.status.code, body: response.body)
      guard case .refused(_, _, retryable: true) = answer, attempt < Self.attempts else { return answer }
      let asked = response.head.headerFields[.retryAfter].flatMap { Int64($0) }.map { Duration.seconds($0) }
      let wait = min(max(asked ?? .seconds(1 << (attempt - 1)), .zero), Self.longestWait)
      do { try await session.world.clock.sleep(for: wait) } catch { throw .interrupted }
    }
    return .accepted
  }
}
