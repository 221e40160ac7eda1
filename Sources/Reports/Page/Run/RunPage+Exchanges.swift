import Documents
import Effects
import IdentityPlatform
import OrderedCollections

extension RunPage {
  var exchanges: Markup {
    tag("div") {
      PageFrame.filters(
        "Filter exchanges",
        [
          ("All", ""), ("By the app", "app"), ("By the browser", "browser"), ("To an API", "api"),
          ("Failed", "trouble"),
        ])
      tag("ol", .class("items"), Attribute(.dataPart, "http")) {
        for run in ExchangeRuns.of(tracedRun) {
          for position in run {
            // If there are many similar exchanges, only the first two are shown completely.
            let model = position > run.lowerBound + 1 ? run.lowerBound : nil
            tag("li") { exchange(position, like: model) }
          }
        }
      }
      if tracedRun.exchanges.isEmpty { tag("p", .class("dim")) { "No requests: all values came from the cache" } }
    }
  }

  /// Returns an exchange in one line, with a link to its details.
  func brief(_ position: Int) -> Markup {
    let exchange = tracedRun.exchanges[position]
    let address = RequestAddress(exchange.request)
    return tag("span") {
      link(toExchange: position)
      " \(exchange.request.method) \(address.authority)\(address.path) "
      status(exchange)
    }
  }

  func status(_ exchange: TracedExchange) -> Markup {
    let (text, kind) = Self.status(of: exchange)
    return tag("span", .class("status \(kind)")) { text }
  }

  /// Returns the status text and its CSS class: `good`, `detour` for a redirect, `bad`, or `open` without a response.
  static func status(of exchange: TracedExchange) -> (text: String, kind: String) {
    guard let answer = exchange.answer else { return ("no response in the trace", "open") }
    guard let status = answer.status else { return (answer.failure ?? "no response", "bad") }
    return ("\(status)", status < 300 ? "good" : status < 400 ? "detour" : "bad")
  }

  /// - Parameter model: The position of a similar exchange, whose values the page does not repeat.
  private func exchange(_ position: Int, like model: Int?) -> Markup {
    let first = model.map { tracedRun.exchanges[$0] }
    let shared = first.map { RequestAddress($0.request) }
    let exchange = tracedRun.exchanges[position]
    let address = RequestAddress(exchange.request)
    let role = EndpointRole(exchange.request)
    var kinds = exchange.from.rawValue
    if RequestTarget(exchange, in: tracedRun) != .platform { kinds += " api" }
    if Self.status(of: exchange).kind == "bad" { kinds += " trouble" }
    return tag(
      "details", .id(Self.exchange(position)), .class("item exchange"), Attribute(.dataKind, kinds),
      .at(exchange.request.seq)
    ) {
      tag("summary") {
        tag("span", .class("number")) { "\(position + 1)" }
        tag("span", .class("method")) { exchange.request.method }
        tag("span", .class("address")) {
          tag("span", .class("dim")) { address.authority }
          address.path
        }
        status(exchange)
        tag("span", .class("time")) { exchange.duration.map { TerminalRunReport.duration($0) } ?? "" }
        tag("span", .class("means")) { "\(role.name), from the \(exchange.from.rawValue)" }
      }
      tag("div", .class("inside")) {
        if model == nil { tag("p", .class("description")) { role.purpose } }
        tag("dl", .class("facts")) {
          tag("div") {
            tag("dt") { "Step" }
            tag("dd") { link(toStep: exchange.step) }
          }
          if exchange.attempt > 1 { fact("Attempt", "\(exchange.attempt)") }
          fact("Sent", times.since(exchange.request.time))
          if exchange.correlationID != first?.correlationID { fact("Correlation ID", exchange.correlationID ?? "") }
          fact("Server request ID", exchange.requestID ?? "")
        }
        if let model {
          tag("p", .class("note")) {
            "Omitted values are the same as in "
            link(toExchange: model)
            "."
          }
        }
        tag("h3", .class("small")) { "Request" }
        tag("p", .class("url")) { "\(exchange.request.method) \(exchange.request.url)" }
        fields("Query parameters", address.query, omitting: shared?.query)
        fields("Fragment parameters", address.fragment, omitting: shared?.fragment)
        body(exchange.request.body, "Form", omitting: first?.request.body)
        headers("Request headers", exchange.request.headers, omitting: first?.request.headers)
        answer(exchange.answer, omitting: first?.answer)
      }
    }
  }

  @MarkupBuilder private func answer(_ answer: TracedResponse?, omitting shared: TracedResponse?) -> Markup {
    tag("h3", .class("small")) { "Response" }
    if let answer {
      if let status = answer.status {
        tag("p") { "Status \(status)\(Self.reason(status).map { ": \($0)" } ?? "")" }
      }
      if let failure = answer.failure { tag("p", .class("failure")) { failure } }
      if let location = answer.headers.first(named: "location") {
        let target = RequestAddress(location)
        fields("Redirect parameters", target.query + target.fragment)
      }
      body(answer.body, "Response", omitting: shared?.body)
      headers("Response headers", answer.headers, omitting: shared?.headers)
    } else {
      tag("p", .class("dim")) { "The trace ends before the response." }
    }
  }

  /// Returns names and values with their meanings.
  @MarkupBuilder private func fields(
    _ title: String, _ all: [(name: String, value: String)], omitting shared: [(name: String, value: String)]? = nil
  ) -> Markup {
    let fields = shared.map { shared in all.filter { field in !shared.contains { $0 == field } } } ?? all
    if !fields.isEmpty {
      FieldTable(
        caption: title,
        rows: fields.map {
          FieldTable.Row(name: $0.name, value: Markup($0.value), meaning: MessageField.meaning(of: $0.name))
        }
      ).markup
    }
  }

  @MarkupBuilder private func headers(_ title: String, _ headers: TracedHeaders, omitting shared: TracedHeaders?)
    -> Markup
  {
    let new = headers.fields.filter { shared?.fields.contains($0) != true }
    if !new.isEmpty {
      tag("details", .class("facts-of")) {
        tag("summary") { "\(title) (\(new.count))" }
        fields(title, new.map { ($0.name, $0.value) })
      }
    }
  }

  @MarkupBuilder private func body(_ body: TracedBody?, _ title: String, omitting shared: TracedBody?) -> Markup {
    if let body {
      if let form = body.form {
        fields(title, form, omitting: shared?.form)
      } else if let members = body.json?.object?.filter({ shared?.json?.member(exactly: $0.key) != $0.value }),
        body.json?.count != 0
      {
        let simple = members.filter { $0.value.count == 0 || $0.value.array?.allSatisfy { $0.count == 0 } == true }
        fields("\(title): JSON, \(body.bytes) bytes", simple.map { ($0.key, Self.inline($0.value)) })
        for (name, value) in members where simple[name] == nil {
          tag("details", .class("facts-of")) {
            tag("summary") {
              tag("code") { name }
              MessageField.meaning(of: name).map { " \($0)" } ?? ""
            }
            tag("pre") { value.text(pretty: true) }
          }
        }
      } else if let json = body.json, shared == nil {
        tag("pre") { json.text(pretty: true) }
      } else if body.json == nil, shared == nil {
        tag("p", .class("dim")) {
          "\(body.bytes) bytes\(body.type.map { " of \($0)" } ?? ""), not included in the trace."
        }
      }
    }
  }

  static func inline(_ value: JSON) -> String {
    if let string = value.string { return string }
    if let array = value.array { return array.map { inline($0) }.joined(separator: ", ") }
    return value.text()
  }

  /// Returns the meaning of a status code (RFC 9110 §15).
  private static func reason(_ status: Int) -> String? {
    switch status {
    case 200: "success"
    case 201: "created"
    case 202: "accepted for later processing"
    case 204: "success without content"
    case 301, 302, 303, 307, 308: "redirect"
    case 304: "not modified"
    case 400: "invalid request; see the error"
    case 401: "the token is missing, expired, or insufficient"
    case 403: "the token does not contain a required permission"
    case 404: "not found"
    case 410: "no longer available"
    case 412: "the resource has changed"
    case 429: "too many requests; wait as long as Retry-After specifies"
    case 500..<600: "service error; a retry can succeed"
    default: nil
    }
  }
}
