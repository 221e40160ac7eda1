import Diagnostics
import OrderedCollections

/// One key of a mapping, with its name, its accepted values, its description, and the property that receives the value.
///
/// The decoder, the JSON Schema, the reference, suggestions for misspelled keys, and editor completion all use this
/// declaration.
package struct Field<Owner>: Sendable {
  package let key: String
  /// Alternative names that are accepted.
  package let aliases: [String]
  /// A one-line description of the key.
  package let description: String
  /// The value that applies if the key is missing. Only documentation and editors use this property.
  package let defaultValue: JSON?
  package let isRequired: Bool
  package let schema: @Sendable () -> JSON
  package let assign: @Sendable (Node, inout Owner, inout DiagnosticCollector) -> Void

  /// - Parameter put: Stores the value. A closure does not slow down startup, whereas key paths would take 5% of a
  ///   run's time.
  package init<Value>(
    _ key: String, _ codec: Codec<Value>, into put: @escaping @Sendable (inout Owner, Value) -> Void,
    aliases: [String] = [], default defaultValue: JSON? = nil, required: Bool = false, _ words: String
  ) {
    self.init(key, schema: codec.schema(), aliases: aliases, default: defaultValue, required: required, words) {
      node, owner, problems in
      if let value = codec.read(node, &problems) { put(&owner, value) }
    }
  }

  /// Creates a key with custom decoding.
  package init(
    _ key: String, schema: @escaping @autoclosure @Sendable () -> JSON, aliases: [String] = [],
    default defaultValue: JSON? = nil, required: Bool = false, _ words: String,
    assign: @escaping @Sendable (Node, inout Owner, inout DiagnosticCollector) -> Void
  ) {
    self.key = key
    self.aliases = aliases
    self.description = words
    self.defaultValue = defaultValue
    self.isRequired = required
    self.schema = schema
    self.assign = assign
  }
}

/// The keys of one kind of mapping.
package struct Fields<Owner>: Sendable {
  /// The rule for comparing keys with the declared names.
  package enum Matching: Sendable {
    case exact
    /// Keys are compared ignoring case. A key that differs in case is reported as a note.
    case ignoringCase
  }

  /// The treatment of undeclared keys.
  package enum UnknownKeys: Sendable {
    /// Each unknown key is an error.
    case refused
    /// Unknown keys belong to other programs and are ignored. A key that resembles a declared key is reported as a
    /// warning.
    case foreign
  }

  /// The name of the mapping in messages, such as `a step` or `the settings`.
  package let name: String
  package let fields: [Field<Owner>]
  package let matching: Matching
  package let unknownKeys: UnknownKeys
  /// A closure that decodes keys that cannot be declared by name, such as `step.field`. Returns whether it accepts the
  /// key.
  package let others: (@Sendable (_ key: Node, _ value: Node, inout Owner, inout DiagnosticCollector) -> Bool)?
  private let otherSchema: (@Sendable () -> JSON)?
  private let index: [String: Int]

  package init(
    _ name: String, matching: Matching = .exact, unknownKeys: UnknownKeys = .refused, _ fields: [Field<Owner>],
    otherSchema: (@Sendable () -> JSON)? = nil,
    others: (@Sendable (_ key: Node, _ value: Node, inout Owner, inout DiagnosticCollector) -> Bool)? = nil
  ) {
    self.name = name
    self.fields = fields
    self.matching = matching
    self.unknownKeys = unknownKeys
    self.others = others
    self.otherSchema = otherSchema
    var index: [String: Int] = [:]
    for (position, field) in fields.enumerated() {
      for spelling in [field.key] + field.aliases {
        index[matching == .ignoringCase ? spelling.lowercased() : spelling] = position
      }
    }
    self.index = index
  }

  /// Returns the field with this name or alias.
  package func field(named key: String) -> Field<Owner>? {
    index[matching == .ignoringCase ? key.lowercased() : key].map { fields[$0] }
  }

  /// Reads all keys of a mapping and reports problems.
  /// - Returns: False if the node is not a mapping, or if it lacks a required key.
  package func read(_ node: Node, into owner: inout Owner, _ problems: inout DiagnosticCollector) -> Bool {
    guard node.kind == .mapping else {
      problems.mismatch(node, expected: "a mapping with the keys of \(name)")
      return false
    }
    var keysByField: [Int: Node] = [:]
    var complete = true
    var unknownCount = 0
    for (key, value) in node.entries {
      let spelling = key.string ?? key.scalarText ?? ""
      guard let position = index[matching == .ignoringCase ? spelling.lowercased() : spelling] else {
        if let renamed = RenamedKeyword.current(for: spelling, among: fields.map(\.key)) {
          problems.add(RenamedKeyword.diagnostic(spelling, renamed, at: key.place))
          if let position = self.position(of: renamed) { keysByField[position] = key }
          complete = false
          continue
        }
        if let others, others(key, value, &owner, &problems) { continue }
        unknownCount += 1
        reportUnknown(key, spelling, in: node, getsSuggestion: unknownCount <= Self.maximumSuggestions, &problems)
        continue
      }
      let field = fields[position]
      if let first = keysByField[position] {
        // The document reader reports a key that occurs twice with the same spelling. This code reports two spellings
        // of the same key.
        if first.string != key.string {
          problems.add(
            Diagnostic(
              .error, rule: "duplicate-key", "`\(spelling)` and `\(first.string ?? "")` are the same key",
              help: "remove one of them", at: key.place, related: [.init("first key is here", at: first.place)]))
        }
        continue
      }
      keysByField[position] = key
      if matching == .ignoringCase, spelling != field.key, !field.aliases.contains(spelling) {
        let known = ([field.key] + field.aliases).first { $0.lowercased() == spelling.lowercased() } ?? field.key
        problems.note("key-spelling", "authflow reads `\(spelling)` as `\(known)`", at: key)
      }
      field.assign(value, &owner, &problems)
    }
    for (position, field) in fields.enumerated() where field.isRequired && keysByField[position] == nil {
      problems.error(
        "missing-key", "missing key `\(field.key)` in \(name): \(field.description)", at: node)
      complete = false
    }
    return complete
  }

  /// The maximum number of unknown keys in one mapping that receive suggestions. If there are more, they are unlikely
  /// to be misspellings.
  private static var maximumSuggestions: Int { 100 }

  private func reportUnknown(
    _ key: Node, _ spelling: String, in mapping: Node, getsSuggestion: Bool, _ problems: inout DiagnosticCollector
  ) {
    guard getsSuggestion else {
      if unknownKeys == .refused { problems.error("unknown-key", "unknown key `\(spelling)` in \(name)", at: key) }
      return
    }
    let names = fields.flatMap { [$0.key] + $0.aliases }
    let nearest = Suggestion.nearest(to: spelling, among: names)
    switch unknownKeys {
    case .refused:
      let suggestion = nearest ?? Suggestion.containing(spelling, among: names)
      problems.add(
        Diagnostic(
          .error, rule: "unknown-key", "unknown key `\(spelling)` in \(name)",
          help: suggestion.map { "did you mean `\($0)`?" }
            ?? "use one of \(fields.map { "`\($0.key)`" }.joined(separator: ", "))",
          at: key.place, fix: renaming(key, nearest, in: mapping)))
    case .foreign:
      guard let suggestion = nearest else { return }
      problems.add(
        Diagnostic(
          .warning, rule: "unknown-key", "unknown key `\(spelling)`",
          help: "did you mean `\(suggestion)`?", at: key.place, fix: renaming(key, suggestion, in: mapping)))
    }
  }

  /// Returns the fix that renames a key, or nil if the mapping already has a key with that name.
  private func renaming(_ key: Node, _ suggestion: String?, in mapping: Node) -> Diagnostic.Fix? {
    guard let suggestion, key.kind == .string, !key.document.source.isBinary,
      let position = self.position(of: suggestion)
    else {
      return nil
    }
    let isPresent = mapping.entries.contains { $0.key.string.flatMap(self.position(of:)) == position }
    guard !isPresent, suggestion.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_" || $0 == "-") }),
      key.document.source.text(in: key.innerSpan) == key.string
    else { return nil }
    return Diagnostic.Fix(
      description: "rename to `\(suggestion)`", edits: [Diagnostic.Edit(span: key.innerSpan, replacement: suggestion)])
  }

  private func position(of key: String) -> Int? { index[matching == .ignoringCase ? key.lowercased() : key] }

  /// The JSON Schema (2020-12) of the mapping.
  package var schema: JSON {
    var properties: OrderedDictionary<String, JSON> = [:]
    for field in fields {
      for spelling in [field.key] + field.aliases {
        var schema = field.schema()
        if case .bool(true) = schema { schema = [:] }
        if schema.object != nil {
          schema["description"] = .string(
            spelling == field.key
              ? field.description : AliasNote.description(field.description, ofAliasFor: field.key))
          if let value = field.defaultValue { schema["default"] = value }
        }
        properties[spelling] = schema
      }
    }
    var schema: JSON = ["type": "object", "properties": .object(properties)]
    let required = fields.filter { $0.isRequired && $0.aliases.isEmpty }.map { JSON.string($0.key) }
    if !required.isEmpty { schema["required"] = .array(required) }
    let anyOf = fields.filter { $0.isRequired && !$0.aliases.isEmpty }.map { field -> JSON in
      ["anyOf": .array(([field.key] + field.aliases).map { ["required": [.string($0)]] })]
    }
    if !anyOf.isEmpty { schema["allOf"] = .array(anyOf) }
    if let otherSchema {
      schema["additionalProperties"] = otherSchema()
    } else if unknownKeys == .refused, matching == .exact {
      schema["additionalProperties"] = false
    }
    return schema
  }
}
