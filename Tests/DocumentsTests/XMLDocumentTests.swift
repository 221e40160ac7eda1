import Diagnostics
import Documents
import Foundation
import TestSupport
import Testing

struct XMLDocumentTests {
  static let manifest = """
    <?xml version="1.0" encoding="utf-8"?>
    <!-- é made by hand -->
    <manifest xmlns:android="http://schemas.android.com/apk/res/android"
        xmlns:a='http://schemas.android.com/apk/res/android'
        package="com.contoso.notes">
      <application android:label="@string/name">
        <activity
            android:name="com.microsoft.identity.client.BrowserTabActivity" android:exported = "true">
          <intent-filter><!-- one --><data android:scheme='msauth' a:path="/Zm9v&#61;
    x"/></intent-filter>
        </activity>
      </application>
    </manifest>

    """

  static func read(_ text: String) -> XMLReadResult {
    XMLDocumentReader.read(Array(text.utf8), named: "AndroidManifest.xml")
  }

  static func messages(_ reading: XMLReadResult) -> [String] {
    reading.diagnostics.map { "\($0.place.start.line):\($0.place.start.column) \($0.rule): \($0.message)" }
  }

  func extent(_ source: SourceText, _ span: SourceSpan) -> String {
    let (start, end) = (source.location(of: span.start), source.location(of: span.end))
    return "\(start.line):\(start.column)-\(end.line):\(end.column)"
  }

  @Test(arguments: ["\n", "\r\n"]) func reportsLocations(lineEnd: String) throws {
    let text = Self.manifest.split(separator: "\n", omittingEmptySubsequences: false).joined(separator: lineEnd)
    let reading = Self.read(text)
    #expect(Self.messages(reading) == [])
    let root = try #require(reading.root)
    let source = root.source
    #expect(root.name == "manifest")
    #expect(extent(source, root.span) == "3:1-5:33")
    #expect(extent(source, root.wholeSpan) == "3:1-13:12")
    #expect(root.attribute("package")?.value == "com.contoso.notes")
    #expect(root.attributes.map(\.name) == ["xmlns:android", "xmlns:a", "package"])
    let activity = try #require(root.children.first?.children.first)
    #expect(activity.name == "activity")
    #expect(extent(source, activity.nameSpan) == "7:6-7:14")
    let exported = try #require(activity.android("exported"))
    #expect(extent(source, exported.nameSpan) == "8:73-8:89")
    #expect(extent(source, exported.valueSpan) == "8:93-8:97")
    #expect(extent(source, exported.span) == "8:73-8:98")
    let data = try #require(root.descendants.last)
    #expect(data.name == "data" && data.isEmptyElement)
    #expect(data.android("scheme")?.value == "msauth")
    #expect(data.attribute("scheme") == nil)
    // The attribute is found by its namespace, with any prefix. References are resolved, and a line ending becomes a
    // space.
    #expect(data.android("path")?.value == "/Zm9v= x")
    #expect(data.android("path")?.name == "a:path")
    #expect(source.text(in: data.android("path")?.valueSpan ?? .at(0)) == "/Zm9v&#61;\(lineEnd)x")
    #expect(reading.comments.map(\.text) == ["é made by hand", "one"])
    #expect(reading.comments.map { extent(source, $0.span) } == ["2:1-2:24", "9:22-9:34"])
  }

  @Test func appliesTheDefaultNamespaceOnlyToElements() throws {
    let root = try #require(Self.read("<a xmlns='urn:x' b='1'><c xmlns=''/><x:d xmlns:x='urn:y' x:e='2'/></a>").root)
    #expect(root.namespace == "urn:x")
    #expect(root.attribute("b")?.namespace == nil)
    #expect(root.children.map(\.namespace) == [nil, "urn:y"])
    #expect(root.children.last?.localName == "d")
    #expect(root.children.last?.attribute("e", namespace: "urn:y")?.value == "2")
  }

  @Test func readsText() throws {
    let root = try #require(
      Self.read("<resources><string name='a'>x &amp; <![CDATA[<y>]]></string><e/><f></f></resources>").root)
    #expect(root.text == nil)
    #expect(root.children.map(\.text) == ["x & <y>", "", ""])
    #expect(root.source.text(in: root.children.first?.contentSpan ?? .at(0)) == "x &amp; <![CDATA[<y>]]>")
  }

  @Test(arguments: [
    ("", "1:1 empty-document: empty file"),
    ("<a><b></a>", "1:7 xml-syntax: expected `</b>`, found `</a>`"),
    ("<a>\n<b>", "2:4 xml-syntax: missing closing tags at the end of the document"),
    ("<a b=c/>", "1:6 xml-syntax: attribute value without quotes"),
    ("<a b/>", "1:5 xml-syntax: attribute without a value"),
    ("<a b='x'\n  b='y'/>", "2:8 xml-syntax: malformed XML: Attribute b redefined"),
    ("<a>\n<b android:name='x'/></a>", "2:4 xml-syntax: undeclared prefix `android`"),
    ("<t:a/>", "1:2 xml-syntax: undeclared prefix `t`"),
    ("<a b='&nbsp;'/>", "1:7 xml-syntax: unknown entity `&nbsp;`"),
    ("<a/><b/>", "1:5 xml-syntax: unexpected text after the document"),
    ("<!DOCTYPE a [<!ENTITY b 'c'>]><a>&b;</a>", "1:28 xml-syntax: entity declaration"),
    ("\u{3}\0\u{8}\0", "1:1 encoding: compiled Android XML from an APK"),
  ]) func reportsErrors(text: String, messages: String) {
    #expect(Self.messages(Self.read(text)).first == messages)
  }

  @Test func suggestsTheDeclarationOfTheAndroidPrefix() {
    let help = Self.read("<manifest android:x='1'/>").diagnostics.first?.help
    #expect(help == "add `xmlns:android=\"http://schemas.android.com/apk/res/android\"` to the root element")
  }

  @Test func keepsTheElementsOfMalformedDocuments() throws {
    let reading = Self.read("<a><b c='1'><d/></b><e>")
    #expect(reading.diagnostics.hasErrors)
    #expect(reading.root?.descendants.map(\.name) == ["b", "d", "e"])
  }

  @Test func enforcesLimits() {
    func nested(_ depth: Int) -> String {
      String(repeating: "<a>", count: depth) + String(repeating: "</a>", count: depth)
    }
    #expect(Self.messages(Self.read(nested(512))) == [])
    #expect(Self.read(nested(513)).diagnostics.map(\.rule) == ["too-deep"])
    #expect(Self.read(nested(100_000)).diagnostics.map(\.rule) == ["too-deep"])
    var limits = ReadingLimits()
    limits.expandedNodes = 10
    let wide = "<a>" + String(repeating: "<b/>", count: 10) + "</a>"
    #expect(
      XMLDocumentReader.read(Array(wide.utf8), named: "a", limits: limits).diagnostics.map(\.rule) == ["too-large"])
    limits.size = 10
    #expect(
      XMLDocumentReader.read(Array(wide.utf8), named: "a", limits: limits).diagnostics.map(\.rule) == ["too-large"])
  }

  /// Input that causes quadratic run time or excessive memory use in simple parsers.
  @Test(arguments: [
    "<a " + (0..<200_000).map { "b\($0)=''" }.joined(separator: " ") + "/>",
    "<a b='" + String(repeating: "&", count: 200_000) + "'/>",
    "<a " + (0..<400).map { "xmlns:n\($0)='u'" }.joined() + "/>", "<a b='" + String(repeating: "<x ", count: 100_000),
    String(repeating: "<a b='", count: 100_000), String(repeating: "<!--", count: 100_000),
    "<!DOCTYPE a [<!ENTITY x '" + String(repeating: "y", count: 1000) + "'>]><a>&x;</a>",
  ]) func terminatesOnHostileInput(text: String) {
    #expect(Self.read(text).diagnostics.hasErrors)
  }

  @Test func readsDocumentsTruncatedAnywhere() {
    let bytes = Array(Self.manifest.utf8)
    for length in 0..<bytes.count - 2 {
      let reading = XMLDocumentReader.read(Array(bytes.prefix(length)), named: "a.xml")
      #expect(!reading.diagnostics.isEmpty)
      for element in (reading.root.map { [$0] + $0.descendants } ?? []) {
        #expect(element.wholeSpan.end <= length && element.contentSpan.end <= length)
        for attribute in element.attributes { #expect(attribute.span.end <= length) }
      }
    }
  }

  @Test(arguments: EncodingTests.Form.allCases) func readsEveryEncoding(form: EncodingTests.Form) {
    let reading = XMLDocumentReader.read(
      EncodingTests.encode(Self.manifest, form, mark: true), named: "AndroidManifest.xml")
    #expect(reading.diagnostics.isEmpty)
    #expect(reading.root?.attribute("package")?.value == "com.contoso.notes")
  }
}

@Suite("XML documents of sample projects") struct XMLSampleTests {
  /// XML property lists are XML documents, so both readers must find the same elements at the same locations.
  @Test("reads property lists like the property list reader", arguments: SampleTests.readable)
  func propertyLists(label: SampleLabel) throws {
    let bytes = try label.sample.bytes()
    guard let document = DocumentReader.read(bytes, named: label.sample.name).document,
      document.syntax == .xmlPropertyList
    else { return }
    let reading = XMLDocumentReader.read(bytes, named: label.sample.name)
    #expect(XMLDocumentTests.messages(reading) == [])
    let root = try #require(reading.root)
    let value = root.name == "plist" ? try #require(root.children.first) : root
    func check(_ node: Node, _ element: XMLElement) {
      #expect(node.span == element.wholeSpan)
      switch node.kind {
      case .array: for (node, element) in zip(node.elements, element.children) { check(node, element) }
      case .mapping:
        #expect(element.children.count == 2 * node.count)
        for (index, (key, value)) in node.entries.enumerated() {
          check(key, element.children[2 * index])
          check(value, element.children[2 * index + 1])
        }
      case .string: #expect(node.string == element.text)
      default: break
      }
    }
    check(document.root, value)
  }
}
