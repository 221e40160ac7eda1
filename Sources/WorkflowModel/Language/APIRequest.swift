import Diagnostics
import Documents
import OrderedCollections
import Trust

/// What callGraph and callAPI share: one request of a protected API.
package struct APIRequest: Sendable {
  package enum Method: String, Sendable, CaseIterable {
    case get, post, put, patch, delete

    /// As it stands in the request line.
    package var name: String { rawValue.uppercased() }
  }

  package enum Body: Sendable {
    /// Sent as JSON.
    case json(Resolvable<JSON>)
    /// Sent as it is, as text.
    case text(Resolvable<String>)
    /// The bytes of a file, relative to the workflow.
    case file(Resolvable<String>)
  }

  package var method: Method = .get
  /// The path, or a whole URL; nil until one was read.
  package var path: Resolvable<String>?
  package var query: OrderedDictionary<String, Resolvable<JSON>> = [:]
  package var headers: OrderedDictionary<String, Resolvable<JSON>> = [:]
  package var body: Body?
  /// The method's key, once one was seen.
  var methodNode: Node?

  package init() {}
}

protocol APIRequestStep: Sendable {
  var request: APIRequest { get set }
}

extension APIRequestStep {
  /// `get post put patch delete`, `query`, `headers`, `body`.
  static var requestFields: [Field<Self>] {
    let path = Codec<String>.string.resolvable
    let methods = APIRequest.Method.allCases.map { method in
      Field<Self>(method.rawValue, schema: path.schema(), "the path of a \(method.name) request") {
        node, owner, problems in
        if let first = owner.request.methodNode {
          problems.add(
            node.problem(
              rule: "contradiction", "one request has one method", help: "make two steps of it",
              related: [.init("the first is here", at: first.place)]))
          return
        }
        owner.request.methodNode = node
        owner.request.method = method
        owner.request.path = path.read(node, &problems)
      }
    }
    return methods + [
      Field(
        "query", .parameters, into: \.request.query,
        "what stands behind the ? of the URL; a value that is null is left out"),
      Field("headers", .parameters, into: \.request.headers, "further headers; a value that is null is left out"),
      Field("body", .body, into: \.request.body, "a mapping becomes JSON, {file: photo.jpg} sends bytes"),
    ]
  }
}

extension Codec where Value == OrderedDictionary<String, Resolvable<JSON>> {
  /// Names with texts, numbers, true or false, or lists of them.
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
        if problems.tellSplitAtComma(key, value) { continue }
        guard let name = key.string ?? key.scalarText, values[name] == nil else { continue }
        if value.kind == .mapping
          || (value.kind == .array && value.elements.contains { $0.count > 0 || $0.kind == .mapping })
        {
          problems.mismatch(value, expected: "a string, a number, true or false, or a list of them")
        } else if let read = Codec<JSON>.any.resolvable.read(value, &problems) {
          values[name] = read
        }
      }
      return values
    }
  }
}

extension Codec where Value == String {
  /// The name of a file in the output folder.
  static var outputName: Self {
    Self(expecting: "a relative path", schema: ["type": "string", "minLength": 1]) { node, problems in
      guard let name = Codec<String>.nonEmptyString.read(node, &problems) else { return nil }
      guard OutputFolder.mayName(name) else {
        problems.error(
          "output-path", "`\(name)` cannot be the name of an output (trust rule `writes`)", help: OutputFolder.nameHelp,
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
      expecting: "a mapping, a list, a text, or {file: …}",
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
        problems.mismatch(node, expected: "a mapping, a list, a text, or {file: …}")
        return nil
      }
    }
  }
}
