import Diagnostics
import Documents

/// A call of Microsoft Graph with the last token acquired for it.
package struct CallGraph: APIRequestStep {
  package enum Version: String, Sendable, CaseIterable {
    case v1 = "v1.0"
    case beta
  }

  package enum Pages: Hashable, Sendable {
    case all
    case atMost(Int)
  }

  /// One request of a `$batch`.
  package struct BatchItem: APIRequestStep {
    package var id: String = ""
    package var request = APIRequest()
    package var dependsOn: [String] = []
  }

  package var request = APIRequest()
  package var version: Version?
  package var pages: Pages?
  package var batch: [BatchItem]?
  package var saveTo: Resolvable<String>?
}

extension StepKind {
  static let callGraph = StepKind(
    "callGraph", "a call of Microsoft Graph", usesNetwork: true, standsAlone: false, outcomes: Outcome.callOutcomes,
    empty: CallGraph(), fields: CallGraph.fields,
    short: ShortForm(Codec<String>.graphPath.resolvable, into: \.request.path),
    check: { call, node, _, problems in call.isComplete(node, &problems) }
  ) { .callGraph($0) }
}

extension CallGraph {
  package static let fields = Fields<CallGraph>(
    "callGraph",
    Self.requestFields + [
      Field("version", .enumeration(Version.self), into: \.version, default: "v1.0", "v1.0 or beta"),
      Field(
        "pages", .pages, into: \.pages, default: 1,
        "how many pages are followed: all, or a number; their values are joined"),
      Field("batch", .list(of: .batchItem), into: \.batch, "several requests in one: [{id, get}, …]"),
      Field(
        "saveTo", Codec<String>.outputName.resolvable, into: \.saveTo,
        "the file for the response body, relative to the output folder"),
    ])

  fileprivate func isComplete(_ node: Node, _ problems: inout DiagnosticCollector) -> Bool {
    if let batch {
      if request.path != nil {
        problems.error(
          "contradiction", "a batch has no path of its own", help: "put the request into the batch", at: node)
        return false
      }
      var seen: Set<String> = []
      for item in batch where !seen.insert(item.id).inserted {
        problems.error("duplicate-id", "two requests of the batch are called \"\(item.id)\"", at: node)
        return false
      }
      return true
    }
    guard let path = request.path else {
      problems.error("missing-key", "callGraph needs a path", help: "write callGraph: /me, or {get: /me}", at: node)
      return false
    }
    if let literal = path.literal, !literal.isGraphPath {
      problems.add(
        .init(
          .error, rule: "graph-path", "\"\(literal)\" is no path of Microsoft Graph",
          help: "write it from the slash on: /me",
          at: path.place ?? node.place))
      return false
    }
    if pages != nil, request.method != .get {
      problems.error("contradiction", "only what is read with get has pages", at: node)
      return false
    }
    return true
  }
}

extension String {
  fileprivate var isGraphPath: Bool { hasPrefix("/") || lowercased().hasPrefix("https://") }
}

extension Codec where Value == String {
  fileprivate static var graphPath: Self {
    Self(
      expecting: "a path such as /me", schema: ["type": "string", "pattern": "^(/|https://|\\$\\{)"],
      accepting: \.string)
  }
}

extension Codec where Value == CallGraph.Pages {
  fileprivate static var pages: Self {
    Self(
      expecting: "all, or a number of pages", schema: ["anyOf": [["const": "all"], ["type": "integer", "minimum": 1]]]
    ) {
      node, problems in
      if node.kind == .string { return Codec<String>.oneOf(["all"]).read(node, &problems).map { _ in .all } }
      return Codec<Int>.integer(in: 1...1_000_000).read(node, &problems).map { .atMost($0) }
    }
  }
}

extension Codec where Value == CallGraph.BatchItem {
  fileprivate static var batchItem: Self {
    let fields = Fields<CallGraph.BatchItem>(
      "a request of a batch",
      [
        Field("id", .nonEmptyString, into: \.id, required: true, "what its answer is called"),
        Field(
          "dependsOn", .list(of: .nonEmptyString), into: \.dependsOn, "the requests that must have succeeded before"),
      ] + CallGraph.BatchItem.requestFields)
    return Self(expecting: "a request such as {id: me, get: /me}", schema: fields.schema) { node, problems in
      var item = CallGraph.BatchItem()
      guard fields.read(node, into: &item, &problems) else { return nil }
      guard item.request.path != nil else {
        problems.error("missing-key", "a request of a batch needs a path", help: "write {id: me, get: /me}", at: node)
        return nil
      }
      return item
    }
  }
}
