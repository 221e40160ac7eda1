import Effects
import HTTPTypes
import UserSimulation
import RunTrace
import SimulatedWorld
import Testing

/// Tests that the browser submits unusual forms correctly.
@Suite("Form submission in detail")
struct FormDetailTests {
  @Test(
    "submits rare control types",
    arguments: [
      ("<fieldset disabled><input name=t value=x></fieldset>", ""),
      ("<select name=s multiple><option selected>a<option>b<option selected>c</select>", "&s=a&s=c"),
      ("<select name=s multiple><option>a<option>b</select>", ""),
      ("<select name=s><option selected>a<option selected>b</select>", "&s=b"),
      ("<textarea name=t>\nx</textarea>", "&t=x"), ("<textarea name=t>a\nb</textarea>", "&t=a%0D%0Ab"),
    ])
  func controls(_ content: String, _ expected: String) async throws {
    let visited = try await StubSite.visit(page: StubSite.form("<input name=u type=email>" + content))
    #expect(visited.sent == "u=megan%40contoso.com" + expected)
  }

  @Test("finds a control that precedes its form")
  func lateForm() async throws {
    let page = "<input form=f name=t value=x><form id=f method=post action=/next><input name=u type=email></form>"
    #expect(try await StubSite.visit(page: page).sent.contains("t=x"))
  }

  @Test("finds the decline button in a separate form")
  func declineElsewhere() async throws {
    let page = """
      <form method="post" action="/next"><input type="hidden" name="approval" value="approve"><button>Grant Access</button></form>
      <form method="post" action="/next"><input type="hidden" name="approval" value="rejected"><button>Cancel</button></form>
      """
    let visited = try await StubSite.visit(page: page, as: StubSite.megan { $0.consent = .decline })
    #expect(visited.sent == "approval=rejected")
  }

  @Test("types the one-time code into a field named `code`")
  func code() async throws {
    let user = StubSite.megan {
      $0.secondFactor = .oneTimeCode(seed: .init("GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ", kind: .named))
    }
    let page = StubSite.form("<input name=code inputmode=numeric required><button>Verify</button>")
    let visited = try await StubSite.visit(page: page, as: user, at: Instant(secondsSince1970: 59))
    #expect(visited.sent == "code=287082")
    #expect(visited.outcome.screens == ["mfa"])
  }

  @Test("ignores a search box")
  func search() async throws {
    let visited = try await StubSite.visit(page: "<p>Gone</p><form action=/find><input type=search name=q></form>")
    #expect(visited.requests.count == 1)
    #expect(visited.reason != nil)
  }

  @Test("presses a button on a consent page that prevents double clicks")
  func guarded() async throws {
    let page =
      "<script>f.onclick=()=>f.submit()</script>"
      + StubSite.form(
        "<input type=hidden name=c value=1><button name=answer value=deny>Deny</button>"
          + "<button name=answer value=accept>Accept</button>")
    #expect(try await StubSite.visit(page: page).sent == "c=1&answer=accept")
  }

  @Test("does not interpret parts of words or punctuation as consent or denial")
  func words() async throws {
    let page = StubSite.form("<input name=login><button id=no-js-submit name=b value=1>Continue</button>")
    #expect(try await StubSite.visit(page: page).sent == "login=megan%40contoso.com&b=1")
  }

  /// libxml2 compares each attribute of a tag with all others, so parsing a hostile page could take minutes.
  @Test(
    "rejects a tag with hundreds of attributes",
    arguments: [
      "<p ", "<p x\" ", "<p 'x ", "<p =\" ", "<script-x></script-x><p ", "<script-x><p ", "<!--><p ", "<!---><p ",
      "<p a=b\" ", "<style/><p ", "<?x><p ", "<p\0 ", "<p:q ", "<_p ", "<:p ", "<.p ", "<p a= =\" ", "<p 1=\" ",
      "<p a=\"b\"=\" ", "<p a@=\" ", "<p/a=\"\"/x\" ", "<p a=b=\" ",
      "<p a=\"b\"\" ",
    ])
  func manyAttributes(_ opening: String) async throws {
    let attributes = (0..<600).map { "a\($0)" }.joined(separator: " ")
    let visited = try await StubSite.visit(page: opening + attributes + ">" + StubSite.form("<input name=login>"))
    #expect(visited.requests.count == 1)
  }

  @Test(
    "accepts many spaces, quotes, and short tags",
    arguments: [
      "<p title='X'>", "<p title = 'X'>", "<!-- X -->", "<script>if (a<b X)</script>", "X",
      "<p title=\"it's\" alt='X'>",
    ])
  func manyWords(_ pattern: String) async throws {
    let words = (0..<600).map { "w\($0)" }.joined(separator: " ")
    let page = pattern.replacing("X", with: words) + StubSite.form("<input name=login>")
    #expect(try await StubSite.visit(page: page).sent == "login=megan%40contoso.com")
  }

  @Test("quickly parses a URL that consists of spaces", .timeLimit(.minutes(1)))
  func blanks() async throws {
    let visited = try await StubSite.visit(
      page: "<a href=\"\(String(repeating: " ", count: 100_000))/go\">Continue</a>")
    #expect(visited.urls.last == "https://id.example/go")
  }

  @Test("quickly parses a long label around many fields", .timeLimit(.minutes(1)))
  func labels() async throws {
    let page = StubSite.form(
      "<label>\(String(repeating: "word ", count: 2_000))" + String(repeating: "<input name=t>", count: 500)
        + "</label><input name=login>")
    _ = try await StubSite.visit(page: page)
  }
}
