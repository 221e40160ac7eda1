import Diagnostics
import Documents
import OrderedCollections
import Testing
import Validation

/// Tests that after any edit, the text is valid and contains the expected tree.
@Suite struct TextEditsPropertyTests {
  static let tree = #"""
    {"AppId": "x-1", "list": ["a", "b c", "d"], "empty": [], "none": {}, "one": {"k": "v"},
     "nested": [{"a": "1 2", "b": ["x", "y"]}, {"a": "é", "c": {"d": {"e": "f", "g": ["h"]}}}], "last": "#!: [x]"}
    """#

  /// The same tree with comments, whitespace, and an unusual layout.
  static let variants: [String] = [
    tree,
    """
    // begin
    { // open
      "AppId": "x-1", /* id */ "other": "y",

      // about the list
      "list": [
        "a", // first
        "b c" /* second */ ,
        // third
        "d" // end
      ],
      "inline": [ "a",
        "b", "c" ], "pair": { "a": "1", "b": "2" },
      "hollow": {
        // nothing yet
      }
    }
    """,
    "{\r\n\t\"a\": [\r\n\t\t\"x\",\r\n\t\t\"y\",\r\n\t],\r\n\t\"b\": {\"c\": \"d\",},\r\n}\r\n",
    """
    # begin
    AppId: x-1   # id
    list:
      # first
      - a # one

      - 'b c'
      - |
        block text

      - &name "q"
    dashes:
    - x
    - - y
      - z
    -
      k: v
    map:
        deep: {a: b, "c d": [e, f], g: }
        empty: []
        text: >-
          folded
          text

        last: ~
    nested:
      - a: 1 2
        # between
        b: [x,
            y]   # tail
      - c:
          d: *name
    end:
    """,
    "a: 1\r\nb:\r\n  - x\r\n  - y\r\nc: é",
    """
    {
      // !$*UTF8*$!
      a = 1;
      "b c" = (
        x,
        "y z", /* two */
      );
      d = { e = f; g = (h, i); };
      // about j
      j = {
      };
    }
    """,
    TextEditsTests.xml(
      """

      \t<!-- id -->
      \t<key>AppId</key> <!-- key -->
      \t<string>x &amp; y</string> <!-- value -->
      \t<key>list</key>
      \t<array>
      \t\t<string>a</string><string>b</string>
      \t\t<string>c</string> <!-- c -->
      \t</array>
      \t<key>none</key><array></array>
      \t<key>hollow</key>
      \t<array>
      \t</array>
      \t<key>map</key>
      \t<dict>
      \t\t<key>k</key><string><![CDATA[<v>]]></string>
      \t\t<key>l</key>
      \t\t<dict/>
      \t\t<!-- end -->
      \t</dict>

      """),
  ]

  static var documents: [Document] {
    get throws {
      var all = try variants.map { try TextEditsTests.read($0) }
      for syntax in [DocumentSyntax.yaml, .xmlPropertyList, .json] {
        let bytes = try DocumentWriter.write(try TextEditsTests.read(tree), as: syntax)
        all.append(try #require(DocumentReader.read(bytes, named: "x").document))
      }
      return all
    }
  }

  /// Returns a tree with a different value at one position.
  static func tree(_ node: Node, replacing span: SourceSpan, by json: JSON) -> JSON {
    if node.span == span { return json }
    switch node.kind {
    case .array: return .array(node.elements.map { tree($0, replacing: span, by: json) })
    case .mapping:
      return .object(
        OrderedDictionary(
          node.entries.map { ($0.key.string ?? "", tree($0.value, replacing: span, by: json)) },
          uniquingKeysWith: { first, _ in first }))
    default: return node.json
    }
  }

  static func all(_ node: Node) -> [Node] {
    [node] + node.elements.flatMap(all) + node.entries.flatMap { all($0.value) }
  }

  static func isAlias(_ node: Node) -> Bool {
    node.document.source.bytes[node.span.start...].first == UInt8(ascii: "*")
  }

  static func check(_ document: Document, _ edits: [Diagnostic.Edit]?, _ expected: JSON, _ label: String) throws {
    let edits = try #require(edits, "\(label): no edit\n\(document.source.text(in: .init(start: 0, end: .max)))")
    let bytes = try SpanEdits.apply(edits, to: document.source)
    let text = String(decoding: bytes, as: UTF8.self)
    let reading = DocumentReader.read(
      bytes, named: "x", options: ReadingOptions(toleratesComments: true, syntax: document.syntax))
    #expect(!reading.diagnostics.hasErrors, "\(label): \(reading.diagnostics.map(\.message))\n\(text)")
    #expect(reading.document?.root.json == expected, "\(label)\n\(text)")
    // Comments are kept, except at the end of a removed line.
    let before = Comments.all(in: document).count
    let after = reading.document.map { Comments.all(in: $0).count } ?? 0
    #expect(
      after <= before && (label.hasPrefix("remove") || label.hasPrefix("replace") || after == before),
      "\(label)\n\(text)")
  }

  static let texts = [
    "y", "a b", "it's", "say \"x\"", "a, b", "#x", "x: y", "&<>", "1", "true", "é\n2", "\\", "", "- x", "{z",
  ]

  @Test func replacesEveryScalar() throws {
    for document in try Self.documents {
      for node in Self.all(document.root) where node.kind == .string && !Self.isAlias(node) {
        // Aliases of the value would change too.
        if document.source.text(in: node.span).hasPrefix("\"q\"") { continue }
        for text in Self.texts {
          try Self.check(
            document, TextEdits.replaceValue(node, with: text),
            Self.tree(document.root, replacing: node.span, by: .string(text)),
            "replace \(node.scalarText ?? "") \(text)")
        }
      }
    }
  }

  @Test func removesEveryElementAndEntry() throws {
    for document in try Self.documents {
      for node in Self.all(document.root) where !Self.isAlias(node) {
        if document.source.text(in: node.span).contains("&name") { continue }
        for (index, element) in node.elements.enumerated() {
          if document.source.text(in: element.span).hasPrefix("\"q\"") { continue }
          var rest = Array(node.elements.map(\.json))
          rest.remove(at: index)
          try Self.check(
            document, TextEdits.removeElement(element, from: node),
            Self.tree(document.root, replacing: node.span, by: .array(rest)), "remove \(index)")
        }
        for (key, _) in node.entries {
          guard case .object(var rest) = node.json else { continue }
          rest.removeValue(forKey: key.string ?? "")
          try Self.check(
            document, TextEdits.removeEntry(key.string ?? "", from: node),
            Self.tree(document.root, replacing: node.span, by: .object(rest)), "remove \(key.string ?? "")")
        }
      }
    }
  }

  @Test func removesSeveralElementsTogether() throws {
    for document in try Self.documents {
      for node in Self.all(document.root) where node.count > 1 && node.kind == .array {
        let elements = Array(node.elements)
        if elements.contains(where: { document.source.text(in: $0.span).hasPrefix("\"q\"") }) { continue }
        for choice in 1..<(1 << min(elements.count, 4)) {
          let removed = elements.indices.filter { choice & (1 << $0) != 0 }
          let rest = elements.indices.filter { !removed.contains($0) }.map { elements[$0].json }
          try Self.check(
            document, TextEdits.removeElements(removed.map { elements[$0] }, from: node),
            Self.tree(document.root, replacing: node.span, by: .array(rest)), "remove \(removed)")
        }
      }
    }
  }

  @Test func addsEveryValueAtEveryPosition() throws {
    let values: [JSON] = ["y", "a, b: #c", ["x", "y"], ["k": "v", "l": ["m"]], [["k": ["x"]]], [], "it's \"q\""]
    for document in try Self.documents {
      for node in Self.all(document.root) where !Self.isAlias(node) {
        for value in values {
          if node.kind == .array {
            try Self.check(
              document, TextEdits.appendElement(value, to: node),
              Self.tree(document.root, replacing: node.span, by: .array(node.elements.map(\.json) + [value])),
              "append \(value.text())")
          }
          guard case .object(let members) = node.json else { continue }
          for after in [nil] + members.keys.map(Optional.some) {
            var changed = members
            changed["n: k"] = value
            try Self.check(
              document, TextEdits.insertEntry("n: k", value, into: node, after: after),
              Self.tree(document.root, replacing: node.span, by: .object(changed)),
              "insert \(value.text()) after \(after ?? "")")
          }
        }
      }
    }
  }
}
