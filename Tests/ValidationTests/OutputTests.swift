import AppRegistration
import Diagnostics
import Documents
import Testing
import Validation

@Suite struct OutputTests {
  static let source = SourceText(name: "dir one/ü.json", text: "{\n  \"é\": 1,\n  \"clientSecret\": \"s3cr3t\"\n}")

  static func finding(_ start: Int, _ end: Int, fix: Diagnostic.Fix? = nil) -> Diagnostic {
    Diagnostic(
      .error, rule: "app-id-zero", "invalid value", help: "use another one",
      at: FileSpan(source, SourceSpan(start: start, end: end)), fix: fix)
  }

  static func report(_ findings: [Diagnostic], suppressed: [SuppressedFinding] = []) -> FilteredReport {
    FilteredReport(diagnostics: findings, suppressed: suppressed, files: [(source.name, .authSettings)])
  }

  static func sarif(_ report: FilteredReport, unreadable: [Diagnostic] = []) -> JSON {
    SARIFReport(report, version: "1.2.3", exitCode: 1, workingDirectory: "/home/dev/my app", unreadable: unreadable)
      .json
  }

  // MARK: SARIF

  @Test func reportsResultLocationsInCharacters() throws {
    let run = try #require(Self.sarif(Self.report([Self.finding(4, 8)]))["runs"]?[0])
    let result = try #require(run["results"]?[0])
    #expect(result["ruleId"] == "app-id-zero" && result["level"] == "error")
    #expect(result["message"]?["text"] == "invalid value; use another one")
    let location = try #require(result["locations"]?[0]?["physicalLocation"])
    #expect(location["artifactLocation"]?["uri"] == "dir%20one/%C3%BC.json")
    #expect(location["artifactLocation"]?["uriBaseId"] == "%SRCROOT%")
    #expect(
      location["region"]
        == ["startLine": 2, "startColumn": 3, "endLine": 2, "endColumn": 6, "snippet": ["text": "\"é\""]])
    #expect(run["columnKind"] == "unicodeCodePoints")
    #expect(run["newlineSequences"] == ["\r\n", "\n", "\r"])
    #expect(run["originalUriBaseIds"]?["%SRCROOT%"]?["uri"] == "file:///home/dev/my%20app/")
    let index = try #require(result["ruleIndex"]?.integer)
    let rule = try #require(run["tool"]?["driver"]?["rules"]?[Int(index)])
    #expect(rule["id"] == "app-id-zero" && rule["name"] == "AppIDZero")
    #expect(rule["defaultConfiguration"]?["level"] == "error")
    #expect(rule["help"]?["markdown"]?.string?.isEmpty == false)
  }

  @Test func describesEveryRule() throws {
    let rules = Self.sarif(Self.report([]))["runs"]?[0]?["tool"]?["driver"]?["rules"]?.array ?? []
    #expect(rules.count == RuleSet.all.rules.count)
    for rule in rules {
      #expect(rule["shortDescription"]?["text"]?.string?.hasSuffix(".") == true)
      #expect(rule["fullDescription"]?["text"]?.string?.isEmpty == false)
      #expect(rule["properties"]?["tags"]?.array?.isEmpty == false)
    }
  }

  @Test func masksSecrets() {
    let offset = 32
    #expect(Self.source.text(in: SourceSpan(start: offset, end: offset + 6)) == "s3cr3t")
    let text = Self.sarif(Self.report([Self.finding(offset, offset + 6)])).text()
    #expect(!text.contains("s3cr3t") && text.contains("••••••"))
    #expect(!GitHubAnnotations.text([Self.finding(offset, offset + 6)]).contains("s3cr3t"))
    var finding = Self.finding(4, 8)
    finding.pointsAtSecret = true
    #expect(!Self.sarif(Self.report([finding])).text().contains("é"))
  }

  @Test func keepsFingerprintsWhenLinesMove() {
    func fingerprints(_ text: String) -> [JSON?] {
      let source = SourceText(name: "a", text: text)
      let all = text.indices.filter { text[$0] == "x" }.map { text.utf8.distance(from: text.startIndex, to: $0) }
      let findings = all.map {
        Diagnostic(.error, rule: "r", "m", at: FileSpan(source, SourceSpan(start: $0, end: $0 + 1)))
      }
      let results = Self.sarif(Self.report(findings))["runs"]?[0]?["results"]?.array ?? []
      return results.map { $0["partialFingerprints"]?["primaryLocationLineHash"] }
    }
    let before = fingerprints("a: x\nb: x\nb: x\n")
    #expect(fingerprints("# new\n\n  a: x\nb:  x\nb: x\n") == before)
    #expect(Set(before.map { $0?.string }).count == 3)
  }

  @Test func reportsAFixAsAReplacement() throws {
    let fix = Diagnostic.Fix(
      description: "replace",
      edits: [.init(span: SourceSpan(start: 10, end: 11), replacement: "2"), .init(span: .at(11), replacement: "")])
    let result = Self.sarif(Self.report([Self.finding(4, 8, fix: fix)]))["runs"]?[0]?["results"]?[0]
    let change = try #require(result?["fixes"]?[0]?["artifactChanges"]?[0])
    #expect(change["replacements"]?[0]?["insertedContent"]?["text"] == "2")
    #expect(
      change["replacements"]?[0]?["deletedRegion"]
        == ["startLine": 2, "startColumn": 8, "endLine": 2, "endColumn": 9])
    #expect(change["replacements"]?[1]?["insertedContent"] == nil)
  }

  @Test func includesSuppressedFindingsWithTheirReasons() {
    let entry = SuppressedFinding(diagnostic: Self.finding(4, 8), origin: .inSource, reason: "a sample")
    let results = Self.sarif(Self.report([Self.finding(4, 8)], suppressed: [entry]))["runs"]?[0]?["results"]
    #expect(results?[0]?["suppressions"] == [])
    #expect(results?[1]?["suppressions"] == [["kind": "inSource", "justification": "a sample"]])
  }

  @Test(arguments: [
    ("/home/dev/my app/a.json", "a.json", "%SRCROOT%"), ("a/../b.json", "b.json", "%SRCROOT%"),
    ("/etc/ä b.json", "file:///etc/%C3%A4%20b.json", nil), ("../x.json", "file:///home/dev/x.json", nil),
    ("a%20#?:.json", "a%2520%23%3F%3A.json", "%SRCROOT%"),
  ])
  func convertsPathsToURIs(path: String, uri: String, base: String?) throws {
    let finding = Diagnostic(.note, rule: "r", "m", at: .file(path))
    let result = Self.sarif(Self.report([finding]))["runs"]?[0]?["results"]?[0]
    let location = try #require(result?["locations"]?[0]?["physicalLocation"])
    #expect(location["artifactLocation"]?["uri"]?.string == uri)
    #expect(location["artifactLocation"]?["uriBaseId"]?.string == base)
    #expect(location["region"]?["startLine"] == 1)
  }

  @Test func reportsAFailedRunForUnreadableFiles() {
    let failure = Diagnostic(.error, rule: "unreadable-file", "no such file", at: .file("x"))
    let invocation = Self.sarif(Self.report([]), unreadable: [failure])["runs"]?[0]?["invocations"]?[0]
    #expect(invocation?["executionSuccessful"] == false && invocation?["exitCode"] == 1)
    let notification = invocation?["toolExecutionNotifications"]?[0]
    #expect(notification?["message"]?["text"] == "x: no such file")
    #expect(
      notification?["locations"]?[0]?["physicalLocation"]?["artifactLocation"]
        == ["uri": "x", "uriBaseId": "%SRCROOT%"])
  }

  @Test func usesTheFilesLineBreaksAndLimitsRelatedLocations() {
    let source = SourceText(name: "x", text: "a: 1\r\nb: 2\r\n")
    var finding = Diagnostic(
      .warning, rule: "r", "m", at: FileSpan(source, .at(6)),
      fix: .init(description: "write", edits: [.init(span: .at(6), replacement: "c: 3\nd: 4\n")]))
    finding.related = (0..<200).map { .init("also \($0)", at: FileSpan(source, .at(0))) }
    let result = Self.sarif(Self.report([finding]))["runs"]?[0]?["results"]?[0]
    let replacement = result?["fixes"]?[0]?["artifactChanges"]?[0]?["replacements"]?[0]
    #expect(replacement?["insertedContent"]?["text"] == "c: 3\r\nd: 4\r\n")
    #expect(result?["relatedLocations"]?[49] != nil && result?["relatedLocations"]?[50] == nil)
  }

  @Test func reportsThePrecisionOfRules() throws {
    let rules = try #require(Self.sarif(Self.report([]))["runs"]?[0]?["tool"]?["driver"]?["rules"])
    guard case .array(let all) = rules else { return #expect(Bool(false), "rules are a list") }
    func properties(_ id: String) -> JSON? { all.first { $0["id"] == .string(id) }?["properties"] }
    #expect(properties("app-id-zero")?["precision"] == "very-high")
    #expect(properties("secret-committed")?["precision"] == "high")
    #expect(properties("msal-js-secret")?["security-severity"] != nil)
    #expect(properties("app-id-zero")?["security-severity"] == nil)
  }

  @Test func escapesLinksInMessages() {
    let place = FileSpan.file("x")
    var finding = Diagnostic(.note, rule: "r", "see [here](https://contoso.com) and [ClientID]", at: place)
    finding.related = [.init("also [this](1)", at: place)]
    let result = Self.sarif(Self.report([finding]))["runs"]?[0]?["results"]?[0]
    #expect(result?["message"]?["text"] == #"see [here\](https://contoso.com) and [ClientID]"#)
    #expect(result?["relatedLocations"]?[0]?["message"]?["text"] == #"also [this\](1)"#)
  }

  // MARK: GitHub

  @Test func writesAnAnnotationOnOneLine() {
    let source = SourceText(name: "a,b:c%.json", text: "{\n\n}")
    let findings = [
      Diagnostic(.error, rule: "r", "100% wrong\nhere", at: FileSpan(source, SourceSpan(start: 0, end: 1))),
      Diagnostic(.warning, rule: "s", "m: a, b", help: "h", at: FileSpan(source, SourceSpan(start: 0, end: 4))),
      Diagnostic(.note, rule: "t", "n", at: .file("b")),
    ]
    #expect(
      GitHubAnnotations.text(findings) == """
        ::error file=a%2Cb%3Ac%25.json,line=1,endLine=1,col=1,endColumn=2,title=r::100%25 wrong␊here
        ::warning file=a%2Cb%3Ac%25.json,line=1,endLine=3,title=s::m: a, b%0Ahelp: h
        ::notice file=b,title=t::n

        """)
  }
}
