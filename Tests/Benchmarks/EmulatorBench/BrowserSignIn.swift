import BenchSupport
import Documents
import Effects
import HTTPTypes
import OAuth

/// A browser that signs in through the pages, and an app that redeems the code. It does as little work as possible, so
/// that the benchmark measures the emulator and not the client.
struct BrowserSignIn {
  static let clientID = "04b07795-8ddb-461a-bbee-02f9e1bf7b46"
  static let verifier = "benchmark-verifier-benchmark-verifier-benchmark"
  static let scope = "openid profile offline_access User.Read Mail.Read"
  static let username = "megan@contoso.com"
  static let password = "Fake-Megan-1"

  let client: any Client
  var cookies: [String: String] = [:]
  /// A number that makes the request unique. Zero does not change the request.
  var number = 0

  /// Sends the authorization request, completes the pages in order, and redeems the code with PKCE.
  /// - Returns: The response of the token endpoint.
  mutating func run() async -> JSON {
    let code = await code()
    let form = Self.form([
      ("grant_type", "authorization_code"), ("client_id", Self.clientID), ("code", code),
      ("redirect_uri", "http://localhost:8400"), ("code_verifier", Self.verifier), ("scope", Self.scope),
      ("client_info", "1"),
    ])
    let answer = await client.send(
      request(.post, client.login + "/organizations/oauth2/v2.0/token", form: form))
    guard let json = try? JSON(parsing: answer.body), json["access_token"] != nil else {
      fail(String(decoding: answer.body, as: UTF8.self))
    }
    return json
  }

  private mutating func code() async -> String {
    let query = Self.form([
      ("client_id", Self.clientID), ("response_type", "code"), ("redirect_uri", "http://localhost:8400"),
      ("scope", Self.scope), ("state", "benchmark-state"), ("nonce", "benchmark-nonce"), ("client_info", "1"),
      ("code_challenge", PKCE.challenge(for: Self.verifier, method: .s256)), ("code_challenge_method", "S256"),
    ])
    let mark = number == 0 ? "" : "&benchmark=\(number)"
    var answer = await send(request(.get, client.login + "/organizations/oauth2/v2.0/authorize?" + query + mark))
    for _ in 0..<10 {
      if let location = answer.head.headerFields[.location] {
        guard let code = URLReference(location).parameters["code"] else { fail("no code in \(location)") }
        return code
      }
      let page = String(decoding: answer.body, as: UTF8.self)
      guard let action = Self.attribute("action", in: page[...]) else { fail(page) }
      answer = await send(request(.post, action, form: Self.form(Self.fields(of: page))))
    }
    fail("the sign-in does not end")
  }

  private mutating func send(_ message: RequestMessage) async -> ResponseMessage {
    var message = message
    if !cookies.isEmpty {
      message.head.headerFields[.cookie] = cookies.map { "\($0.key)=\($0.value)" }.joined(separator: "; ")
    }
    let answer = await client.send(message)
    for header in answer.head.headerFields[values: .setCookie] {
      let pair = header.utf8.prefix { $0 != UInt8(ascii: ";") }
      let name = pair.prefix { $0 != UInt8(ascii: "=") }
      cookies[String(Substring(name))] = String(Substring(pair.dropFirst(name.count + 1)))
    }
    return answer
  }

  /// Returns the form that a user submits on this page: the hidden fields and the visible fields.
  private static func fields(of page: String) -> [(String, String)] {
    var fields: [(String, String)] = []
    for part in page.components(of: "<input type=\"hidden\"") {
      guard let name = attribute("name", in: part), let value = attribute("value", in: part) else { continue }
      fields.append((name, value))
    }
    for part in page.components(of: "<input type=\"checkbox\"") {
      // Checkboxes keep their state.
      guard let name = attribute("name", in: part), let value = attribute("value", in: part),
        String(Substring(part.utf8.prefix { $0 != UInt8(ascii: ">") })).utf8Contains(" checked")
      else { continue }
      fields.append((name, value))
    }
    if page.utf8Contains("name=\"passwd\"") { fields.append(("passwd", password)) }
    if page.utf8Contains("name=\"loginfmt\""), !fields.contains(where: { $0.0 == "loginfmt" }) {
      fields.append(("loginfmt", username))
    }
    if page.utf8Contains("name=\"consent\"") { fields.append(("consent", "accept")) }
    return fields
  }

  private static func attribute(_ name: String, in text: Substring) -> String? {
    let parts = text.components(of: " \(name)=\"")
    guard let value = parts.first else { return nil }
    let text = String(Substring(value.utf8.prefix { $0 != UInt8(ascii: "\"") }))
    return text.utf8.contains(UInt8(ascii: "&")) ? text.replacing("&amp;", with: "&") : text
  }

  static func form(_ fields: [(String, String)]) -> String {
    fields.map { "\($0.0)=\(FormCoding.encode($0.1))" }.joined(separator: "&")
  }
}

extension StringProtocol {
  /// Returns the text after each occurrence of a marker, up to the next marker. Compares bytes, because that is faster.
  fileprivate func components(of mark: String) -> [Substring] {
    let text = Array(utf8)
    let wanted = Array(mark.utf8)
    var starts: [Int] = []
    var index = 0
    while index + wanted.count <= text.count {
      if text[index] == wanted[0], text[index..<index + wanted.count].elementsEqual(wanted) {
        starts.append(index + wanted.count)
        index += wanted.count
      } else {
        index += 1
      }
    }
    return starts.enumerated().map { number, start in
      let end = number + 1 < starts.count ? starts[number + 1] - wanted.count : text.count
      return Substring(decoding: text[start..<end], as: UTF8.self)
    }
  }

  fileprivate func utf8Contains(_ mark: String) -> Bool { !components(of: mark).isEmpty }
}
