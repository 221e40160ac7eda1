import Documents

/// Validates documents with the subset of JSON Schema 2020-12 that the schemas use. It reports unknown keywords as
/// violations, so that the schemas use only supported keywords.
struct SchemaValidator {
  let root: JSON

  init(_ root: JSON) { self.root = root }

  func violations(of value: JSON) -> [String] { validate(value, root, "$") }

  private static let annotations: Set<String> = [
    "$schema", "$defs", "title", "description", "default", "examples", "format",
  ]

  private func validate(_ value: JSON, _ schema: JSON, _ path: String) -> [String] {
    if let flag = schema.bool { return flag ? [] : ["\(path): no value allowed"] }
    guard let keywords = Self.members(schema) else { return ["\(path): invalid schema"] }
    var violations: [String] = []
    for (keyword, rule) in keywords where !Self.annotations.contains(keyword) {
      violations += validate(value, keyword, rule, schema, path)
    }
    return violations
  }

  private func validate(_ value: JSON, _ keyword: String, _ rule: JSON, _ schema: JSON, _ path: String) -> [String] {
    switch keyword {
    case "$ref":
      let name = rule.string.map { String($0.dropFirst("#/$defs/".count)) } ?? ""
      guard let target = root["$defs"]?[name] else { return ["\(path): unknown definition \(name)"] }
      return validate(value, target, path)
    case "type":
      let names = rule.array?.compactMap(\.string) ?? [rule.string ?? ""]
      let fits = names.contains { $0 == value.typeName || ($0 == "integer" && value.integer != nil) }
      return fits ? [] : ["\(path): \(value.typeName) is not \(names)"]
    case "enum": return (rule.array ?? []).contains(value) ? [] : ["\(path): not in the enum"]
    case "const": return rule == value ? [] : ["\(path): not the constant"]
    case "pattern":
      guard let text = value.string, let pattern = rule.string else { return [] }
      guard let regex = try? Regex(pattern) else { return ["\(path): the pattern \(pattern) does not compile"] }
      return text.firstMatch(of: regex) == nil ? ["\(path): does not match \(pattern)"] : []
    case "minLength":
      return value.string.map { Int64($0.count) < rule.integer ?? 0 } ?? false ? ["\(path): too short"] : []
    case "minimum": return value.number.map { $0 < rule.number ?? 0 } ?? false ? ["\(path): too small"] : []
    case "maximum": return value.number.map { $0 > rule.number ?? 0 } ?? false ? ["\(path): too large"] : []
    case "minItems": return value.array.map { Int64($0.count) < rule.integer ?? 0 } ?? false ? ["\(path): too few"] : []
    case "minProperties":
      return Self.members(value).map { Int64($0.count) < rule.integer ?? 0 } ?? false ? ["\(path): too few"] : []
    case "maxProperties":
      return Self.members(value).map { Int64($0.count) > rule.integer ?? 0 } ?? false ? ["\(path): too many"] : []
    case "items":
      return (value.array ?? []).enumerated().flatMap { validate($0.element, rule, "\(path)[\($0.offset)]") }
    case "required":
      guard let members = Self.members(value) else { return [] }
      return (rule.array ?? []).compactMap(\.string).filter { name in !members.contains { $0.key == name } }
        .map { "\(path): \($0) is missing" }
    case "properties":
      return (Self.members(value) ?? []).flatMap { member in
        rule[member.key].map { validate(member.value, $0, "\(path).\(member.key)") } ?? []
      }
    case "additionalProperties":
      return (Self.members(value) ?? []).filter { schema["properties"]?[$0.key] == nil }
        .flatMap { validate($0.value, rule, "\(path).\($0.key)") }
    case "propertyNames":
      return (Self.members(value) ?? []).flatMap { validate(.string($0.key), rule, "\(path) key \($0.key)") }
    case "anyOf":
      let results = (rule.array ?? []).map { validate(value, $0, path) }
      return results.contains { $0.isEmpty }
        ? [] : ["\(path): matches no schema of anyOf"] + (results.min { $0.count < $1.count } ?? [])
    case "oneOf":
      let count = (rule.array ?? []).count { validate(value, $0, path).isEmpty }
      return count == 1 ? [] : ["\(path): matches \(count) schemas of oneOf"]
    case "allOf": return (rule.array ?? []).flatMap { validate(value, $0, path) }
    default: return ["unsupported keyword \(keyword)"]
    }
  }

  static func members(_ value: JSON) -> [(key: String, value: JSON)]? {
    value.object.map { $0.map { ($0.key, $0.value) } }
  }
}
