import Diagnostics
import Documents
import Testing

struct CommentTests {
  /// Returns each comment as `line:column-line:column text`, followed by `!` if its lines contain nothing else.
  static func comments(_ text: String, _ syntax: CommentSyntax) -> [String] {
    let source = SourceText(name: "a", text: text)
    return Comments.all(in: source, syntax: syntax).map {
      let (start, end) = (source.location(of: $0.span.start), source.location(of: $0.span.end))
      return "\(start.line):\(start.column)-\(end.line):\(end.column) \($0.text)\($0.standsAlone ? "!" : "")"
    }
  }

  @Test func findsCommentsInYAML() {
    let text = """
      # é one
      a: b # two
      c: "x # no" # three
      d: 'it''s # no
        # no'
      e: b#no
      f: | # four
        # no
        text # no
       # yes
      # five
      g: >-
        # no

        # six is text too
      h: [1, # seven
        "#no", #eight
        x]
      i: don't # nine
      """
    #expect(
      Self.comments(text, .yaml) == [
        "1:1-1:8 é one!", "2:6-2:11 two", "3:13-3:20 three", "7:6-7:12 four", "10:2-10:7 yes!", "11:1-11:7 five!",
        "16:8-16:15 seven",
        "17:10-17:16 eight", "19:10-19:16 nine",
      ])
  }

  @Test func findsCommentsInInvalidYAML() {
    let text = "a: b # one\nc: ]\nd: \"x # no\" # two\n# three\n"
    #expect(Self.comments(text, .yaml) == ["1:6-1:11 one", "3:13-3:18 two", "4:1-4:8 three!"])
  }

  @Test func findsCommentsInJSON() {
    let text = """
      // one
      { "a": "// no", /* two */ "b": "\\"/* no", // three
        /* four
           goes on */
        'c': '//no', "d": "broken // no
        "e": 1 / 2 /* open
      """
    #expect(
      Self.comments(text, .json) == [
        "1:1-1:7 one!", "2:17-2:26 two", "2:43-2:51 three", "3:3-4:16 four\n     goes on!", "6:14-6:21 open",
      ])
  }

  @Test func findsCommentsInXML() {
    let text = """
      <?pi <!-- no --> ?>
      <!DOCTYPE a [ <!-- one --> ]>
      <a b="<!-- no -->"><!-- two
      --><![CDATA[<!-- no -->]]>
        <!-- three -->
      </a><!-- open
      """
    // `<` in an attribute is an error, and the scan treats the following text as content.
    #expect(
      Self.comments(text.replacing("\"<!-- no -->\"", with: "'x'"), .xml) == [
        "2:15-2:27 one", "3:10-4:4 two", "5:3-5:17 three!", "6:5-6:14 open",
      ])
  }

  @Test func findsCommentsInOpenStepPropertyLists() {
    let text = """
      // one
      { a = "// no"; b = https://login.contoso.com; /* two */ c = <0a // no
       0b>; // three
        d = 'it // no'; }
      """
    #expect(Self.comments(text, .openStep) == ["1:1-1:7 one!", "2:47-2:56 two", "3:7-3:15 three"])
  }

  @Test func findsCommentsInXcodeConfigurationFiles() {
    #expect(
      Self.comments("// one\r\nA = b // two\r\nC = http://no-this-is-one\r\n", .xcconfig) == [
        "1:1-1:7 one!", "2:7-2:13 two", "3:10-3:26 no-this-is-one",
      ])
  }

  @Test func limitsTheNumberOfComments() {
    let source = SourceText(name: "a", text: String(repeating: "//\n", count: 60_000))
    #expect(Comments.all(in: source, syntax: .json).count == 50_000)
  }

  @Test func findsCommentsInDocuments() throws {
    func comments(_ text: String, _ name: String) throws -> [String] {
      var options = ReadingOptions()
      options.toleratesComments = true
      let document = try #require(DocumentReader.read(text, named: name, options: options).document)
      return Comments.all(in: document).map(\.text)
    }
    #expect(try comments("{\"a\": 1 // x\n}", "a.json") == ["x"])
    #expect(try comments("a: 1 # x\n", "a.yaml") == ["x"])
    #expect(try comments("<plist><true/><!-- x --></plist>", "a.plist") == ["x"])
    #expect(try comments("{ a = b; // x\n}", "a.plist") == ["x"])
    let binary = try DocumentWriter.write(Document.of(["a": "// x"], name: "a"), as: .binaryPropertyList)
    #expect(Comments.all(in: try #require(DocumentReader.read(binary, named: "a").document)) == [])
  }

  /// The ranges of comments and values do not overlap.
  @Test func commentsDoNotOverlapValues() throws {
    for sample in RobustnessTests.samples {
      let document = try #require(DocumentReader.read(sample.bytes, named: sample.name).document)
      for comment in Comments.all(in: document) {
        func check(_ node: Node) {
          if node.count == 0 {
            #expect(node.span.end <= comment.span.start || node.span.start >= comment.span.end)
          }
          node.elements.forEach(check)
          for (key, value) in node.entries { [key, value].forEach(check) }
        }
        check(document.root)
      }
    }
  }
}
