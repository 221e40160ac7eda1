import Effects

extension URLReference {
  /// The parameters in the query.
  package var parameters: Parameters { FormCoding.parse(query ?? "") }

  /// Returns the URL with the parameters appended to its query.
  package func appending(_ parameters: Parameters) -> URLReference {
    guard !parameters.isEmpty else { return self }
    var copy = self
    let added = FormCoding.serialize(parameters)
    copy.query = if let query, !query.isEmpty { query + "&" + added } else { added }
    return copy
  }
}
