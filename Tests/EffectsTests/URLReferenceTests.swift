import Effects
import Testing

@Suite("URLs")
struct URLReferenceTests {
  @Test(
    "splits and joins a URL without changes",
    arguments: [
      "https://login.microsoftonline.com/common/oauth2/v2.0/authorize?a=b#c", "msauth.com.x://auth?code=1&state=2#",
      "http://localhost:8080", "urn:ietf:wg:oauth:2.0:oob", "/relative?x", "https://user@host:1/p", "", "a b",
    ])
  func roundTrip(text: String) {
    #expect(URLReference(text).text == text)
  }

  @Test("reads the components of a URL")
  func parts() {
    let url = URLReference("HTTPS://Me@Login.Example.COM:8443/a/b?x=1#y")
    #expect(url.scheme == "HTTPS")
    #expect(url.host == "login.example.com")
    #expect(url.port == 8443)
    #expect(url.segments == ["a", "b"])
    #expect(url.fragment == "y")
    #expect(URLReference("http://[::1]:80/").host == "[::1]")
    #expect(URLReference("http://[::1]:80/").port == 80)
    #expect(URLReference("https://host?x").host == "host")
  }

  @Test(
    "determines whether a navigation reaches the redirect URI",
    arguments: [
      ("msauth.com.x://auth?code=1", "msauth.com.x://auth", true),
      ("MSAUTH.com.x://AUTH?code=1#", "msauth.com.x://auth", true),
      ("msauth.com.x://auth/?code=1", "msauth.com.x://auth", true),
      ("msauth.com.x://other?code=1", "msauth.com.x://auth", false),
      ("http://localhost:51234/?code=1", "http://localhost:51234", true),
      ("http://localhost:51235/?code=1", "http://localhost:51234", false),
      ("https://a/cb?x", "https://a/CB", false),
      ("https://a/cb.evil", "https://a/cb", false),
      ("https://a.evil/cb", "https://a/cb", false),
    ])
  func reaches(url: String, redirect: String, expected: Bool) {
    #expect(URLReference(url).reaches(redirect) == expected)
  }

  @Test("preserves the text of URL components")
  func writtenComponents() throws {
    let url = try #require(URLReference(valid: "HTTPS://u:p@Host:8443/a//b/?q=1#"))
    #expect(url.scheme == "HTTPS")
    #expect(url.userInfo == "u:p")
    #expect(url.writtenHost == "Host")
    #expect(url.environment == "host:8443")
    #expect(url.origin == "https://host:8443")
    #expect(url.segments == ["a", "b"])
    #expect(url.query == "q=1")
    #expect(url.fragment?.isEmpty == true)
  }

  @Test(
    "omits the default port", arguments: ["https://host:443", "http://HOST:80/", "https://host:", "https://me@host"])
  func defaultPort(url: String) { #expect(URLReference(url).environment == "host") }

  @Test(
    "rejects an invalid authority",
    arguments: [
      "https://host:x/", "https://host:70000", "https://host:+1", "https://[::1", "https://[::1]x", "https://[::1]x80",
      "https://a:1:2",
    ])
  func invalidAuthority(url: String) { #expect(URLReference(valid: url) == nil) }

  @Test(
    "accepts a valid authority",
    arguments: ["https://host:/", "https://[::1]:1", "msauth://", "urn:a:b", "/path:x", "", "my_app://auth"])
  func validAuthority(url: String) { #expect(URLReference(valid: url)?.text == url) }

  @Test(
    "accepts underscores and other letters only in a scheme before `://`",
    arguments: [
      ("my_app://auth", "my_app"), ("größe.app://auth", "größe.app"), ("my_app:auth", nil), ("größe:auth", nil),
      ("1a://b", nil), ("a+b-c.1:x", "a+b-c.1"),
    ])
  func scheme(url: String, expected: String?) { #expect(URLReference(url).scheme == expected) }

  @Test(
    "identifies hosts on this machine",
    arguments: [
      ("http://localhost:1", true, true), ("http://127.9.0.1", true, true), ("http://[::1]/", true, true),
      ("http://a.localhost", false, true), ("http://127.0.0.1.example.org", false, false),
      ("http://128.0.0.1", false, false), ("http://localhost.example.org", false, false), ("localhost", false, false),
    ])
  func isLoopback(url: String, isLoopback: Bool, isThisMachine: Bool) {
    #expect(URLReference(url).isLoopback == isLoopback)
    #expect(URLReference(url).isThisMachine == isThisMachine)
  }
}

@Suite("Percent-encoding")
struct PercentEncodingTests {
  @Test("encodes each byte that is not listed, with uppercase digits")
  func encoded() {
    #expect(PercentEncoding.encode("a/b ü~%41") == "a%2Fb%20%C3%BC~%2541")
    #expect(PercentEncoding.encode("a/b?c", keeping: .init(adding: "/")) == "a/b%3Fc")
  }

  @Test("keeps existing escapes, but not other percent signs")
  func escapes() {
    #expect(PercentEncoding.encode("%41 %4 %zz %", keepingEscapes: true) == "%41%20%254%20%25zz%20%25")
  }

  @Test("keeps invalid escapes and replaces invalid UTF-8")
  func decoded() {
    #expect(PercentEncoding.decode("a%2Fb+%c3%BC") == "a/b+ü")
    #expect(PercentEncoding.decode("%4 %zz %") == "%4 %zz %")
    #expect(PercentEncoding.decode("%FF") == "\u{FFFD}")
  }
}
