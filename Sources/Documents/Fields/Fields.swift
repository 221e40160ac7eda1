import Diagnostics
import OrderedCollections

/// One key of a mapping: its name, what may stand there, what it means, and where the value goes.
///
/// Everything that speaks about the key is read from this declaration: the decoder, the JSON Schema, the reference, the
/// did-you-mean and an editor's completion.
package struct Field<Owner>: Sendable {
  package let key: String
  /// Other spellings that are understood.
  package let aliases: [String]
  /// One line: what the key means.
  package let words: String
  /// What is taken when the key is absent, for people and editors.
  package let defaultValue: JSON?
  package let isRequired: Bool
  package let schema: @Sendable () -> JSON
  package let assign: @Sendable (Node, inout Owner, inout DiagnosticCollector) -> Void

  package init<Value>(
    _ key: String, _ codec: Codec<Value>, into path: any WritableKeyPath<Owner, Value> & Sendable,
    aliases: [String] = [], default defaultValue: JSON? = nil, required: Bool = false, _ words: String
  ) {
    self.init(key, schema: codec.schema(), aliases: aliases, default: defaultValue, required: required, words) {
      node, owner, problems in
      if let value = codec.read(node, &problems) { owner[keyPath: path] = value }
    }
  }

  package init<Value>(
    _ key: String, _ codec: Codec<Value>, into path: any WritableKeyPath<Owner, Value?> & Sendable,
    aliases: [String] = [], default defaultValue: JSON? = nil, required: Bool = false, _ words: String
  ) {
    self.init(key, schema: codec.schema(), aliases: aliases, default: defaultValue, required: required, words) {
      node, owner, problems in
      if let value = codec.read(node, &problems) { owner[keyPath: path] = value }
    }
  }

  /// A key whose value is put in place by code of its own.
  package init(
    _ key: String, schema: @escaping @autoclosure @Sendable () -> JSON, aliases: [String] = [],
    default defaultValue: JSON? = nil, required: Bool = false, _ words: String,
    assign: @escaping @Sendable (Node, inout Owner, inout DiagnosticCollector) -> Void
  ) {
    self.key = key
    self.aliases = aliases
    self.words = words
    self.defaultValue = defaultValue
    self.isRequired = required
    self.schema = schema
    self.assign = assign
  }
}

/// The keys of one kind of mapping.
package struct Fields<Owner>: Sendable {
  /// How a key's spelling must agree with the declared one.
  package enum Matching: Sendable {
    case exact
    /// Case does not matter; a note says so where it differs.
    case ignoringCase
  }

  /// What a key that is not declared means.
  package enum UnknownKeys: Sendable {
    /// A mistake.
    case refused
    /// Somebody else's: passed over, except that a near miss of a declared key is a warning.
    case foreign
  }

  /// What the mapping is called in messages: `a step`, `the settings`.
  package let name: String
  package let fields: [Field<Owner>]
  package let matching: Matching
  package let unknownKeys: UnknownKeys
  /// Takes the keys that cannot be declared by name, such as `step.word`; true where it took one.
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

  /// The declared field that a key means.
  package func field(named key: String) -> Field<Owner>? {
    index[matching == .ignoringCase ? key.lowercased() : key].map { fields[$0] }
  }

  /// Reads every key that is there and says what is wrong with each.
  /// - Returns: false where the node is no mapping, or lacks a required key; the problems are told.
  package func read(_ node: Node, into owner: inout Owner, _ problems: inout DiagnosticCollector) -> Bool {
    guard node.kind == .mapping else {
      problems.mismatch(node, expected: "a mapping with the keys of \(name)")
      return false
    }
    var taken: [Int: Node] = [:]
    var complete = true
    var unknownCount = 0
    for (key, value) in node.entries {
      let spelling = key.string ?? key.scalarText ?? ""
      guard let position = index[matching == .ignoringCase ? spelling.lowercased() : spelling] else {
        if let renamed = RenamedKeyword.current(for: spelling, among: fields.map(\.key)) {
          problems.add(RenamedKeyword.diagnostic(spelling, renamed, at: key.place))
          if let position = self.position(of: renamed) { taken[position] = key }
          complete = false
          continue
        }
        if let others, others(key, value, &owner, &problems) { continue }
        unknownCount += 1
        unknown(key, spelling, in: node, isLookedUp: unknownCount <= Self.mostLookedUp, &problems)
        continue
      }
      let field = fields[position]
      if let first = taken[position] {
        // The same spelling twice was told when the document was read; here two spellings of one key meet.
        if first.string != key.string {
          problems.add(
            Diagnostic(
              .error, rule: "duplicate-key", "\"\(spelling)\" and \"\(first.string ?? "")\" are the same key",
              help: "keep one of them", at: key.place, related: [.init("the first is here", at: first.place)]))
        }
        continue
      }
      taken[position] = key
      if matching == .ignoringCase, spelling != field.key, !field.aliases.contains(spelling) {
        let known = ([field.key] + field.aliases).first { $0.lowercased() == spelling.lowercased() } ?? field.key
        problems.note("key-spelling", "authflow reads `\(spelling)` as `\(known)`", at: key)
      }
      field.assign(value, &owner, &problems)
    }
    for (position, field) in fields.enumerated() where field.isRequired && taken[position] == nil {
      problems.error(
        "missing-key", "\(name) needs the key \"\(field.key)\": \(field.words)", at: node)
      complete = false
    }
    return complete
  }

  /// Of so many unknown keys in one mapping it is asked what was meant; a file made of thousands is nobody's slip of the pen.
  private static var mostLookedUp: Int { 100 }

  private func unknown(
    _ key: Node, _ spelling: String, in mapping: Node, isLookedUp: Bool, _ problems: inout DiagnosticCollector
  ) {
    guard isLookedUp else {
      if unknownKeys == .refused { problems.error("unknown-key", "\"\(spelling)\" is not a key of \(name)", at: key) }
      return
    }
    let names = fields.flatMap { [$0.key] + $0.aliases }
    let nearest = Suggestion.nearest(to: spelling, among: names)
    switch unknownKeys {
    case .refused:
      let meant = nearest ?? Suggestion.containing(spelling, among: names)
      problems.add(
        Diagnostic(
          .error, rule: "unknown-key", "\"\(spelling)\" is not a key of \(name)",
          help: meant.map { "did you mean \"\($0)\"?" } ?? "the keys are \(fields.map(\.key).joined(separator: ", "))",
          at: key.place, fix: renaming(key, nearest, in: mapping)))
    case .foreign:
      guard let meant = nearest else { return }
      problems.add(
        Diagnostic(
          .warning, rule: "unknown-key", "\"\(spelling)\" is not a key that is read here",
          help: "did you mean \"\(meant)\"?", at: key.place, fix: renaming(key, meant, in: mapping)))
    }
  }

  /// The key called what was meant, unless that is there already.
  private func renaming(_ key: Node, _ meant: String?, in mapping: Node) -> Diagnostic.Fix? {
    guard let meant, key.kind == .string, !key.document.source.isBinary, let position = self.position(of: meant) else {
      return nil
    }
    let isThere = mapping.entries.contains { $0.key.string.flatMap(self.position(of:)) == position }
    guard !isThere, meant.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_" || $0 == "-") }),
      key.document.source.text(in: key.innerSpan) == key.string
    else { return nil }
    return Diagnostic.Fix(
      description: "call it \(meant)", edits: [Diagnostic.Edit(span: key.innerSpan, replacement: meant)])
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
            spelling == field.key ? field.words : "\(field.words) (another name of \(field.key))")
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
