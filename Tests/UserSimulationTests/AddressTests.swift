import Effects
import HTTPTypes
import SimulatedWorld
import Testing

@Suite("URL resolution")
struct ValuePathTests {
  /// The examples from RFC 3986 §5.4. The expected URLs have no fragments, because browsers do not send them.
  @Test(
    "references are resolved against the page",
    arguments: [
      ("g", "http://a/b/c/g"), ("./g", "http://a/b/c/g"), ("g/", "http://a/b/c/g/"), ("/g", "http://a/g"),
      ("//g", "http://g/"), ("?y", "http://a/b/c/d;p?y"), ("g?y", "http://a/b/c/g?y"),
      ("#s", "http://a/b/c/d;p?q"), ("g#s", "http://a/b/c/g"), ("g?y#s", "http://a/b/c/g?y"),
      (";x", "http://a/b/c/;x"), ("g;x", "http://a/b/c/g;x"), ("g;x?y#s", "http://a/b/c/g;x?y"),
      ("", "http://a/b/c/d;p?q"), (".", "http://a/b/c/"), ("./", "http://a/b/c/"), ("..", "http://a/b/"),
      ("../", "http://a/b/"), ("../g", "http://a/b/g"), ("../..", "http://a/"), ("../../", "http://a/"),
      ("../../g", "http://a/g"),
      // The abnormal examples from §5.4.2.
      ("../../../g", "http://a/g"), ("../../../../g", "http://a/g"), ("/./g", "http://a/g"), ("/../g", "http://a/g"),
      ("g.", "http://a/b/c/g."), (".g", "http://a/b/c/.g"), ("g..", "http://a/b/c/g.."), ("..g", "http://a/b/c/..g"),
      ("./../g", "http://a/b/g"), ("./g/.", "http://a/b/c/g/"), ("g/./h", "http://a/b/c/g/h"),
      ("g/../h", "http://a/b/c/h"), ("g;x=1/./y", "http://a/b/c/g;x=1/y"), ("g;x=1/../y", "http://a/b/c/y"),
      ("g?y/./x", "http://a/b/c/g?y/./x"), ("g?y/../x", "http://a/b/c/g?y/../x"),
      // References with spaces, as in HTML attributes.
      (" \n g ", "http://a/b/c/g"), ("g h", "http://a/b/c/g%20h"),
    ])
  func resolution(_ reference: String, _ expected: String) async throws {
    let visited = try await StubSite.visit("http://a/b/c/d;p?q") { _ in
      .html("<a href=\"\(reference)\">Continue</a>")
    }
    #expect(visited.urls.dropFirst().first == expected)
  }

  @Test("`base` affects links and forms, except forms without an action")
  func base() async throws {
    let head = "<base href='https://other.example/deep/'>"
    let link = try await StubSite.visit(page: "\(head)<a href=go>Continue</a>")
    #expect(link.urls.last == "https://other.example/deep/go")
    let form = try await StubSite.visit(page: "\(head)<form method=post action=go><input name=login></form>")
    #expect(form.urls.last == "https://other.example/deep/go")
    let bare = try await StubSite.visit(page: "\(head)<form method=post><input name=login></form>")
    #expect(bare.urls.last == StubSite.start)
  }

  @Test(
    "does not open a URL that is neither a page nor the redirect URI",
    arguments: ["g:h", "http:g", "javascript:go()", "file:///etc/passwd"])
  func foreignScheme(_ href: String) async throws {
    let visited = try await StubSite.visit { _ in .html("<a href=\"\(href)\">Continue</a>") }
    #expect(visited.requests.count == 1)
    #expect(visited.reason != nil)
  }
}
