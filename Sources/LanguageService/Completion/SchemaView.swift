import AppRegistration
import Directory
import Documents
import OrderedCollections
import Validation
import WorkflowModel

/// The alternatives of a JSON Schema at one location in a document, with references resolved.
struct SchemaView: Sendable {
  /// A key of a mapping.
  struct Property: Sendable {
    var name: String
    var schema: JSON
    var isRequired: Bool

    var description: String? { schema["description"]?.string }
    /// Whether the key is an alternative spelling of another key.
    var isAlias: Bool { description.flatMap(AliasNote.key) != nil }
  }

  private let root: JSON
  private var alternatives: [JSON]

  init(_ schema: JSON) {
    root = schema
    alternatives = []
    add(schema, depth: 0)
  }

  /// A view that allows any value.
  static let anything = SchemaView(true)

  private init(root: JSON, schemas: [JSON]) {
    self.root = root
    alternatives = []
    for schema in schemas { add(schema, depth: 0) }
  }

  private mutating func add(_ schema: JSON, depth: Int) {
    guard depth < 20, schema.object != nil else { return }
    if let reference = schema["$ref"]?.string, reference.hasPrefix("#/$defs/"),
      let target = root["$defs"]?[String(reference.dropFirst("#/$defs/".count))]
    {
      var target = target
      if let description = schema["description"] { target["description"] = description }
      add(target, depth: depth + 1)
    }
    if schema["properties"] != nil || schema["type"] != nil || schema["enum"] != nil || schema["const"] != nil {
      alternatives.append(schema)
    }
    for alternative in schema["anyOf"]?.array ?? [] {
      var alternative = alternative
      if alternative.object != nil, alternative["default"] == nil, let value = schema["default"] {
        alternative["default"] = value
      }
      add(alternative, depth: depth + 1)
    }
  }

  /// Returns the view of a key's value.
  /// - Parameter ignoresCase: Whether key comparisons ignore case.
  func member(_ key: String, ignoresCase: Bool = false) -> SchemaView {
    var found: [JSON] = []
    for alternative in alternatives {
      let properties = alternative["properties"]?.object
      let folded = ignoresCase ? properties?.keys.first { $0.lowercased() == key.lowercased() } : nil
      if let schema = properties?[folded ?? key] {
        found.append(schema)
      } else if let schema = alternative["additionalProperties"], schema.object != nil {
        found.append(schema)
      }
    }
    return SchemaView(root: root, schemas: found)
  }

  var element: SchemaView {
    SchemaView(root: root, schemas: alternatives.compactMap { $0["items"] }.filter { $0.object != nil })
  }

  /// The keys that the schemas declare, in order.
  var properties: [Property] {
    var found: [Property] = []
    var names: Set<String> = []
    for alternative in alternatives {
      let required = Set(alternative["required"]?.array?.compactMap(\.string) ?? [])
      for (name, schema) in alternative["properties"]?.object ?? [:] where names.insert(name).inserted {
        found.append(Property(name: name, schema: schema, isRequired: required.contains(name)))
      }
    }
    return found
  }

  /// Returns the key with this name, or nil if the schemas do not declare it.
  func property(_ name: String, ignoresCase: Bool = false) -> Property? {
    properties.first { $0.name == name }
      ?? (ignoresCase ? properties.first { $0.name.lowercased() == name.lowercased() } : nil)
  }

  /// The possible values that the schemas list.
  var values: [JSON] {
    var found: [JSON] = []
    for alternative in alternatives {
      var values = alternative["enum"]?.array ?? []
      if let constant = alternative["const"] { values.append(constant) }
      if values.isEmpty, Self.types(alternative).filter({ $0 != "null" }) == ["boolean"] { values = [true, false] }
      for value in values where !found.contains(value) { found.append(value) }
    }
    return found
  }

  var defaultValue: JSON? { alternatives.lazy.compactMap { $0["default"] }.first }

  /// The JSON types of possible values.
  var types: [String] {
    var found: [String] = []
    for type in alternatives.flatMap(Self.types) where !found.contains(type) { found.append(type) }
    return found
  }

  /// Whether the value can be a mapping or a list, but not a scalar.
  var isContainer: Bool {
    let types = types.filter { $0 != "null" }
    return !types.isEmpty && types.allSatisfy { $0 == "object" || $0 == "array" }
  }

  private static func types(_ schema: JSON) -> [String] {
    if let type = schema["type"]?.string { return [type] }
    if let types = schema["type"]?.array { return types.compactMap(\.string) }
    return schema["properties"] != nil ? ["object"] : []
  }
}

/// The JSON Schemas of the supported file formats, which are generated once.
enum FormatSchemas {
  static let workflow = SchemaView(Workflow.schema)
  static let scenarios = SchemaView(Workflow.scenariosFileSchema)
  static let settings = SchemaView(AppSettings.schema)
  static let directory = SchemaView(EmulatedDirectory.fields.schema)
  static let configuration = SchemaView(ValidationConfiguration.schema)
  static let androidConfig = SchemaView(androidConfigSchema)
  static let azureAdSection = SchemaView(AzureAdSection.fields.schema)
  static let infoPlist = SchemaView(infoPlistSchema)
  static let entitlements = SchemaView(Entitlements.fields.schema)
  static let appManifest = SchemaView(appManifestSchema)
  static let msalJS = SchemaView(msalJSSchema)
  /// The schema of a step and its keys.
  static let step = workflow.member("steps").element
  /// The schema of a scenario and its keys.
  static let scenario = scenarios.member("scenarios").member("name")

  static func view(of format: EditedFormat) -> SchemaView {
    switch format {
    case .workflow: workflow
    case .scenarios: scenarios
    case .directory: directory
    case .settings: settings
    case .configuration: configuration
    case .infoPlist: infoPlist
    case .entitlements: entitlements
    case .androidConfig: androidConfig
    case .appManifest: appManifest
    case .appsettings: .anything
    case .msalJS: msalJS
    }
  }
}
