import Effects
import HTTPTypes
import SimulatedWorld
import Testing

@Suite("Form submission")
struct FormTests {
  /// Submits a form with this content and returns the entries. The form also has a username field, so the entries
  /// always contain `u=…`.
  private func sent(_ content: String) async throws -> String {
    try await StubSite.visit(page: StubSite.form("<input name=u type=email>" + content)).sent
  }

  private let user = "u=megan%40contoso.com"

  @Test(
    "submits the same entries as browsers (HTML §4.10.22.4)",
    arguments: [
      ("<input type=hidden name=h value='a &amp; b'>", "&h=a+%26+b"), ("<input name=t value=x>", "&t=x"),
      ("<input name=t>", "&t="), ("<input value=nameless>", ""), ("<input name=t value=x disabled>", ""),
      ("<input type=checkbox name=c>", ""), ("<input type=checkbox name=c checked>", "&c=on"),
      ("<input type=checkbox name=c value=1 checked><input type=checkbox name=c value=2 checked>", "&c=1&c=2"),
      ("<input type=radio name=r value=1><input type=radio name=r value=2 checked>", "&r=2"),
      ("<select name=s><option>one<option selected>two</select>", "&s=two"),
      ("<select name=s><option value=1>one<option value=2>two</select>", "&s=1"),
      ("<select name=s></select>", ""), ("<textarea name=t>some text</textarea>", "&t=some+text"),
      ("<button name=b value=1>Next</button>", "&b=1"), ("<input type=submit name=b value=Next>", "&b=Next"),
      ("<button type=button name=b value=1>Script</button>", ""), ("<input type=reset name=b value=Clear>", ""),
      ("<button name=b value=1>Next</button><button name=c value=2>Later</button>", "&b=1"),
      ("<button name=cancel value=true>Cancel</button><button name=b value=1>Next</button>", "&b=1"),
      ("<template><input name=t value=x></template>", ""),
    ])
  func controls(_ content: String, _ expected: String) async throws {
    #expect(try await sent(content) == user + expected)
  }

  @Test("submits a control that is outside its form")
  func formAttribute() async throws {
    let page = "<form id=f method=post action=/next><input name=u type=email></form><input form=f name=t value=x>"
    #expect(try await StubSite.visit(page: page).sent == user + "&t=x")
  }

  @Test("the pressed button can change the action and method")
  func formAction() async throws {
    let posted = try await StubSite.visit(
      page: StubSite.form("<input name=u type=email><button formaction=/other>Next</button>"))
    #expect(posted.urls.last == "https://id.example/other")
    #expect(posted.requests.last?.head.method == .post)
    let fetched = try await StubSite.visit(
      page: StubSite.form("<input name=u type=email><button formmethod=get>Next</button>"))
    #expect(fetched.urls.last == "https://id.example/next?\(user)")
    #expect(fetched.requests.last?.body.isEmpty == true)
  }

  @Test("a form without a method submits its entries as the query")
  func get() async throws {
    let visited = try await StubSite.visit(page: "<form action='/next?old=1'><input name=u type=email></form>")
    #expect(visited.urls.last == "https://id.example/next?\(user)")
  }

  @Test("sends the content type, origin, and referrer when it posts a form")
  func fields() async throws {
    let fields = try await StubSite.visit(page: StubSite.form("<input name=u type=email>")).requests.last?.head
      .headerFields
    #expect(fields?[.contentType] == "application/x-www-form-urlencoded")
    #expect(fields?[HTTPField.Name("Origin") ?? .accept] == "https://id.example")
    #expect(fields?[HTTPField.Name("Referer") ?? .accept] == StubSite.start)
  }

  @Test("sends only the origin as the referrer to another site")
  func referrer() async throws {
    let visited = try await StubSite.visit("https://id.example/start?secret=1") { request in
      request.head.authority == "id.example"
        ? .html("<a href=https://other.example/>Continue</a>") : .redirect(to: StubSite.home)
    }
    #expect(visited.requests.last?.head.headerFields[HTTPField.Name("Referer") ?? .accept] == "https://id.example/")
  }
}
