import Documents
import Effects
import OrderedCollections

/// The JSON encoding of the lines of a recording.
enum RecordingLine {
  static func header(_ recording: Recording) -> JSON {
    [
      "recording": .integer(Int64(Recording.version)), "platform": .string(recording.platform),
      "recordedAt": .string(recording.recordedAt.rfc3339(fractionDigits: 6)), "tool": .string(recording.tool),
    ]
  }

  static func entry(_ entry: Recording.Entry, issued: [String: IssuedSecret], badlySigned: Set<String>) -> JSON {
    var line: JSON = ["at": seconds(entry.at)]
    // Omit shorter durations, because they depend on the network and the machine and differ between runs.
    if entry.took >= .seconds(1) { line["took"] = seconds(entry.took) }
    if !issued.isEmpty {
      line["issued"] = .object(
        issued.reduce(into: [:]) { members, issue in
          members[issue.key] = Self.issued(issue.value, isBadlySigned: badlySigned.contains(issue.key))
        })
    }
    switch entry.content {
    case .exchange(let request, let response):
      line["kind"] = "exchange"
      line["request"] = Self.request(request)
      switch response {
      case .response(let status, let headers, let body):
        var json: JSON = ["status": .integer(Int64(status))]
        if !headers.isEmpty { json["headers"] = headers.json }
        if let (name, value) = body.member { json[name] = value }
        line["response"] = json
      case .failure(let kind, let reason): line["failure"] = ["kind": .string(kind), "reason": .string(reason)]
      }
    case .visit(let visit):
      line["kind"] = "visit"
      line["purpose"] = .string(visit.purpose)
      line["request"] = Self.request(visit.request)
      line["redirectUri"] = visit.redirectURI.map { .string($0) }
      if visit.ephemeral { line["ephemeral"] = true }
      line["screens"] = .array(visit.screens.map { .string($0) })
      line["pageError"] = visit.pageError.map { .string($0) }
      line["ending"] = ending(visit.ending)
    }
    return line
  }

  /// Returns a line that marks an earlier token as badly signed. The writer cannot verify a token until it has recorded
  /// the provider's keys.
  static func badlySigned(_ label: String) -> JSON { ["kind": "badlySigned", "token": .string(label)] }

  private static func request(_ request: RecordedRequest) -> JSON {
    var json: JSON = ["method": .string(request.method), "url": .string(request.url)]
    if !request.query.isEmpty { json["query"] = request.query.json }
    if !request.headers.isEmpty { json["headers"] = request.headers.json }
    if let (name, value) = request.body.member { json[name] = value }
    return json
  }

  private static func ending(_ ending: RecordedVisit.Result) -> JSON {
    switch ending {
    case .redirected(let url, let query, let fragment):
      var redirected: JSON = ["url": .string(url)]
      if !query.isEmpty { redirected["query"] = query.json }
      if !fragment.isEmpty { redirected["fragment"] = fragment.json }
      return ["redirected": redirected]
    case .closed(let reason): return ["closed": .string(reason)]
    case .unavailable(let reason): return ["unavailable": .string(reason)]
    case .failed(let kind, let reason): return ["failed": ["kind": .string(kind), "reason": .string(reason)]]
    case .finished: return ["finished": true]
    }
  }

  private static func issued(_ secret: IssuedSecret, isBadlySigned: Bool) -> JSON {
    var json: JSON = [:]
    if let token = secret.token {
      json["header"] = token.header
      json["claims"] = token.claims
    }
    if let length = secret.length { json["length"] = .integer(Int64(length)) }
    if let shape = secret.shape { json["shape"] = .string(PlaceholderText.escape(shape)) }
    if isBadlySigned { json["badlySigned"] = true }
    return json
  }

  /// Encodes a duration as seconds, truncated to milliseconds.
  static func seconds(_ duration: Duration) -> JSON {
    JSON(number: Double(duration.nanoseconds / 1_000_000) / 1000)
  }
}
