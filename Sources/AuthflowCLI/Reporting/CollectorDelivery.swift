import Documents
import Effects
import HTTPTypes
import OAuth
import Reports

/// Sends spans to an OpenTelemetry collector (OTLP/JSON over HTTP).
struct CollectorDelivery {
  /// The maximum number of attempts if the collector is busy.
  private static let attemptLimit = 3
  /// The maximum delay between two attempts.
  private static let waitLimit = Duration.seconds(30)

  /// The value of `--otlp`.
  let url: String
  let session: Session

  /// - Throws: `.usageError` if the URL is malformed, or `.environmentFailure` if the collector does not accept all
  ///   spans. The reason has been reported.
  func send(_ batches: [JSON]) async throws(ExitStatus) {
    var isIncomplete = false
    for batch in batches {
      guard
        let request = RequestMessage(method: .post, url: requestURL, headers: headers, body: Array(batch.text().utf8))
      else {
        throw session.report(
          .usageError, "not the URL of a collector: \(url)", help: "use a URL such as `http://localhost:4318`")
      }
      switch try await response(to: request) {
      case .accepted: break
      case .warned(let message):
        session.printStatus("warning: the collector accepted the spans with a warning: \(message)")
      case .partly(let rejected, let message):
        isIncomplete = true
        session.reportError(
          "the collector rejected \(rejected) of the spans" + (message.isEmpty ? "" : ": \(message)"))
      case .refused(let status, let message, _):
        let help: String? =
          switch status {
          case 401, 403: "set credentials with `OTEL_EXPORTER_OTLP_HEADERS=authorization=Bearer%20…`"
          case 404: "check the URL: collectors receive spans over HTTP at `/v1/traces`, usually on port 4318"
          case 413: "increase the collector's request size limit"
          case 415: "enable a receiver for OTLP/JSON in the collector"
          default: nil
          }
        throw session.report(
          .environmentFailure,
          "the collector at \(url) rejected the spans with status \(status)"
            + (message.isEmpty ? "" : ": \(message)"), help: help)
      }
    }
    if isIncomplete { throw .environmentFailure }
  }

  /// The URL of the request. If the URL of `--otlp` has no path, the default path from the OTLP specification is added.
  private var requestURL: String {
    var reference = URLReference(url)
    guard reference.path.isEmpty || reference.path == "/", reference.query == nil else { return url }
    reference.path = "/v1/traces"
    reference.fragment = nil
    return reference.text
  }

  /// The headers in the variables `OTEL_EXPORTER_OTLP_HEADERS` and `OTEL_EXPORTER_OTLP_TRACES_HEADERS`. The format is
  /// `name=value,…`, percent-encoded.
  private var headers: HTTPFields {
    var fields: HTTPFields = [.contentType: "application/json", .accept: "application/json"]
    for variable in ["OTEL_EXPORTER_OTLP_HEADERS", "OTEL_EXPORTER_OTLP_TRACES_HEADERS"] {
      for pair in (session.world.environment[variable] ?? "").split(separator: ",") {
        guard let equals = pair.firstIndex(of: "=") else { continue }
        let encodedName = pair[..<equals].filter { $0 != " " }
        guard let name = HTTPField.Name(PercentEncoding.decode(encodedName)) else { continue }
        let value = pair[pair.index(after: equals)...].drop { $0 == " " }
        fields[name] = PercentEncoding.decode(value)
      }
    }
    return fields
  }

  private func response(to request: RequestMessage) async throws(ExitStatus) -> CollectorResponse {
    for attempt in 1... {
      let response: ResponseMessage
      do {
        response = try await session.world.http.send(request)
      } catch {
        if Task.isCancelled { throw .interrupted }
        throw session.report(
          .environmentFailure, "cannot reach the collector at \(url): \(error.explanation)",
          help: "start the collector, or check the URL; the usual port for HTTP is 4318")
      }
      let result = CollectorResponse(status: response.head.status.code, body: response.body)
      guard case .refused(_, _, retryable: true) = result, attempt < Self.attemptLimit else { return result }
      let retryAfter = response.head.headerFields[.retryAfter].flatMap { Int64($0) }.map { Duration.seconds($0) }
      let wait = min(max(retryAfter ?? .seconds(1 << (attempt - 1)), .zero), Self.waitLimit)
      do { try await session.world.clock.sleep(for: wait) } catch { throw .interrupted }
    }
    return .accepted
  }
}
