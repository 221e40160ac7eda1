import Diagnostics
import Documents
import OrderedCollections
import Trust

/// A request to a protected API: the parameters that `callGraph` and `callAPI` have in common.
package struct APIRequest: Sendable {
  package enum Method: String, Sendable, CaseIterable {
    case get, post, put, patch, delete

    /// The method in a request line, such as `GET`.
    package var name: String { rawValue.uppercased() }
  }

  package enum Body: Sendable {
    /// A value to send as JSON.
    case json(Resolvable<JSON>)
    /// Text to send unchanged.
    case text(Resolvable<String>)
    /// The path of a file to send, relative to the workflow.
    case file(Resolvable<String>)
  }

  package var method: Method = .get
  /// The path or the absolute URL. Nil if the step does not set either.
  package var path: Resolvable<String>?
  package var query: OrderedDictionary<String, Resolvable<JSON>> = [:]
  package var headers: OrderedDictionary<String, Resolvable<JSON>> = [:]
  package var body: Body?
  /// The key of the request's method (`get`, `post`, …). Additional methods in the same request are reported as errors.
  var methodNode: Node?

  package init() {}
}

/// The parameters of a step type or a batch request that has the keys of an API request.
protocol APIRequestStep: Sendable {
  var request: APIRequest { get set }
}

extension APIRequestStep {
  /// The keys `get`, `post`, `put`, `patch`, `delete`, `query`, `headers`, and `body`.
  static var requestFields: [Field<Self>] {
    let path = Codec<String>.string.resolvable
    let methods = APIRequest.Method.allCases.map { method in
      Field<Self>(method.rawValue, schema: path.schema(), "path of a \(method.name) request") {
        node, owner, problems in
        if let first = owner.request.methodNode {
          problems.add(
            node.problem(
              rule: "contradiction", "more than one method in a request", help: "use a separate step for each request",
              related: [.init("first method is here", at: first.place)]))
          return
        }
        owner.request.methodNode = node
        owner.request.method = method
        owner.request.path = path.read(node, &problems)
      }
    }
    return methods + [
      Field(
        "query", .parameters, into: { $0.request.query = $1 },
        "query parameters of the URL; null values are omitted"),
      Field(
        "headers", .parameters, into: { $0.request.headers = $1 }, "additional headers; null values are omitted"),
      Field(
        "body", .body, into: { $0.request.body = $1 },
        """
        request body: a mapping or list is sent as JSON, a string as text, and `{file: photo.jpg}` as the file's bytes
        """),
    ]
  }
}

extension Codec where Value == OrderedDictionary<String, Resolvable<JSON>> {
  /// A mapping from names to scalars or lists of scalars.
  static var parameters: Self {
    let scalar: JSON = ["type": ["string", "number", "boolean", "null"]]
    return Self(
      expecting: "a mapping",
      schema: ["type": "object", "additionalProperties": ["anyOf": [scalar, ["type": "array", "items": scalar]]]]
    ) { node, problems in
      guard node.kind == .mapping else {
        problems.mismatch(node, expected: "a mapping")
        return nil
      }
      var values: OrderedDictionary<String, Resolvable<JSON>> = [:]
      for (key, value) in node.entries {
        if problems.reportSplitAtComma(key, value) { continue }
        guard let name = key.scalarText, values[name] == nil else { continue }
        if value.kind == .mapping
          || (value.kind == .array && value.elements.contains { $0.count > 0 || $0.kind == .mapping })
        {
          problems.mismatch(value, expected: "a string, a number, a boolean, or a list of these")
        } else if let resolvable = Codec<JSON>.any.resolvable.read(value, &problems) {
          values[name] = resolvable
        }
      }
      return values
    }
  }
}

extension Codec where Value == String {
  /// The path of a file in the output folder.
  static var outputName: Self {
    Self(expecting: "a relative path", schema: ["type": "string", "minLength": 1]) { node, problems in
      guard let name = Codec<String>.nonEmptyString.read(node, &problems) else { return nil }
      guard OutputFolder.mayName(name) else {
        problems.error(
          "output-path", "invalid output path `\(name)` (trust rule `writes`)", help: OutputFolder.nameHelp,
          at: node)
        return nil
      }
      return name
    }
  }
}

extension Codec where Value == APIRequest.Body {
  static var body: Self {
    Self(
      expecting: "a mapping, a list, a string, or `{file: …}`",
      schema: ["type": ["object", "array", "string"]]
    ) { node, problems in
      switch node.kind {
      case .mapping where node.count == 1 && node["file"]?.kind == .string:
        return node["file"].flatMap { Codec<String>.nonEmptyString.resolvable.read($0, &problems) }.map { .file($0) }
      case .mapping, .array:
        return Codec<JSON>.any.resolvable.read(node, &problems).map { .json($0) }
      case .string:
        return Codec<String>.string.resolvable.read(node, &problems).map { .text($0) }
      default:
        problems.mismatch(node, expected: "a mapping, a list, a string, or `{file: …}`")
        return nil
      }
    }
  }
}
