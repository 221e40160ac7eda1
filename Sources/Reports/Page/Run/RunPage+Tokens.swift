import Documents
import Effects
import IdentityPlatform
import OrderedCollections

extension RunPage {
  /// The tokens that the page shows with details. Cookies, flow states, and passwords appear with their exchanges
  /// instead.
  var shownTokens: [(position: Int, token: TracedToken)] {
    let kinds = ["access token", "id token", "refresh token", "authorization code", "device code", "code verifier"]
    return tracedRun.tokens.enumerated().filter { kinds.contains($0.element.kind) }.map { ($0.offset, $0.element) }
  }

  var tokens: Markup {
    tag("div") {
      tag("p", .class("note")) {
        "An app must read only its ID token. The API determines the format of its access tokens and can change or encrypt them at any time. This page shows decoded claims, with placeholders instead of the tokens."
      }
      PageFrame.filters(
        "Filter tokens",
        [
          ("All", ""), ("Access tokens", "access"), ("ID tokens", "id"), ("Refresh tokens", "refresh"),
          ("Codes", "code"),
        ])
      tag("ol", .class("items"), Attribute(.dataPart, "tokens")) {
        for (position, token) in shownTokens { tag("li") { self.token(position, token) } }
      }
      if shownTokens.isEmpty { tag("p", .class("dim")) { "No tokens recorded" } }
    }
  }

  private func token(_ position: Int, _ token: TracedToken) -> Markup {
    tag(
      "details", .id(Self.token(position)), .class("item token"),
      Attribute(.dataKind, token.kind.contains("code") ? "code" : String(token.kind.prefix { $0 != " " })),
      .at(firstSeq(of: token))
    ) {
      tag("summary") {
        tag("span", .class("name")) { token.label }
        if let acquired = token.acquisitions.first {
          tag("span", .class("outcome")) { "from \(TerminalRunReport.words(acquired.source))" }
          tag("span", .class("means")) { acquired.scopes.joined(separator: " ") }
        } else {
          tag("span", .class("means")) { Self.purpose(of: token.kind) }
        }
      }
      tag("div", .class("inside")) {
        tag("p", .class("description")) { Self.purpose(of: token.kind) }
        for acquired in token.acquisitions { acquisition(acquired) }
        journey(token)
        if let claims = token.claims?.object, !claims.isEmpty {
          self.claims("Claims", claims.map { ($0.key, $0.value) })
          if let header = token.header?.object { self.claims("Header", header.map { ($0.key, $0.value) }) }
        } else if token.kind == "access token" || token.kind == "id token" {
          tag("p", .class("dim")) { "The trace does not contain the claims of this token." }
        }
      }
    }
  }

  /// Returns the sequence number of the first event that contains a token.
  func firstSeq(of token: TracedToken) -> Int {
    let uses = token.uses.map { use in
      switch use {
      case .received(let exchange):
        tracedRun.exchanges[exchange].answer?.seq ?? tracedRun.exchanges[exchange].request.seq
      case .sent(let exchange): tracedRun.exchanges[exchange].request.seq
      case .cached(let write): tracedRun.cacheWrites[write].seq
      }
    }
    return (uses + token.acquisitions.map(\.seq)).min() ?? 0
  }

  private static func purpose(of kind: String) -> String {
    switch kind {
    case "access token": "Authorizes API calls. Only the API reads it."
    case "id token": "Identifies the user. The app validates and reads it."
    case "refresh token": "Gets new tokens without user interaction. Anyone who has it can use the session."
    case "authorization code": "Returned by the sign-in page. It can be redeemed once."
    case "code verifier": "The secret behind the code challenge (PKCE). It proves that this app requested the code."
    case "device code": "Used for polling until the user has signed in on another device."
    default: ""
    }
  }

  private func acquisition(_ acquired: TracedToken.Acquisition) -> Markup {
    tag("dl", .class("facts")) {
      tag("div") {
        tag("dt") { "Acquired in" }
        tag("dd") {
          link(toStep: acquired.step)
          " \(times.since(acquired.time)), from \(TerminalRunReport.words(acquired.source))"
        }
      }
      fact("Scopes", acquired.scopes.joined(separator: " "))
      fact("Account", acquired.account ?? "")
      fact("Tenant", acquired.tenant ?? "")
      fact("Authority", acquired.authority ?? "")
      fact("Expires", acquired.expiresOn ?? "")
      if acquired.isExtended {
        fact("Extended lifetime", "the token has expired, but is used because the service is unavailable")
      }
      fact("Correlation ID", acquired.correlationID ?? "")
    }
  }

  /// Returns the source of a token and its uses.
  @MarkupBuilder private func journey(_ token: TracedToken) -> Markup {
    if !token.uses.isEmpty {
      tag("h3", .class("small")) { "Source and uses" }
      tag("ol", .class("plain journey")) {
        for use in token.uses { tag("li") { words(use) } }
      }
    }
  }

  private func party(_ exchange: Int) -> String {
    SequenceDiagram.Participant(RequestTarget(tracedRun.exchanges[exchange], in: tracedRun)).title
  }

  @MarkupBuilder private func words(_ use: TracedToken.Use) -> Markup {
    switch use {
    case .received(let exchange):
      "received from the \(party(exchange)) in "
      brief(exchange)
    case .sent(let exchange):
      "sent to the \(party(exchange)) in "
      brief(exchange)
    case .cached(let write):
      "cached: "
      tag("a", .to(Self.write(write))) { "write \(write + 1)" }
    }
  }

  private func claims(_ title: String, _ claims: [(name: String, value: JSON)]) -> Markup {
    FieldTable(
      caption: title, kind: "claim",
      rows: claims.map { claim in
        let meaning = ClaimDescription.named(claim.name)
        return FieldTable.Row(
          name: claim.name, value: value(claim.value, isTime: meaning?.isTime == true),
          meaning: meaning?.meaning ?? TokenHeader.meaning(of: claim.name))
      }
    ).markup
  }

  @MarkupBuilder private func value(_ value: JSON, isTime: Bool) -> Markup {
    value.object == nil ? Self.inline(value) : value.text(pretty: true)
    if isTime, let seconds = value.integer, let moment = RelativeTimes.moment(seconds: seconds) {
      tag("span", .class("moment")) { moment }
    }
  }
}
