import Diagnostics
import Documents
import Effects
import OrderedCollections

extension Recording {
  /// Whether the beginning of a file looks like a recording. Checks only the first line.
  package static func isRecording(beginning: [UInt8]) -> Bool {
    let line = beginning.prefix { $0 != UInt8(ascii: "\n") }
    return (try? JSON(parsing: line))?["recording"] != nil
  }

  /// Parses a recording.
  ///
  /// Skips an incomplete last line with a warning, because an interrupted run can leave one. Reports all other invalid
  /// lines as errors, because a replay would differ from the recorded run.
  /// - Returns: The recording and the diagnostics. The recording is nil if there are errors.
  package static func read(_ bytes: [UInt8], named name: String) -> (recording: Recording?, diagnostics: [Diagnostic]) {
    var reader = RecordingReader(source: SourceText(name: name, bytes: bytes))
    return reader.read()
  }
}

/// A parser for the lines of a recording.
private struct RecordingReader {
  let source: SourceText
  private var diagnostics: [Diagnostic] = []
  private var recording: Recording?
  private var errorCount = 0

  /// The maximum number of reported errors, in case the file is not a recording.
  private static let maxErrors = 10

  init(source: SourceText) { self.source = source }

  mutating func read() -> (Recording?, [Diagnostic]) {
    let bytes = source.bytes
    guard bytes.contains(where: { $0 > 0x20 }) else {
      reportError("recording is empty", help: "create one with `authflow run FILE --record \(source.name)`", at: nil)
      return (nil, diagnostics)
    }
    var start = 0
    while start < bytes.count, errorCount < Self.maxErrors {
      let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
      let span = SourceSpan(start: start, end: end)
      if bytes[start..<end].contains(where: { $0 > 0x20 }),
        !parseLine(bytes[start..<end], span, isComplete: end < bytes.count)
      {
        break
      }
      start = end + 1
    }
    guard var recording, !diagnostics.hasErrors else { return (nil, diagnostics) }
    recording.index = RecordingIndex(recording.entries)
    return (recording, diagnostics)
  }

  /// - Returns: Whether to continue with the next line.
  private mutating func parseLine(_ line: ArraySlice<UInt8>, _ span: SourceSpan, isComplete: Bool) -> Bool {
    let json: JSON
    do {
      json = try JSON(parsing: line)
    } catch {
      guard isComplete || recording == nil else {
        diagnostics.append(
          Diagnostic(
            .warning, rule: "truncated-line", "last line is incomplete and was skipped",
            help: "record the run again; the recorded run was interrupted", at: FileSpan(source, span)))
        return false
      }
      let message = recording == nil ? "not a recording: first line is not JSON" : "line is not JSON"
      reportError("\(message): \(error.message)", help: nil, at: .at(span.start + error.offset))
      return recording != nil
    }
    guard recording != nil else { return parseHeader(json, span) }
    guard json.object != nil else {
      reportError("recording line is not an object", help: nil, at: span)
      return true
    }
    switch json["kind"]?.string {
    case "exchange": appendEntry(json, span, exchange(json))
    case "visit": appendEntry(json, span, visit(json))
    case "badlySigned":
      guard let label = json["token"]?.string else {
        reportError("line without `token`", help: nil, at: span)
        return true
      }
      recording?.badlySigned.insert(label)
    case let kind:
      reportError(
        kind.map { "unknown line kind `\($0)`" } ?? "line without `kind`",
        help: "use `exchange`, `visit`, or `badlySigned`", at: span)
    }
    return true
  }

  private mutating func parseHeader(_ json: JSON, _ span: SourceSpan) -> Bool {
    guard let version = json["recording"] else {
      if json["cassette"] != nil {
        reportError(
          "recording uses an unsupported format from an earlier version of authflow",
          help: "record it again with `authflow run FILE --record \(source.name)`", at: span)
      } else if json["kind"] != nil, json["seq"] != nil {
        reportError(
          "file is a trace, not a recording",
          help: "write a recording with `--record`; a trace cannot be replayed", at: span)
      } else {
        reportError(
          "not a recording: first line has no `recording` key",
          help: "create a recording with `authflow run FILE --record RECORDING`", at: span)
      }
      return false
    }
    guard version.integer == Int64(Recording.version) else {
      reportError(
        "unsupported recording version \(version.text()) (supported: \(Recording.version))",
        help: "record it again, or use the authflow version that recorded it", at: span)
      return false
    }
    guard let time = json["recordedAt"]?.string, let start = Instant(rfc3339: time) else {
      reportError("missing or invalid `recordedAt`", help: nil, at: span)
      return false
    }
    recording = Recording(
      recordedAt: start, tool: json["tool"]?.string ?? "", platform: json["platform"]?.string ?? "", source: source)
    return true
  }

  private mutating func reportError(_ message: String, help: String?, at span: SourceSpan?) {
    errorCount += 1
    diagnostics.append(
      Diagnostic(.error, rule: "unusable-recording", message, help: help, at: FileSpan(source, span)))
  }

  // MARK: Entries

  private mutating func appendEntry(
    _ json: JSON, _ span: SourceSpan, _ content: Result<Recording.Entry.Content, FormatError>
  ) {
    do throws(FormatError) {
      let content = try content.get()
      let at = try Self.duration(json["at"], "at")
      let took = try json["took"].map { value throws(FormatError) in try Self.duration(value, "took") } ?? .zero
      recording?.entries.append(Recording.Entry(at: at, took: took, content: content, span: span))
      for (label, issued) in json["issued"]?.object ?? [:] { try appendIssued(issued, as: label) }
    } catch {
      reportError(error.message, help: nil, at: span)
    }
  }

  private struct FormatError: Error {
    var message: String

    init(_ message: String) { self.message = message }
  }

  private static func duration(_ json: JSON?, _ name: String) throws(FormatError) -> Duration {
    guard let seconds = json?.number else {
      throw FormatError("missing or invalid `\(name)`: expected a number of seconds")
    }
    guard seconds >= 0, seconds < 1e10 else {
      throw FormatError(
        "`\(name)` is \(seconds < 0 ? "negative" : "too large")")
    }
    return .milliseconds(Int64(seconds * 1000))
  }

  private mutating func appendIssued(_ json: JSON, as label: String) throws(FormatError) {
    guard case .secret? = SecretPlaceholder(content: label), json.object != nil else {
      throw FormatError("invalid placeholder `\(label)` in `issued`")
    }
    var secret = IssuedSecret()
    if let claims = json["claims"] {
      guard claims.object != nil, let header = json["header"], header.object != nil else {
        throw FormatError("`\(label)` requires the mappings `header` and `claims`")
      }
      secret.token = .init(header: header, claims: claims)
    }
    if let length = json["length"] {
      guard let number = length.integer, (0...1 << 20).contains(number) else {
        throw FormatError("invalid `length` of `\(label)`: expected 0 to 1048576")
      }
      secret.length = Int(number)
    }
    secret.shape = json["shape"]?.string
    if recording?.issued[label] == nil { recording?.issued[label] = secret }
    if json["badlySigned"]?.bool == true { recording?.badlySigned.insert(label) }
  }

  private func request(_ json: JSON?) throws(FormatError) -> RecordedRequest {
    guard let json, let method = json["method"]?.string, let url = json["url"]?.string else {
      throw FormatError("request without `method` or `url`")
    }
    guard let query = RecordedFields(json["query"]), let headers = RecordedFields(json["headers"]),
      let body = RecordedBody(in: json)
    else { throw FormatError("`query`, `headers`, or body of the request has the wrong type") }
    return RecordedRequest(method: method, url: url, query: query, headers: headers, body: body)
  }

  private func exchange(_ json: JSON) -> Result<Recording.Entry.Content, FormatError> {
    Result { () throws(FormatError) in
      let request = try request(json["request"])
      if let failure = json["failure"] {
        let (kind, reason) = try Self.failure(failure)
        return .exchange(request, .failure(kind: kind, reason: reason))
      }
      guard let response = json["response"], let status = response["status"]?.integer,
        (100...599).contains(status)
      else { throw FormatError("exchange has neither a `failure` nor a `response` with a valid `status`") }
      guard let headers = RecordedFields(response["headers"]), let body = RecordedBody(in: response) else {
        throw FormatError("`headers` or body of the response has the wrong type")
      }
      return .exchange(request, .response(status: Int(status), headers: headers, body: body))
    }
  }

  private static func failure(_ json: JSON) throws(FormatError) -> (String, String) {
    guard let kind = json["kind"]?.string, TransportFailure.recordedKinds.contains(kind) else {
      throw FormatError(
        "unknown failure kind; expected one of \(TransportFailure.recordedKinds.joined(separator: ", "))")
    }
    return (kind, json["reason"]?.string ?? "")
  }

  private func visit(_ json: JSON) -> Result<Recording.Entry.Content, FormatError> {
    Result { () throws(FormatError) in
      guard let purpose = json["purpose"]?.string, BrowserVisit.Purpose(rawValue: purpose) != nil else {
        throw FormatError("`purpose` of the visit is not `signIn`, `signOut`, or `deviceCode`")
      }
      var visit = RecordedVisit(
        purpose: purpose, request: try request(json["request"]), ending: try Self.ending(json["ending"]))
      visit.redirectURI = json["redirectUri"]?.string
      visit.ephemeral = json["ephemeral"]?.bool ?? false
      visit.screens = json["screens"]?.array?.compactMap(\.string) ?? []
      visit.pageError = json["pageError"]?.string
      return .visit(visit)
    }
  }

  private static func ending(_ json: JSON?) throws(FormatError) -> RecordedVisit.Result {
    if let redirected = json?["redirected"] {
      guard let url = redirected["url"]?.string, let query = RecordedFields(redirected["query"]),
        let fragment = RecordedFields(redirected["fragment"])
      else { throw FormatError("`url`, `query`, or `fragment` of the redirect is missing or has the wrong type") }
      return .redirected(url: url, query: query, fragment: fragment)
    }
    if let reason = json?["closed"]?.string { return .closed(reason) }
    if let reason = json?["unavailable"]?.string { return .unavailable(reason) }
    if let failed = json?["failed"] {
      let (kind, reason) = try failure(failed)
      return .failed(kind: kind, reason: reason)
    }
    guard json?["finished"] != nil else {
      throw FormatError("`ending` is not `redirected`, `closed`, `unavailable`, `failed`, or `finished`")
    }
    return .finished
  }
}
