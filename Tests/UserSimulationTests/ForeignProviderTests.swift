import Effects
import HTTPTypes
import UserSimulation
import RunTrace
import SimulatedWorld
import Testing

/// Tests pages in the style of several providers. They use the providers' field names and types, but our own text.
@Suite("Pages from other providers")
struct ForeignProviderTests {
  struct Page: Sendable, CustomTestStringConvertible {
    var manner: String
    var html: String
    var screen: String
    var sent: String
    var testDescription: String { manner }
  }

  @Test(
    "recognizes forms by their fields",
    arguments: [
      Page(
        manner: "Keycloak: both on one page",
        html: """
          <form id="kc-form-login" action="/next" method="post">
          <label for="username">Username or email</label><input id="username" name="username" autocomplete="username">
          <input id="password" name="password" type="password" autocomplete="current-password">
          <input id="rememberMe" name="rememberMe" type="checkbox"> <input type="hidden" id="id-hidden-input" name="credentialId">
          <input name="login" id="kc-login" type="submit" value="Sign In"></form>
          """,
        screen: "password",
        sent: "username=megan%40contoso.com&password=Fake-1&credentialId=&login=Sign+In"),
      Page(
        manner: "Keycloak: consent",
        html: """
          <form action="/next" method="POST"><input type="hidden" name="code" value="c">
          <input name="accept" id="kc-login" type="submit" value="Yes"><input name="cancel" id="kc-cancel" type="submit" value="No"></form>
          """,
        screen: "consent", sent: "code=c&accept=Yes"),
      Page(
        manner: "canaille: a login form and a language form",
        html: """
          <form method="get" action="/lang"><select name="lang"><option value="en">English</select></form>
          <form method="post" action="/next"><input type="hidden" name="csrf_token" value="t">
          <input id="login" name="login" type="text" required placeholder="jane@doe.com"><button type="submit">Continue</button></form>
          """,
        screen: "username", sent: "csrf_token=t&login=megan%40contoso.com"),
      Page(
        manner: "canaille: consent",
        html: """
          <form method="post" action="/next"><input type="hidden" name="csrf_token" value="t">
          <button name="answer" type="submit" value="deny">Decline</button>
          <button name="answer" type="submit" value="accept">Accept</button></form>
          """,
        screen: "consent", sent: "csrf_token=t&answer=accept"),
      Page(
        manner: "a field for a one-time code",
        html: """
          <form method="post" action="/next"><input name="digits" inputmode="numeric" autocomplete="one-time-code">
          <button>Verify</button></form>
          """,
        screen: "mfa", sent: "digits=287082"),
      Page(
        manner: "oidc-provider-mock: a subject form and a denial form",
        html: """
          <div><form method="post" action="/next" style="display: contents"><div><input type="text" name="sub" placeholder="sub" required autofocus>
          </div><button type="submit">Authorize</button></form>
          <form method="post"><button type="submit" name="action" value="deny" class="contrast">Deny</button></form></div>
          """,
        screen: "username", sent: "sub=megan%40contoso.com"),
      Page(
        manner: "Dex: a separate form for approval",
        html: """
          <form method="post" action="/next"><input type="hidden" name="req" value="r"><input type="hidden" name="approval" value="approve">
          <button type="submit"><span>Grant Access</span></button></form>
          """,
        screen: "consent", sent: "req=r&approval=approve"),
    ])
  func pages(_ page: Page) async throws {
    let user = StubSite.megan {
      $0.secondFactor = .oneTimeCode(seed: .init("GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ", kind: .named))
    }
    let visited = try await StubSite.visit(page: page.html, as: user, at: Instant(secondsSince1970: 59))
    #expect(visited.sent == page.sent)
    // The form has only one button, so the button does not need a name.
    if page.manner != "Dex: a separate form for approval" { #expect(visited.outcome.screens == [page.screen]) }
    #expect(visited.redirect == StubSite.home)
  }

  @Test("follows the link on a page without a form")
  func link() async throws {
    let visited = try await StubSite.visit(page: "<a href=/help>Help</a><a href=/login>Log in</a>")
    #expect(visited.urls.last == "https://id.example/login")
  }

  @Test("closes a page that cannot be completed")
  func incompletePage() async throws {
    let visited = try await StubSite.visit { _ in .html("<title>Sorry</title><p>Nothing</p>") }
    #expect(visited.reason?.contains("Sorry") == true)
  }
}
