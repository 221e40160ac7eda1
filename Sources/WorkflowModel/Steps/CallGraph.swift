import Diagnostics
import Documents

/// A call to Microsoft Graph with the most recent Microsoft Graph access token.
package struct CallGraph: APIRequestStep {
  package enum Version: String, Sendable, CaseIterable {
    case v1 = "v1.0"
    case beta
  }

  package enum Pages: Hashable, Sendable {
    case all
    case atMost(Int)
  }

  /// A request in a `$batch`.
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
    "callGraph", "call to Microsoft Graph", [.usesNetwork, .requiresValue], outcomes: Outcome.callOutcomes,
    syntax: .parameters(
      CallGraph(), CallGraph.fields,
      short: ShortForm(Codec<String>.graphPath.resolvable, into: { $0.request.path = $1 }),
      check: { call, node, _, problems in call.isValid(at: node, &problems) }
    ) { .callGraph($0) })
}

extension CallGraph {
  package static let fields = Fields<CallGraph>(
    "`callGraph`",
    Self.requestFields + [
      Field("version", .enumeration(Version.self), into: { $0.version = $1 }, default: "v1.0", "version of the API"),
      Field(
        "pages", .pages, into: { $0.pages = $1 }, default: 1,
        "number of pages to fetch and combine, or `all`"),
      Field(
        "batch", .list(of: .batchItem), into: { $0.batch = $1 }, "requests to send as one batch: `[{id, get}, …]`"),
      .saveTo { $0.saveTo = $1 },
    ])

  /// Returns whether the parameters are complete and do not contradict each other. Reports the first problem.
  fileprivate func isValid(at node: Node, _ problems: inout DiagnosticCollector) -> Bool {
    if let batch {
      if request.path != nil {
        problems.error(
          "contradiction", "`batch` cannot be combined with a path", help: "move the request into the batch", at: node)
        return false
      }
      var ids: Set<String> = []
      for item in batch where !ids.insert(item.id).inserted {
        problems.error("duplicate-id", "duplicate batch request ID `\(item.id)`", at: node)
        return false
      }
      return true
    }
    guard let path = request.path else {
      problems.error(
        "missing-key", "missing path in `callGraph`", help: "write `callGraph: /me` or `{get: /me}`", at: node)
      return false
    }
    if let literal = path.literal, !literal.isGraphPath {
      problems.add(
        .init(
          .error, rule: "graph-path", "invalid Microsoft Graph path `\(literal)`",
          help: "start the path with a slash, as in `/me`",
          at: path.place ?? node.place))
      return false
    }
    if pages != nil, request.method != .get {
      problems.error("contradiction", "`pages` requires a `get` request", at: node)
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
      expecting: "a path such as `/me`", schema: ["type": "string", "pattern": "^(/|https://|\\$\\{)"],
      accepting: \.string)
  }
}

extension Codec where Value == CallGraph.Pages {
  fileprivate static var pages: Self {
    Self(
      expecting: "`all` or a number of pages",
      schema: ["anyOf": [["const": "all"], ["type": "integer", "minimum": 1]]]
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
      "a batch request",
      [
        Field("id", .nonEmptyString, into: { $0.id = $1 }, required: true, "ID of the request and its response"),
        Field(
          "dependsOn", .list(of: .nonEmptyString), into: { $0.dependsOn = $1 },
          "IDs of requests that must succeed before this one"),
      ] + CallGraph.BatchItem.requestFields)
    return Self(expecting: "a request such as `{id: me, get: /me}`", schema: fields.schema) { node, problems in
      var item = CallGraph.BatchItem()
      guard fields.read(node, into: &item, &problems) else { return nil }
      guard item.request.path != nil else {
        problems.error("missing-key", "missing path in batch request", help: "write `{id: me, get: /me}`", at: node)
        return nil
      }
      return item
    }
  }
}
