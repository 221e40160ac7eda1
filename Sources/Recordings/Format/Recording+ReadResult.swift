import Diagnostics
import Documents
import Effects
import OrderedCollections

extension Recording {
  /// Whether a file's first bytes are those of a recording; nothing is said about the rest.
  package static func isRecording(beginning: [UInt8]) -> Bool {
    let line = beginning.prefix { $0 != UInt8(ascii: "\n") }
    return (try? JSON(parsing: line))?["recording"] != nil
  }

  /// Reads a recording.
  ///
  /// A last line without its end is what a run leaves that was killed: it is told and left out. Everything else that is
  /// no line of a recording is an error, since a replay would go astray at it.
  /// - Returns: the recording, nil where anything is an error, and what there is to say.
  package static func read(_ bytes: [UInt8], named name: String) -> (recording: Recording?, diagnostics: [Diagnostic]) {
    var reader = RecordingReader(source: SourceText(name: name, bytes: bytes))
    return reader.read()
  }
}

/// Reads the lines of a recording.
private struct RecordingReader {
  let source: SourceText
  private var diagnostics: [Diagnostic] = []
  private var recording: Recording?
  private var mistakes = 0

  /// So many mistakes are told; a file that is something else altogether is not told line by line.
  private static let mostMistakes = 10

  init(source: SourceText) { self.source = source }

  mutating func read() -> (Recording?, [Diagnostic]) {
    let bytes = source.bytes
    guard bytes.contains(where: { $0 > 0x20 }) else {
      tell("the recording is empty", help: "record one: authflow run FILE --record \(source.name)", at: nil)
      return (nil, diagnostics)
    }
    var start = 0
    while start < bytes.count, mistakes < Self.mostMistakes {
      let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
      let span = SourceSpan(start: start, end: end)
      if bytes[start..<end].contains(where: { $0 > 0x20 }), !take(bytes[start..<end], span, isWhole: end < bytes.count)
      {
        break
      }
      start = end + 1
    }
    guard var recording, !diagnostics.hasErrors else { return (nil, diagnostics) }
    recording.index = RecordingIndex(recording.entries)
    return (recording, diagnostics)
  }

  /// - Returns: whether it makes sense to read on.
  private mutating func take(_ line: ArraySlice<UInt8>, _ span: SourceSpan, isWhole: Bool) -> Bool {
    let json: JSON
    do {
      json = try JSON(parsing: line)
    } catch {
      guard isWhole || recording == nil else {
        diagnostics.append(
          Diagnostic(
            .warning, rule: "truncated-line", "the last line is not whole and is left out",
            help: "the run that recorded it was ended early; record it again for the rest", at: FileSpan(source, span)))
        return false
      }
      let words = recording == nil ? "this is no recording: its first line is no JSON" : "this line is no JSON"
      tell(words + ": \(error.message)", help: nil, at: .at(span.start + error.offset))
      return recording != nil
    }
    guard recording != nil else { return takeHeader(json, span) }
    guard json.object != nil else {
      tell("a line of a recording is an object", help: nil, at: span)
      return true
    }
    switch json["kind"]?.string {
    case "exchange": takeEntry(json, span, exchange(json))
    case "visit": takeEntry(json, span, visit(json))
    case "badlySigned":
      guard let label = json["token"]?.string else { return refuse("\"token\" is missing", span) }
      recording?.badlySigned.insert(label)
    case let kind:
      tell(
        kind.map { "a recording has no lines of the kind \"\($0)\"" } ?? "the line has no \"kind\"",
        help: "exchange, visit and badlySigned are the kinds", at: span)
    }
    return true
  }

  private mutating func takeHeader(_ json: JSON, _ span: SourceSpan) -> Bool {
    guard let version = json["recording"] else {
      if json["cassette"] != nil {
        tell(
          "the recording has the format of an earlier authflow: its first line has \"cassette\"",
          help: "record it again: authflow run FILE --record \(source.name)", at: span)
      } else if json["kind"] != nil, json["seq"] != nil {
        tell(
          "this is a trace, not a recording",
          help: "a trace shows what happened and cannot be replayed; write a recording with --record", at: span)
      } else {
        tell(
          "this is no recording: its first line has no \"recording\"",
          help: "a recording is what authflow run --record writes", at: span)
      }
      return false
    }
    guard version.integer == Int64(Recording.version) else {
      tell(
        "the recording is of version \(version.text()), and this authflow reads \(Recording.version)",
        help: "record it again, or use the authflow that recorded it", at: span)
      return false
    }
    guard let time = json["recordedAt"]?.string, let start = Instant(rfc3339: time) else {
      tell("\"recordedAt\" is missing, or no time", help: nil, at: span)
      return false
    }
    recording = Recording(
      recordedAt: start, tool: json["tool"]?.string ?? "", platform: json["platform"]?.string ?? "", source: source)
    return true
  }

  private mutating func refuse(_ words: String, _ span: SourceSpan) -> Bool {
    tell(words, help: nil, at: span)
    return true
  }

  private mutating func tell(_ message: String, help: String?, at span: SourceSpan?) {
    mistakes += 1
    diagnostics.append(
      Diagnostic(.error, rule: "unusable-recording", message, help: help, at: FileSpan(source, span)))
  }

  // MARK: Entries

  private mutating func takeEntry(
    _ json: JSON, _ span: SourceSpan, _ content: Result<Recording.Entry.Content, FormatError>
  ) {
    do throws(FormatError) {
      let content = try content.get()
      let at = try Self.duration(json["at"], "at")
      let took = try json["took"].map { value throws(FormatError) in try Self.duration(value, "took") } ?? .zero
      recording?.entries.append(Recording.Entry(at: at, took: took, content: content, span: span))
      for (label, issued) in json["issued"]?.object ?? [:] { try take(issued, of: label) }
    } catch {
      tell(error.words, help: nil, at: span)
    }
  }

  private struct FormatError: Error {
    var words: String
  }

  private static func duration(_ json: JSON?, _ name: String) throws(FormatError) -> Duration {
    guard let seconds = json?.number else {
      throw FormatError(words: "\"\(name)\" is missing, or no number of seconds")
    }
    guard seconds >= 0, seconds < 1e10 else {
      throw FormatError(
        words: "\"\(name)\" is \(seconds < 0 ? "negative" : "too far away"): nothing happens before the recording")
    }
    return .milliseconds(Int64(seconds * 1000))
  }

  private mutating func take(_ json: JSON, of label: String) throws(FormatError) {
    guard case .secret? = SecretPlaceholder(words: label), json.object != nil else {
      throw FormatError(words: "\"issued\" has \"\(label)\", which is no placeholder")
    }
    var secret = IssuedSecret()
    if let claims = json["claims"] {
      guard claims.object != nil, let header = json["header"], header.object != nil else {
        throw FormatError(words: "\"\(label)\" needs a header and claims, both mappings")
      }
      secret.token = .init(header: header, claims: claims)
    }
    if let length = json["length"] {
      guard let number = length.integer, (0...1 << 20).contains(number) else {
        throw FormatError(words: "the length of \"\(label)\" is none that a secret has")
      }
      secret.length = Int(number)
    }
    secret.shape = json["shape"]?.string
    if recording?.issued[label] == nil { recording?.issued[label] = secret }
    if json["badlySigned"]?.bool == true { recording?.badlySigned.insert(label) }
  }

  private func request(_ json: JSON?) throws(FormatError) -> RecordedRequest {
    guard let json, let method = json["method"]?.string, let url = json["url"]?.string else {
      throw FormatError(words: "the request needs a method and a url")
    }
    guard let query = RecordedFields(json["query"]), let headers = RecordedFields(json["headers"]),
      let body = RecordedBody(in: json)
    else { throw FormatError(words: "the request's query, headers and body are mappings of texts") }
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
      else { throw FormatError(words: "the exchange has neither a failure nor a response with a status") }
      guard let headers = RecordedFields(response["headers"]), let body = RecordedBody(in: response) else {
        throw FormatError(words: "the response's headers and body are mappings of texts")
      }
      return .exchange(request, .response(status: Int(status), headers: headers, body: body))
    }
  }

  private static func failure(_ json: JSON) throws(FormatError) -> (String, String) {
    guard let kind = json["kind"]?.string, TransportFailure.recordedKinds.contains(kind) else {
      throw FormatError(words: "a failure is one of \(TransportFailure.recordedKinds.joined(separator: ", "))")
    }
    return (kind, json["reason"]?.string ?? "")
  }

  private func visit(_ json: JSON) -> Result<Recording.Entry.Content, FormatError> {
    Result { () throws(FormatError) in
      guard let purpose = json["purpose"]?.string, BrowserVisit.Purpose(rawValue: purpose) != nil else {
        throw FormatError(words: "the purpose of a visit is signIn, signOut or deviceCode")
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

  private static func ending(_ json: JSON?) throws(FormatError) -> RecordedVisit.Ending {
    if let redirected = json?["redirected"] {
      guard let url = redirected["url"]?.string, let query = RecordedFields(redirected["query"]),
        let fragment = RecordedFields(redirected["fragment"])
      else { throw FormatError(words: "a redirect has a url, and query and fragment are mappings of texts") }
      return .redirected(url: url, query: query, fragment: fragment)
    }
    if let reason = json?["closed"]?.string { return .closed(reason) }
    if let reason = json?["unavailable"]?.string { return .unavailable(reason) }
    if let failed = json?["failed"] {
      let (kind, reason) = try failure(failed)
      return .failed(kind: kind, reason: reason)
    }
    guard json?["finished"] != nil else {
      throw FormatError(words: "a visit ends redirected, closed, unavailable, failed or finished")
    }
    return .finished
  }
}
