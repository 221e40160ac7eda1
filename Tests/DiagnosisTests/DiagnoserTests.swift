import Diagnosis
import Documents
import IdentityPlatform
import Testing

@Suite struct DiagnoserTests {
  private static let mismatch = """
    AADSTS50011: The redirect URI 'https://app.contoso.example/cb' specified in the request does not match the redirect \
    URIs configured for the application '11111111-2222-3333-4444-555555555555'.
    """

  private func diagnose(_ bytes: [UInt8]) -> DiagnosisResult {
    var diagnoser = Diagnoser()
    diagnoser.add(bytes, named: "app.log")
    return diagnoser.result
  }

  private func diagnose(_ text: String) -> DiagnosisResult { diagnose(Array(text.utf8)) }

  @Test func `determines the cause and quotes the line with its column`() throws {
    let main = try #require(diagnose("first line\n  " + Self.mismatch).main)
    #expect(main.cause?.id == "redirect-uri-not-registered")
    #expect(main.codes == ["AADSTS50011"])
    let evidence = try #require(main.evidence.first)
    #expect(evidence.line == 2)
    #expect(evidence.column >= 3)
    #expect(main.explanation.contains("`https://app.contoso.example/cb`"))
  }

  @Test(arguments: [
    "{\"log\":\"AADSTS50011: The redirect URI \\\\\"x\\\\\" ... \",\"level\":\"error\"}",
    "\u{1B}[31mAADSTS50011\u{1B}[0m: The reply URL specified in the request",
    "https://app.contoso.example/?error=invalid_request&error_description=AADSTS50011%3a+The+reply+URL+specified+in+the+request",
    "{\"error\":\"invalid_request\",\"error_codes\":[50011]}",
    "invalid_request: 50011 - [2024-01-01 10:00:00Z]: no description",
  ]) func `recognizes a code in escaped, colored, and encoded text`(text: String) throws {
    let main = try #require(diagnose(text).main)
    #expect(main.candidates.first?.cause.id == "redirect-uri-not-registered", "\(main.codes)")
  }

  @Test func `reads UTF-16 and all line ends`() throws {
    let text = "a\r\nb\rc\n" + Self.mismatch
    var bytes: [UInt8] = [0xFF, 0xFE]
    for unit in text.utf16 { bytes += [UInt8(unit & 0xFF), UInt8(unit >> 8)] }
    let main = try #require(diagnose(bytes).main)
    #expect(main.cause?.id == "redirect-uri-not-registered")
    #expect(main.evidence.first?.line == 4)
  }

  @Test func `finds one failure in a long log and counts repetitions`() throws {
    var lines: [String] = []
    for number in 0..<5_000 {
      lines.append("2024-05-01 10:00:00.000 TID=7 MSAL 1.2.3 iOS 17.0 message number \(number)")
      if number % 1_000 == 500 { lines.append(Self.mismatch) }
    }
    let diagnosis = diagnose(lines.joined(separator: "\n"))
    #expect(diagnosis.failures.count == 1)
    #expect(diagnosis.main?.count == 5)
    #expect(diagnosis.main?.evidence.first?.line == 502)
  }

  @Test func `separates failures by their correlation IDs`() {
    func line(_ id: Int, _ text: String) -> String {
      "TID=1 MSAL 1.2.3 iOS 17.0 [2024-05-01 10:00:0\(id) - 3CC6CE01-FA4E-4FA4-8FA4-00000000000\(id)] \(text)"
    }
    let diagnosis = diagnose(
      [
        line(1, "Beginning silent flow."), line(2, "Beginning interactive flow."),
        line(1, "AADSTS50173: The provided grant has expired due to it being revoked."), line(2, Self.mismatch),
      ].joined(separator: "\n"))
    #expect(diagnosis.failures.map(\.cause?.id) == ["grant-revoked", "redirect-uri-not-registered"])
  }

  @Test func `reports unusable inputs`() {
    #expect(diagnose([]).unusable.map(\.reason) == ["is empty"])
    #expect(diagnose(" \n\t\n").unusable.map(\.reason) == ["is empty"])
    #expect(diagnose([0x89, 0x50, 0x4E, 0x47, 0, 0, 0, 1]).unusable.map(\.reason) == ["is not text"])
    let greeting = diagnose("good morning")
    #expect(greeting.main == nil)
    #expect(greeting.unusable.isEmpty)
  }

  /// `Error: AADSTS50173: the grant was revoked`, compressed with gzip.
  private static let compressed: [UInt8] = [
    31, 139, 8, 0, 0, 0, 0, 0, 2, 3, 115, 45, 42, 202, 47, 178, 82, 112, 116, 116, 9, 14, 9, 54, 53, 48, 52,
    55, 182, 82, 40, 201, 72, 85, 72, 47, 74, 204, 43, 81, 40, 79, 44, 86, 40, 74, 45, 203, 207, 78, 77, 225,
    2, 0, 204, 195, 88, 143, 42, 0, 0, 0,
  ]

  @Test(arguments: [1, 2, 3, 4096]) func `reads compressed input in chunks of any length`(size: Int) throws {
    var diagnoser = Diagnoser()
    diagnoser.add(named: "app.log.gz") { body in
      for start in stride(from: 0, to: Self.compressed.count, by: size) {
        guard body(Array(Self.compressed[start..<min(Self.compressed.count, start + size)])) else { return }
      }
    }
    #expect(diagnoser.result.main?.codes == ["AADSTS50173"])
    #expect(diagnoser.result.unusable.isEmpty)
  }

  @Test func `does not crash on a truncated compressed input`() {
    for length in 0..<Self.compressed.count { _ = diagnose(Array(Self.compressed[..<length])) }
  }

  @Test func `does not report a failure for a log without errors`() {
    #expect(diagnose("opened the browser, network connection established, token cache loaded").main == nil)
  }

  @Test func `asks for more information if several causes fit the text`() throws {
    let main = try #require(diagnose("MSAL error: something failed").main)
    #expect(!main.isDetermined)
    #expect(main.cause == nil)
    #expect(main.json["cause"]?.isNull == true)
    #expect(!main.needs.isEmpty)
  }

  @Test func `every sign-in service code has a cause`() {
    for entry in AADSTS.all {
      let main = diagnose("\(entry.code): \(entry.meaning)").main
      #expect(main?.candidates.isEmpty == false, "\(entry.code)")
    }
    for entry in AADB2C.all {
      let main = diagnose("\(entry.code): \(entry.meaning)").main
      #expect(main?.candidates.isEmpty == false, "\(entry.code)")
    }
  }

  @Test func `every MSAL for Apple platforms error has a cause`() {
    for code in MSALInternalErrorCode.allCases {
      let main = diagnose(
        "Error Domain=MSALErrorDomain Code=-50000 \"(null)\" UserInfo={MSALInternalErrorCodeKey=\(code.rawValue)}"
      ).main
      #expect(main?.candidates.isEmpty == false, "\(code.rawValue)")
    }
    for code in MSALErrorCode.allCases where code != .internal {
      let main = diagnose("Error Domain=MSALErrorDomain Code=\(code.rawValue) \"(null)\"").main
      #expect(main?.candidates.isEmpty == false, "\(code.rawValue)")
    }
  }

  @Test(arguments: [
    "IDX10214: Audience validation failed. See https://aka.ms/identitymodel/app-context-switches", "Invalid audience",
    "401: the token has an invalid audience",
  ]) func `does not decide which side has the wrong audience without both values`(text: String) throws {
    let failure = try #require(Diagnoser.result(of: text).main)
    #expect(failure.cause == nil)
    let candidates = failure.candidates.prefix(3).map(\.cause.id)
    #expect(candidates.contains("token-wrong-audience") && candidates.contains("expected-audience-misconfigured"))
  }

  @Test func `the content type of a response is not that of the request`() throws {
    let response = """
      HTTP/1.1 401 Unauthorized
      Content-Type: application/json; charset=utf-8

      {"error":"invalid_client","error_description":"AADSTS7000218: The request body must contain the following parameter: 'client_assertion' or 'client_secret'."}
      """
    let request = "POST https://login.microsoftonline.com/common/oauth2/v2.0/token HTTP/1.1\n"
    let body = "\n\ngrant_type=urn:ietf:params:oauth:grant-type:device_code&client_id=1\n\n"
    let form = request + "Content-Type: application/x-www-form-urlencoded" + body + response
    #expect(Diagnoser.result(of: form).main?.candidates.first?.cause.id == "public-client-flag-off")
    let untyped = request + "Accept: */*" + body + response
    #expect(Diagnoser.result(of: untyped).main?.candidates.first?.cause.id == "public-client-flag-off")
    let json = request + "Content-Type: application/json" + body + response
    #expect(Diagnoser.result(of: json).main?.candidates.contains { $0.cause.id == "request-malformed" } == true)
  }

  @Test func `decodes a response in Base64`() throws {
    let response = #"{"error":"invalid_instance","error_description":"AADSTS50049: Unknown or invalid instance."}"#
    let entry =
      #"{"content":{"mimeType":"application/json","text":"\#(Base64.encode(Array(response.utf8)))","encoding":"base64"}}"#
    let failure = try #require(Diagnoser.result(of: entry).main)
    #expect(failure.codes.contains("AADSTS50049"))
    #expect(failure.candidates.first?.cause.id == "authority-not-known")
  }

  @Test func `the JSON of an input without a failure has all members`() throws {
    let failed = Diagnoser.result(of: "AADSTS50173: The provided grant has expired.").json()
    let empty = Diagnoser.result(of: "hello").json()
    var (names, expected) = (Set<String>(), Set<String>())
    empty.forEachMember { name, _ in names.insert(name) }
    failed.forEachMember { name, _ in expected.insert(name) }
    #expect(names == expected)
    #expect(empty["determined"] == .bool(false) && empty["cause"] == .null && empty["evidence"] == [])
    #expect(empty["needs"]?.string?.isEmpty == false)
  }
}
