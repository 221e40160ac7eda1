import Documents
import Effects
import HTTPTypes
import OAuth
import RunTrace

/// A sent request with masked secrets, for expectations and reports.
package struct SentRequest: Hashable, Sendable {
  package var host: String
  package var path: String
  /// The parameters of the query and the form, with placeholders for secrets.
  package var parameters: Parameters
  /// The headers, with lowercase names.
  package var headers: Parameters

  /// - Parameter form: The parameters of the body. They follow the query parameters.
  init(url: String, form: Parameters = Parameters(), headers: HTTPFields = [:]) {
    let url = URLReference(url)
    host = (url.host ?? "") + (url.port.map { ":\($0)" } ?? "")
    path = url.path
    parameters = Parameters((url.parameters + form).entries.map { Self.masked($0, SecretParameters.kind(of: $0.name)) })
    self.headers = Parameters(
      headers.map { field in
        let name = field.name.canonicalName
        return Self.masked(.init(name, field.value), SecretParameters.kind(ofHeader: name))
      })
  }

  private static func masked(_ entry: Parameters.Entry, _ kind: Secret.Kind?) -> Parameters.Entry {
    guard let kind else { return entry }
    return Parameters.Entry(entry.name, Secret(entry.value, kind: kind).description)
  }

  package var prompt: String? { parameters["prompt"] }
  package var scope: String? { parameters["scope"] }

  /// The request as JSON: the host, path, headers, and parameters.
  package var json: JSON {
    var json: JSON = ["host": .string(host), "path": .string(path)]
    for entry in parameters.entries where json[entry.name] == nil { json[entry.name] = .string(entry.value) }
    var all: JSON = [:]
    for entry in headers.entries { all[entry.name] = .string(entry.value) }
    json["headers"] = all
    return json
  }
}
