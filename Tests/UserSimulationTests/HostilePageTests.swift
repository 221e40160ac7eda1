import Effects
import HTTPTypes
import SimulatedWorld
import Testing

/// Tests that malformed and hostile pages end the visit without a crash.
@Suite("Malformed and hostile pages")
struct HostilePageTests {
  @Test(
    "a visit to an invalid page ends with a reason",
    arguments: [
      "", " ", "\0", "<", "<!--", "<html", "</form></form>", "&#xFFFFFFFF;&#0;&bogus;", "<form><form><form>",
      "<select><option><select>", "<meta http-equiv=refresh>",
      "<meta http-equiv=refresh content='99999999999999999999'>",
      "<base href='::::'><a href='http://['>Continue</a>", "<title>", "<script>", "plain text", "{\"error\":\"x\"}",
    ])
  func broken(_ page: String) async throws {
    let visited = try await StubSite.visit { _ in .html(page) }
    #expect(visited.reason != nil)
    #expect(visited.requests.count <= 40)
  }

  @Test("limits deep nesting", arguments: ["<div>", "<b>", "<label>", "<form>", "<table><tr><td>", "</x>"])
  func deep(_ tag: String) async throws {
    let visited = try await StubSite.visit { _ in .html(String(repeating: tag, count: 20_000)) }
    #expect(visited.reason != nil)
  }

  @Test("accepts a long attribute or text", arguments: ["<p title='X'>", "<p>X", "<!--X-->"])
  func long(_ pattern: String) async throws {
    let page =
      pattern.replacing("X", with: String(repeating: "x", count: 500_000)) + StubSite.form("<input name=login>")
    #expect(try await StubSite.visit(page: page).sent == "login=megan%40contoso.com")
  }

  @Test(
    "bytes that do not match the declared encoding do not hide the form",
    arguments: ["text/html; charset=utf-8", "text/html; charset=iso-8859-1", "text/html", "text/html; charset=bogus"])
  func encodings(_ type: String) async throws {
    let page = Array("<p>caf".utf8) + [0xE9] + Array(("</p>" + StubSite.form("<input name=login>")).utf8)
    let visited = try await StubSite.visit { request in
      var fields = HTTPFields()
      fields[.contentType] = type
      return request.head.method == .get ? .init(.ok, headers: fields, body: page) : .redirect(to: StubSite.home)
    }
    #expect(visited.sent == "login=megan%40contoso.com")
  }

  @Test("rejects content that is not a page")
  func noPage() async throws {
    let visited = try await StubSite.visit { _ in
      .json("{\"message\": \"AADSTS90002: no such tenant\"}", status: .badRequest)
    }
    #expect(visited.reason?.contains("400") == true)
    #expect(visited.outcome.pageError == "AADSTS90002")
  }

  @Test("treats the content of a page as data")
  func data() async throws {
    let page =
      "<form method=post action=/next><input name=login><input type=hidden name='a&b=c' value='&#13;&#10;X: y&lt;'></form>"
    let visited = try await StubSite.visit(page: page)
    #expect(visited.sent == "login=megan%40contoso.com&a%26b%3Dc=%0D%0AX%3A+y%3C")
    #expect(visited.requests.last?.head.headerFields[HTTPField.Name("X") ?? .accept] == nil)
  }
}
