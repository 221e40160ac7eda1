import Effects
import Documents
import HTTPTypes
import OAuth
import OrderedCollections
import RunTrace
import Synchronization

/// A transport that records the requests and responses of another transport in the trace and masks secrets.
package final class TracingTransport: HTTPTransport {
  /// The sender of a request: the app or its browser.
  package enum Sender: String, Sendable {
    case app, browser
  }

  private let base: any HTTPTransport
  private let sender: Sender
  private let clock: any WorldClock
  private let trace: TraceRecorder
  private let tally: RequestCounter
  /// The W3C Trace Context to add to requests, or nil to leave requests unchanged.
  private let context: TraceContext?

  package init(
    _ base: any HTTPTransport, sender: Sender, clock: any WorldClock, trace: TraceRecorder, tally: RequestCounter,
    context: TraceContext? = nil
  ) {
    self.context = context
    self.base = base
    self.sender = sender
    self.clock = clock
    self.trace = trace
    self.tally = tally
  }

  package func send(_ request: RequestMessage) async throws(TransportFailure) -> ResponseMessage {
    let id = tally.count(request)
    guard trace.isHeard else { return try await base.send(request) }
    let request = context?.carried(by: request) ?? request
    let start = clock.now
    trace.record(.httpRequest, envelope(id).merging(describe(request)) { $1 })
    let response: ResponseMessage
    do {
      response = try await base.send(request)
    } catch {
      var members = envelope(id)
      members["failure"] = TraceValue(error.explanation)
      members["milliseconds"] = milliseconds(since: start)
      trace.record(.httpResponse, members)
      throw error
    }
    var members = envelope(id).merging(describe(response)) { $1 }
    members["milliseconds"] = milliseconds(since: start)
    trace.record(.httpResponse, members)
    return response
  }

  private func envelope(_ id: Int) -> OrderedDictionary<String, TraceValue> {
    ["id": TraceValue(id), "from": TraceValue(sender.rawValue)]
  }

  private func milliseconds(since start: Instant) -> TraceValue {
    .value(Milliseconds.json(clock.now - start))
  }

  private func describe(_ request: RequestMessage) -> OrderedDictionary<String, TraceValue> {
    var members: OrderedDictionary<String, TraceValue> = [
      "method": TraceValue(request.head.method.rawValue), "url": url(request.url),
      "headers": headers(request.head.headerFields),
    ]
    if let body = self.body(request.body, type: request.head.headerFields[.contentType]) { members["body"] = body }
    return members
  }

  private func describe(_ response: ResponseMessage) -> OrderedDictionary<String, TraceValue> {
    var members: OrderedDictionary<String, TraceValue> = [
      "status": TraceValue(response.head.status.code), "headers": headers(response.head.headerFields),
    ]
    if let body = self.body(response.body, type: response.head.headerFields[.contentType]) { members["body"] = body }
    return members
  }

  /// Splits the URL into parts, so that each parameter can be masked and explained.
  private func url(_ text: String) -> TraceValue {
    let reference = URLReference(text)
    guard reference.query?.isEmpty == false || reference.fragment?.isEmpty == false else { return TraceValue(text) }
    var masked = reference
    masked.query = reference.query.map(maskedQuery)
    masked.fragment = reference.fragment.map(maskedQuery)
    return TraceValue(masked.text)
  }

  /// Returns a query or fragment with its secret parameters masked.
  private func maskedQuery(_ query: String) -> String {
    query.split(separator: "&", omittingEmptySubsequences: false).map { pair in
      let name = pair.prefix { $0 != "=" }
      guard name.count < pair.count, let kind = SecretParameters.kind(of: FormCoding.decode(name)) else {
        return String(pair)
      }
      return "\(name)=\(trace.mask(Secret(FormCoding.decode(pair.dropFirst(name.count + 1)), kind: kind)))"
    }.joined(separator: "&")
  }

  /// Returns the header fields. A field with several values becomes a list.
  private func headers(_ fields: HTTPFields) -> TraceValue {
    var headers: OrderedDictionary<String, TraceValue> = [:]
    for field in fields {
      let value = header(field)
      switch headers[field.name.canonicalName] {
      case nil: headers[field.name.canonicalName] = value
      case .list(let values): headers[field.name.canonicalName] = .list(values + [value])
      case let first?: headers[field.name.canonicalName] = .list([first, value])
      }
    }
    return .fields(headers)
  }

  private func header(_ field: HTTPField) -> TraceValue {
    let name = field.name.canonicalName
    switch SecretParameters.kind(ofHeader: name) {
    case .cookie?: return TraceValue(cookies(field.value, isOne: name == "set-cookie"))
    case let kind?:
      let scheme = field.value.prefix { $0 != " " }
      guard scheme.count < field.value.count else { return .secret(Secret(field.value, kind: kind)) }
      return TraceValue("\(scheme) \(trace.mask(Secret(String(field.value.dropFirst(scheme.count + 1)), kind: kind)))")
    case nil: return name == "location" ? url(field.value) : TraceValue(field.value)
    }
  }

  /// Returns the names of cookies without their values. A `Set-Cookie` field contains a single cookie, and its
  /// attributes are not secret.
  private func cookies(_ value: String, isOne: Bool) -> String {
    value.split(separator: ";", omittingEmptySubsequences: false).enumerated().map { index, part in
      guard index == 0 || !isOne else { return String(part) }
      guard let equals = part.firstIndex(of: "=") else { return trace.mask(Secret(String(part), kind: .cookie)) }
      let content = part[part.index(after: equals)...]
      return part[...equals] + (content.isEmpty ? "" : trace.mask(Secret(String(content), kind: .cookie)))
    }.joined(separator: ";")
  }

  /// The maximum size of a JSON body in a trace, in bytes.
  private static let maximumBody = 64 << 10

  private func body(_ bytes: [UInt8], type: String?) -> TraceValue? {
    guard !bytes.isEmpty else { return nil }
    var members: OrderedDictionary<String, TraceValue> = ["bytes": TraceValue(bytes.count)]
    if let type { members["type"] = TraceValue(type) }
    var media = type?.prefix { $0 != ";" }.lowercased() ?? ""
    // The client reads tokens from JSON with any media type. Parsed as a form, the JSON would become a field name,
    // which is not masked.
    if media == FormCoding.mediaType, bytes.first(where: { $0 > 0x20 }) == UInt8(ascii: "{") {
      media = "application/json"
    }
    if media == FormCoding.mediaType {
      var form: OrderedDictionary<String, TraceValue> = [:]
      for entry in FormCoding.parse(body: bytes).entries {
        form[trace.mask(entry.name)] =
          SecretParameters.kind(of: entry.name).map { .secret(Secret(entry.value, kind: $0)) }
          ?? TraceValue(entry.value)
      }
      members["form"] = .fields(form)
    } else if media == "application/json" || media.hasSuffix("+json"), bytes.count <= Self.maximumBody,
      let json = try? JSON(parsing: bytes)
    {
      members["json"] = masked(json)
    }
    return .fields(members)
  }

  /// The names of fields that are secret in a form but not in an API response.
  private static let nonSecretResponseFields: Set<String> = ["code", "state", "token", "canary"]

  private func masked(_ json: JSON) -> TraceValue {
    switch json {
    case .object(let members):
      var masked: OrderedDictionary<String, TraceValue> = [:]
      for (name, value) in members {
        if let kind = SecretParameters.kind(of: name), let text = value.string,
          !Self.nonSecretResponseFields.contains(name)
        {
          masked[name] = .secret(Secret(text, kind: kind))
        } else {
          masked[trace.mask(name)] = self.masked(value)
        }
      }
      return .fields(masked)
    case .array(let values): return .list(values.map(masked))
    default: return .outside(json)
    }
  }
}

/// Counts the requests of a run by target and numbers them for the trace.
package final class RequestCounter: Sendable {
  private let counts = Mutex<(next: Int, byTarget: [String: Int])>((0, [:]))

  package init() {}

  func count(_ request: RequestMessage) -> Int {
    counts.withLock { counts in
      counts.next += 1
      if let target = Self.target(of: request) { counts.byTarget[target, default: 0] += 1 }
      return counts.next
    }
  }

  /// The number of requests to `token`, `authorize`, and `graph`.
  package var byTarget: [String: Int] { counts.withLock { $0.byTarget } }

  private static func target(of request: RequestMessage) -> String? {
    let target = (request.head.path ?? "").utf8.prefix { $0 != UInt8(ascii: "?") }
    let path = Substring(target).lowercased()
    if path.hasSuffix("/oauth2/v2.0/token") || path.hasSuffix("/oauth2/token") { return "token" }
    if path.hasSuffix("/oauth2/v2.0/authorize") || path.hasSuffix("/oauth2/authorize") { return "authorize" }
    if path.hasPrefix("/v1.0/") || path.hasPrefix("/beta/") { return "graph" }
    return nil
  }
}

enum Milliseconds {
  /// Returns the duration in milliseconds with microsecond precision.
  static func json(_ duration: Duration) -> JSON {
    JSON(number: Double(duration.nanoseconds / 1000) / 1000)
  }
}
