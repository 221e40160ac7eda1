import Documents
import OrderedCollections
import WorkflowModel
import WorkflowRunner

/// The frames, scopes, and values that a client can refer to while a run is suspended.
struct VariableStore: Sendable {
  /// The frame, scope, or value that an ID refers to.
  private enum Entry: Sendable {
    case frame(Int)
    /// A value and the expression for it, if there is one. The expression is empty for a scope.
    case value(JSON, expression: String?)
  }

  private var entries: [Int: Entry] = [:]
  private(set) var nextID: Int
  /// The IDs of the frames, outermost first.
  private(set) var frames: [Int] = []

  /// - Parameters:
  ///   - firstID: The first ID to assign. No earlier store has used it, so IDs from earlier stops are unknown.
  ///   - frameCount: The number of frames.
  init(firstID: Int, frameCount: Int) {
    nextID = firstID
    for number in 0..<frameCount { frames.append(add(.frame(number))) }
  }

  private mutating func add(_ entry: Entry) -> Int {
    defer { nextID += 1 }
    entries[nextID] = entry
    return nextID
  }

  /// Returns the position of a frame, or nil if the ID is unknown.
  func frame(_ id: Int) -> Int? {
    if case .frame(let number)? = entries[id] { number } else { nil }
  }

  /// Returns the value of a reference, or nil if the reference is unknown.
  func value(_ reference: Int) -> JSON? {
    if case .value(let value, _)? = entries[reference] { value } else { nil }
  }

  /// Returns a reference to the members or elements of a value, or 0 if the value does not have any.
  private mutating func reference(to value: JSON, expression: String?) -> Int {
    value.count == 0 ? 0 : add(.value(value, expression: expression))
  }

  /// Returns a reference for a scope, which can be empty.
  /// - Parameter isNamed: Whether the names of the values are expressions.
  mutating func scope(_ value: JSON, isNamed: Bool) -> Int { add(.value(value, expression: isNamed ? "" : nil)) }

  /// Returns a value for display: its text, its type, and a reference to its content.
  /// - Parameters:
  ///   - key: The name of the member that contains the text: `value` or `result`.
  ///   - expression: The expression for the value, if there is one.
  mutating func presentation(of value: JSON, as key: String, expression: String?) -> JSON {
    var json: JSON = [
      key: .string(Self.text(of: value)), "type": .string(value.typeName),
      "variablesReference": .integer(Int64(reference(to: value, expression: expression))),
    ]
    switch value {
    case .array(let elements) where !elements.isEmpty: json["indexedVariables"] = .integer(Int64(elements.count))
    case .object(let members) where !members.isEmpty: json["namedVariables"] = .integer(Int64(members.count))
    default: break
    }
    return json
  }

  /// Returns the variables that a reference refers to, or nil if the reference is unknown.
  /// - Parameters:
  ///   - filter: `indexed`, `named`, or nil for both.
  ///   - start: The number of variables to skip.
  ///   - count: The maximum number of variables, or 0 for all.
  mutating func variables(of reference: Int, filter: String?, start: Int, count: Int) -> [JSON]? {
    guard case .value(let value, let expression)? = entries[reference] else { return nil }
    var members: [(name: String, expression: String?, value: JSON)] = []
    switch value {
    case .array(let elements) where filter != "named":
      for (index, element) in elements.enumerated() { members.append(("[\(index)]", nil, element)) }
    case .object where filter != "indexed":
      value.forEachMember { name, member in
        let path = expression.map { $0.isEmpty ? name : "\($0).\(name)" }
        members.append((name, path, member))
      }
    default: break
    }
    let rest = members.dropFirst(max(0, start))
    return (count > 0 ? rest.prefix(count) : rest).map { member in
      var json = presentation(of: member.value, as: "value", expression: member.expression)
      json["name"] = .string(member.name)
      if let expression = member.expression { json["evaluateName"] = .string(expression) }
      return json
    }
  }

  private static let longestText = 1_000

  /// Returns the text of a value, shortened if it is long. Strings are not quoted.
  static func text(of value: JSON) -> String {
    let text = value.string ?? value.text()
    return text.count > longestText ? "\(text.prefix(longestText - 1))…" : text
  }
}
