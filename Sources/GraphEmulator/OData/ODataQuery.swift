import Documents
import OAuth

/// The parsed OData system query options of a request. The resource validates them later.
struct ODataQuery: Sendable {
  var select: [String]?
  var top: Int?
  var skip: Int?
  var filter: ODataFilter?
  var orderBy: [ODataOrder] = []
  var search: ODataSearch?
  var count = false
  var skipToken: String?
  var deltaToken: String?
  var expand: String?
  /// The resource's custom parameters, such as `startDateTime`, by lowercase name.
  var others: [String: String] = [:]

  private static let names: Set<String> = [
    "$select", "$top", "$skip", "$filter", "$orderby", "$search", "$count", "$skiptoken", "$deltatoken", "$expand",
    "$format",
  ]

  /// Parses the query of a URL. Options can omit the `$`. Throws an error for an unknown name that starts with `$`, and
  /// treats all other unknown names as custom parameters of the resource.
  init(_ rawQuery: String) throws(GraphErrorResponse) {
    var seen: Set<String> = []
    for entry in FormCoding.parse(rawQuery).entries {
      let lowered = entry.name.lowercased()
      let name = Self.names.contains("$" + lowered) ? "$" + lowered : lowered
      guard Self.names.contains(name) else {
        guard !name.hasPrefix("$") else {
          throw .malformed("The query parameter '\(entry.name)' is not supported.")
        }
        others[name] = entry.value
        continue
      }
      guard seen.insert(name).inserted else {
        throw .malformed("Query option '\(name)' was specified more than once, but it must be specified at most once.")
      }
      try read(name, entry.value)
    }
  }

  private mutating func read(_ name: String, _ value: String) throws(GraphErrorResponse) {
    switch name {
    case "$select":
      let properties = value.split(separator: ",").map { $0.trimmingSpaces() }.filter { !$0.isEmpty }
      guard !properties.isEmpty else {
        throw .malformed("Parsing OData Select and Expand failed: the list of properties is empty.")
      }
      if !properties.contains("*") { select = properties }
    case "$top": top = try Self.number(name, value)
    case "$skip": skip = try Self.number(name, value)
    case "$filter": filter = try ODataFilter(parsing: value)
    case "$orderby": orderBy = try ODataOrder.list(value)
    case "$search": search = try ODataSearch(value)
    case "$count":
      switch value.lowercased() {
      case "true": count = true
      case "false": count = false
      default:
        throw .malformed("Invalid value '\(value)' for $count query option found. The value must be true or false.")
      }
    case "$skiptoken": skipToken = value
    case "$deltatoken": deltaToken = value
    case "$expand": expand = value
    default: break
    }
  }

  private static func number(_ name: String, _ value: String) throws(GraphErrorResponse) -> Int {
    guard !value.isEmpty, value.utf8.allSatisfy({ (48...57).contains($0) }), let number = Int(value) else {
      throw .malformed(
        "Invalid value '\(value)' for \(name) query option found. The \(name) query option requires a non-negative "
          + "integer value.")
    }
    return number
  }
}
