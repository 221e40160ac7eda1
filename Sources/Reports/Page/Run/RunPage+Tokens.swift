import Documents
import Effects
import IdentityPlatform
import OrderedCollections

extension RunPage {
  /// Those that people ask about; cookies, flow states and passwords are told with their exchanges.
  var shownTokens: [(position: Int, token: TracedToken)] {
    let kinds = ["access token", "id token", "refresh token", "authorization code", "device code", "code verifier"]
    return story.tokens.enumerated().filter { kinds.contains($0.element.kind) }.map { ($0.offset, $0.element) }
  }

  var tokens: Markup {
    tag("div") {
      tag("p", .class("note")) {
        "An app reads its ID token and nothing else. An access token is written for the API, in a form that the API may change or encrypt at any time; an app that reads it breaks then. It is told here for people. No token is in this file: each is known by its placeholder."
      }
      PageFrame.filters(
        "Which tokens",
        [
          ("All", ""), ("Access tokens", "access"), ("ID tokens", "id"), ("Refresh tokens", "refresh"),
          ("Codes", "code"),
        ])
      tag("ol", .class("items"), Attribute(.dataPart, "tokens")) {
        for (position, token) in shownTokens { tag("li") { self.token(position, token) } }
      }
      if shownTokens.isEmpty { tag("p", .class("dim")) { "No token was met." } }
    }
  }

  private func token(_ position: Int, _ token: TracedToken) -> Markup {
    tag(
      "details", .id(Self.token(position)), .class("item token"),
      Attribute(.dataKind, token.kind.contains("code") ? "code" : String(token.kind.prefix { $0 != " " }))
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
          tag("p", .class("dim")) { "The trace does not tell what is in it." }
        }
      }
    }
  }

  private static func purpose(of kind: String) -> String {
    switch kind {
    case "access token": "What an API is called with. It is for the API alone to read."
    case "id token": "Who signed in, for the app to read, after it has checked it."
    case "refresh token": "What new tokens are got with, without the user. Whoever holds it holds the session."
    case "authorization code": "What the browser brings back from the sign-in page: good for one redemption."
    case "code verifier": "The secret behind the code challenge (PKCE): it proves that the code is this app's."
    case "device code": "What the app asks with until the user has signed in on the other device."
    default: ""
    }
  }

  private func acquisition(_ acquired: TracedToken.Acquisition) -> Markup {
    tag("dl", .class("facts")) {
      tag("div") {
        tag("dt") { "Got in" }
        tag("dd") {
          link(toStep: acquired.step)
          " \(times.since(acquired.time)), from \(TerminalRunReport.words(acquired.source))"
        }
      }
      fact("Scopes", acquired.scopes.joined(separator: " "))
      fact("Account", acquired.account ?? "")
      fact("Tenant", acquired.tenant ?? "")
      fact("Authority", acquired.authority ?? "")
      fact("Ends", acquired.expiresOn ?? "")
      if acquired.isExtended { fact("Extended", "past its end, and used because the service could not be reached") }
      fact("Correlation id", acquired.correlationID ?? "")
    }
  }

  /// Where it came from and where it went.
  @MarkupBuilder private func journey(_ token: TracedToken) -> Markup {
    if !token.uses.isEmpty {
      tag("h3", .class("small")) { "Where it came from, and where it went" }
      tag("ol", .class("plain journey")) {
        for use in token.uses { tag("li") { words(use) } }
      }
    }
  }

  private func party(_ exchange: Int) -> String {
    SequenceDiagram.Participant(RequestTarget(story.exchanges[exchange], in: story)).title
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
      "kept in the cache: "
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
          meaning: meaning?.words ?? TokenHeader.meaning(of: claim.name))
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
