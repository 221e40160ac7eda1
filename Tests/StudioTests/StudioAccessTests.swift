import Effects
import HTTPTypes
import Studio
import Testing

@Suite struct StudioAccessTests {
  @Test("exchanges the link once for a cookie that scripts and other sites cannot use")
  func exchangesLink() async throws {
    let studio = try await StudioHarness()
    #expect(studio.cookie.hasPrefix("authflow-studio-4711="))
    #expect(studio.server.linkPath == nil)
    let response = try await studio.send("/")
    #expect(response.head.status == .ok)
    for (name, value) in [
      ("content-security-policy", "frame-ancestors 'none'"), ("referrer-policy", "no-referrer"),
      ("x-content-type-options", "nosniff"), ("cache-control", "no-store"),
    ] {
      let field = try #require(HTTPField.Name(name))
      #expect(response.head.headerFields[field]?.contains(value) == true, "\(name)")
    }
    #expect(response.head.headerFields[.contentSecurityPolicy]?.contains("unsafe") == false)
  }

  @Test("redirects the link to a page URL without the token")
  func redirects() async throws {
    let studio = try await StudioHarness()
    let again = try await studio.send("/?token=wrong", headers: [.cookie: "x=y"])
    #expect(again.head.status == .forbidden)
    #expect(again.head.headerFields[.setCookie] == nil)
  }

  @Test(
    "rejects other browsers, hosts, and origins",
    arguments: [
      ("http://127.0.0.1:4711/", ["cookie": "authflow-studio-4711=guess"]),
      ("http://127.0.0.1:4711/api/project", ["cookie": "other=1"]), ("http://evil.example:4711/", [:]),
      ("http://127.0.0.1:4712/", [:]), ("http://127.0.0.1:4711/api/project", ["origin": "https://evil.example"]),
      ("http://127.0.0.1:4711/api/project", ["sec-fetch-site": "cross-site"]),
      ("http://127.0.0.1:4711/studio.js", ["sec-fetch-site": "same-site"]),
    ] as [(String, [String: String])])
  func rejects(_ url: String, _ headers: [String: String]) async throws {
    var fields: HTTPFields = [:]
    for (name, value) in headers { fields[try #require(HTTPField.Name(name))] = value }
    let response = try await StudioHarness().send(url, headers: fields)
    #expect(response.head.status == .forbidden)
  }

  @Test("accepts only JSON objects in POST requests")
  func rejectsForms() async throws {
    let studio = try await StudioHarness()
    let form = try await studio.send(
      "/api/run", method: .post, headers: [.contentType: "text/plain"], body: #"{"path":"me.yaml"}"#)
    #expect(form.head.status == .unsupportedMediaType)
    let list = try await studio.send("/api/run", method: .post, headers: [.contentType: "application/json"], body: "[]")
    #expect(list.head.status == .badRequest)
    #expect(try await studio.send("/api/run", method: .put).head.status == .methodNotAllowed)
    #expect(try await studio.send("/nothing").head.status == .notFound)
  }
}
