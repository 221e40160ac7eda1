import Documents
import Effects
import IdentityPlatform
import OrderedCollections

extension RunPage {
  var exchanges: Markup {
    tag("div") {
      PageFrame.filters(
        "Which exchanges",
        [
          ("All", ""), ("By the app", "app"), ("By the browser", "browser"), ("To an API", "api"),
          ("Failed", "trouble"),
        ])
      tag("ol", .class("items"), Attribute(.dataPart, "http")) {
        for run in ExchangeRuns.of(story) {
          for position in run {
            // Of many that are alike only the first two are told in full.
            let model = position > run.lowerBound + 1 ? run.lowerBound : nil
            tag("li") { exchange(position, like: model) }
          }
        }
      }
      if story.exchanges.isEmpty { tag("p", .class("dim")) { "Nothing was sent: everything came from the cache." } }
    }
  }

  /// An exchange in a line, with a link to all of it.
  func brief(_ position: Int) -> Markup {
    let exchange = story.exchanges[position]
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

  /// What came of it, in a word; and whether that is good, a detour or bad.
  static func status(of exchange: TracedExchange) -> (text: String, kind: String) {
    guard let answer = exchange.answer else { return ("no answer in the trace", "open") }
    guard let status = answer.status else { return (answer.failure ?? "no answer", "bad") }
    return ("\(status)", status < 300 ? "good" : status < 400 ? "detour" : "bad")
  }

  /// - Parameter model: an exchange of the same sort; what it tells already is left out.
  private func exchange(_ position: Int, like model: Int?) -> Markup {
    let first = model.map { story.exchanges[$0] }
    let told = first.map { RequestAddress($0.request) }
    let exchange = story.exchanges[position]
    let address = RequestAddress(exchange.request)
    let role = EndpointRole(exchange.request)
    var kinds = exchange.from.rawValue
    if RequestTarget(exchange, in: story) != .platform { kinds += " api" }
    if Self.status(of: exchange).kind == "bad" { kinds += " trouble" }
    return tag(
      "details", .id(Self.exchange(position)), .class("item exchange"), Attribute(.dataKind, kinds)
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
        tag("span", .class("means")) { "\(role.name), asked by the \(exchange.from.rawValue)" }
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
          if exchange.correlationID != first?.correlationID { fact("Correlation id", exchange.correlationID ?? "") }
          fact("Request id of the server", exchange.requestID ?? "")
        }
        if let model {
          tag("p", .class("note")) {
            "Everything that is not told here is as in "
            link(toExchange: model)
            "."
          }
        }
        tag("h3", .class("small")) { "Request" }
        tag("p", .class("url")) { "\(exchange.request.method) \(exchange.request.url)" }
        fields("Parameters of the address", address.query, but: told?.query)
        fields("Behind the #", address.fragment, but: told?.fragment)
        body(exchange.request.body, "Form", but: first?.request.body)
        headers("Headers of the request", exchange.request.headers, but: first?.request.headers)
        answer(exchange.answer, but: first?.answer)
      }
    }
  }

  @MarkupBuilder private func answer(_ answer: TracedResponse?, but told: TracedResponse?) -> Markup {
    tag("h3", .class("small")) { "Answer" }
    if let answer {
      if let status = answer.status {
        tag("p") { "Status \(status)\(Self.reason(status).map { ": \($0)" } ?? "")" }
      }
      if let failure = answer.failure { tag("p", .class("failure")) { failure } }
      if let location = answer.headers.first(named: "location") {
        let target = RequestAddress(location)
        fields("Parameters of the redirect", target.query + target.fragment)
      }
      body(answer.body, "Answer", but: told?.body)
      headers("Headers of the answer", answer.headers, but: told?.headers)
    } else {
      tag("p", .class("dim")) { "The trace ends before the answer." }
    }
  }

  /// Names, values and what they mean.
  @MarkupBuilder private func fields(
    _ title: String, _ all: [(name: String, value: String)], but told: [(name: String, value: String)]? = nil
  ) -> Markup {
    let fields = told.map { told in all.filter { field in !told.contains { $0 == field } } } ?? all
    if !fields.isEmpty {
      FieldTable(
        caption: title,
        rows: fields.map {
          FieldTable.Row(name: $0.name, value: Markup($0.value), meaning: MessageField.meaning(of: $0.name))
        }
      ).markup
    }
  }

  @MarkupBuilder private func headers(_ title: String, _ headers: TracedHeaders, but told: TracedHeaders?) -> Markup {
    let new = headers.fields.filter { told?.fields.contains($0) != true }
    if !new.isEmpty {
      tag("details", .class("facts-of")) {
        tag("summary") { "\(title) (\(new.count))" }
        fields(title, new.map { ($0.name, $0.value) })
      }
    }
  }

  @MarkupBuilder private func body(_ body: TracedBody?, _ title: String, but told: TracedBody?) -> Markup {
    if let body {
      if let form = body.form {
        fields(title, form, but: told?.form)
      } else if let members = body.json?.object?.filter({ told?.json?.member(exactly: $0.key) != $0.value }),
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
      } else if let json = body.json, told == nil {
        tag("pre") { json.text(pretty: true) }
      } else if body.json == nil, told == nil {
        tag("p", .class("dim")) { "\(body.bytes) bytes\(body.type.map { " of \($0)" } ?? ""), not kept in the trace." }
      }
    }
  }

  static func inline(_ value: JSON) -> String {
    if let string = value.string { return string }
    if let array = value.array { return array.map { inline($0) }.joined(separator: ", ") }
    return value.text()
  }

  /// RFC 9110 §15, in a word.
  private static func reason(_ status: Int) -> String? {
    switch status {
    case 200: "it went well"
    case 201: "made"
    case 202: "taken; it is done later"
    case 204: "it went well, and there is nothing to say"
    case 301, 302, 303, 307, 308: "go on elsewhere"
    case 304: "nothing has changed"
    case 400: "the request is not accepted; the error says why"
    case 401: "the token is missing, ended, or not enough"
    case 403: "the token is good, and its permissions are not enough"
    case 404: "there is no such thing"
    case 410: "it was there and is gone"
    case 412: "the resource has changed meanwhile"
    case 429: "too many requests: wait as long as Retry-After says"
    case 500..<600: "the service has trouble; later it may work"
    default: nil
    }
  }
}
