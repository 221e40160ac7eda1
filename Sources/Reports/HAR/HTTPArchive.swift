import Documents
import Effects
import OAuth
import OrderedCollections

/// A run as an HTTP Archive (HAR), version 1.2. The archive contains a page for each step and an entry for each
/// exchange. Secrets are masked.
///
/// A size or time that is not in the trace has the value -1. An HTTP version that is not in the trace has the value
/// `unknown`.
package enum HTTPArchive {
  package static func json(_ tracedRun: TracedRun) -> JSON {
    let (name, version) = creator(tracedRun.tool)
    return [
      "log": [
        "version": "1.2", "creator": ["name": .string(name), "version": .string(version)],
        "pages": .array(pages(tracedRun)), "entries": .array(tracedRun.exchanges.map { entry($0, tracedRun) }),
        "comment": .string("\(RunSummaryLine.title(tracedRun)): \(RunSummaryLine.verdict(tracedRun))"),
      ]
    ]
  }

  private static func creator(_ tool: String) -> (String, String) {
    guard let space = tool.lastIndex(of: " ") else { return (tool.isEmpty ? "authflow" : tool, "") }
    return (String(tool[..<space]), String(tool[tool.index(after: space)...]))
  }

  // MARK: Pages

  private static func pageID(_ step: Int?) -> String { step.map { "step_\($0 + 1)" } ?? "given" }

  /// Returns one page for each step with exchanges, and one page for the exchanges before the first step.
  private static func pages(_ tracedRun: TracedRun) -> [JSON] {
    var pages: [JSON] = []
    var seen: Set<Int?> = []
    for exchange in tracedRun.exchanges where seen.insert(exchange.step).inserted {
      let step = exchange.step.map { tracedRun.steps[$0] }
      let title = step.map { "\($0.id): \($0.outcome ?? "unfinished")" } ?? "given"
      let load = step.flatMap(RunSummaryLine.duration).map(milliseconds) ?? -1
      pages.append([
        "id": .string(pageID(exchange.step)), "title": .string(title),
        "startedDateTime": .string((step?.started ?? tracedRun.started).rfc3339(fractionDigits: 3)),
        "pageTimings": ["onContentLoad": -1, "onLoad": load],
      ])
    }
    return pages
  }

  // MARK: Entries

  private static func entry(_ exchange: TracedExchange, _ tracedRun: TracedRun) -> JSON {
    // A trace contains only the total time for an exchange.
    let wait = exchange.duration.map(milliseconds) ?? 0
    var entry: JSON = [
      "pageref": .string(pageID(exchange.step)),
      "startedDateTime": .string(exchange.request.time.rfc3339(fractionDigits: 3)), "time": wait,
      "request": request(exchange.request), "response": response(exchange.answer), "cache": [:],
      "timings": ["blocked": -1, "dns": -1, "connect": -1, "send": 0, "wait": wait, "receive": 0, "ssl": -1],
      "_from": .string(exchange.from.rawValue),
    ]
    var comment = ["request \(exchange.id)"]
    if let correlation = exchange.correlationID { comment.append("correlation ID \(correlation)") }
    if exchange.attempt > 1 { comment.append("attempt \(exchange.attempt)") }
    entry["comment"] = .string(comment.joined(separator: ", "))
    return entry
  }

  private static func request(_ request: TracedRequest) -> JSON {
    let address = RequestAddress(request)
    var json: JSON = [
      "method": .string(request.method), "url": .string(address.text), "httpVersion": "unknown",
      "cookies": .array((request.headers.first(named: "cookie").map(cookies) ?? [])),
      "headers": headers(request.headers),
      "queryString": .array(address.query.map { pair($0.name, $0.value) }), "headersSize": -1,
      "bodySize": .integer(Int64(request.body?.bytes ?? 0)),
    ]
    if let body = request.body {
      var data: JSON = ["mimeType": .string(body.type ?? "application/octet-stream")]
      // The format allows either form fields or text, but not both.
      if let form = body.form {
        data["params"] = .array(form.map { pair($0.name, $0.value) })
      } else {
        data["text"] = .string(body.json?.text() ?? "")
        if body.json == nil { data["comment"] = "the trace contains only the body size" }
      }
      json["postData"] = data
    }
    return json
  }

  private static func response(_ answer: TracedResponse?) -> JSON {
    let headers = answer?.headers ?? TracedHeaders(fields: [])
    let body = answer?.body
    var content: JSON = [
      "size": .integer(Int64(body?.bytes ?? 0)),
      "mimeType": .string(body?.type ?? headers.first(named: "content-type") ?? "x-unknown"),
    ]
    if let json = body?.json {
      content["text"] = .string(json.text())
      content["comment"] = "reconstructed from the trace, with secrets masked"
    }
    let location = headers.first(named: "location") ?? ""
    var json: JSON = [
      "status": .integer(Int64(answer?.status ?? 0)),
      "statusText": .string(answer?.status.flatMap { StatusText.of[$0] } ?? ""), "httpVersion": "unknown",
      "cookies": .array(headers.fields.filter { $0.name == "set-cookie" }.flatMap { setCookie($0.value) }),
      "headers": self.headers(headers), "content": content,
      "redirectURL": .string(PlaceholderLabel.percentEncoded(inURL: location)), "headersSize": -1,
      "bodySize": answer?.status == nil ? -1 : .integer(Int64(body?.bytes ?? 0)),
    ]
    // Chromium stores errors in this field and displays them.
    if answer?.status == nil { json["_error"] = .string(answer?.failure ?? "the trace ends before the response") }
    return json
  }

  private static func headers(_ headers: TracedHeaders) -> JSON {
    .array(
      headers.fields.map {
        pair($0.name, $0.name == "location" ? PlaceholderLabel.percentEncoded(inURL: $0.value) : $0.value)
      })
  }

  private static func pair(_ name: String, _ value: String) -> JSON {
    ["name": .string(name), "value": .string(value)]
  }

  private static func cookies(_ header: String) -> [JSON] {
    header.split(separator: ";").compactMap { part in
      let (name, value) = named(part)
      return name.isEmpty ? nil : pair(name, value)
    }
  }

  private static func setCookie(_ header: String) -> [JSON] {
    let parts = header.split(separator: ";")
    guard let first = parts.first else { return [] }
    let (name, value) = named(first)
    guard !name.isEmpty else { return [] }
    var cookie = pair(name, value)
    for part in parts.dropFirst() {
      let (attribute, value) = named(part)
      switch attribute.lowercased() {
      case "path": cookie["path"] = .string(value)
      case "domain": cookie["domain"] = .string(value)
      case "httponly": cookie["httpOnly"] = true
      case "secure": cookie["secure"] = true
      default: break
      }
    }
    return [cookie]
  }

  private static func named(_ part: Substring) -> (String, String) {
    let trimmed = part.drop { $0 == " " }
    guard let equals = trimmed.firstIndex(of: "=") else { return (String(trimmed), "") }
    return (String(trimmed[..<equals]), String(trimmed[trimmed.index(after: equals)...]))
  }

  private static func milliseconds(_ duration: Duration) -> JSON {
    JSON(number: Double(duration.nanoseconds / 1000) / 1000)
  }
}
