import Documents
import Effects
import HTTPTypes
import OrderedCollections

/// The headers and error format that all Graph responses share.
package enum GraphEnvelope {
  static let jsonType =
    "application/json;odata.metadata=minimal;odata.streaming=true;IEEE754Compatible=false;charset=utf-8"

  static func response(to request: GraphRequest, with response: GraphResponse) -> ResponseMessage {
    var headers = common(request)
    for field in response.headers { headers[field.name] = field.value }
    let bytes: [UInt8]
    switch response.body {
    case .none: bytes = []
    case .json(let json):
      headers[.contentType] = jsonType
      bytes = json.utf8(sortedKeys: false)
    case .bytes(let content, let mediaType):
      headers[.contentType] = mediaType
      bytes = content
    }
    let isHead = request.message.head.method == .head
    return ResponseMessage(.init(code: response.status), headers: headers, body: isHead ? [] : bytes)
  }

  package static func response(to request: GraphRequest, failure: GraphErrorResponse) -> ResponseMessage {
    var headers = failure.headers
    // Unlike other responses, errors have a content type without metadata parameters.
    headers[.contentType] = "application/json"
    var response = response(
      to: request, with: GraphResponse(failure.status, body: .json(body(of: failure, to: request))))
    for field in headers { response.head.headerFields[field.name] = field.value }
    response.head.headerFields[.odataVersion] = nil
    return response
  }

  static func body(of failure: GraphErrorResponse, to request: GraphRequest) -> JSON {
    [
      "error": [
        "code": .string(failure.code), "message": .string(failure.message),
        "innerError": [
          "date": .string(String(request.now.rfc3339().dropLast())), "request-id": .string(request.requestID),
          "client-request-id": .string(clientRequestID(request)),
        ],
      ]
    ]
  }

  private static func common(_ request: GraphRequest) -> HTTPFields {
    var headers = HTTPFields()
    headers[.date] = request.now.httpDate
    headers[.cacheControl] = "no-cache"
    if request.demandsTLS {
      headers[.strictTransportSecurity] = "max-age=31536000"
    }
    headers[.graphRequestID] = request.requestID
    headers[.clientRequestID] = clientRequestID(request)
    headers[.graphDiagnostic] =
      #"{"ServerInfo":{"DataCenter":"Emulated","Slice":"E","Ring":"5","ScaleUnit":"000","RoleInstance":"AUTHFLOW"}}"#
    headers[.resourceUnit] = "1"
    headers[.odataVersion] = "4.0"
    if request.message.head.headerFields[.origin] != nil { GraphCORS.allow(&headers) }
    return headers
  }

  private static func clientRequestID(_ request: GraphRequest) -> String {
    request.message.head.headerFields[.clientRequestID] ?? request.requestID
  }
}

extension HTTPField.Name {
  static let graphRequestID = HTTPField.Name("request-id") ?? .eTag
  package static let clientRequestID = HTTPField.Name("client-request-id") ?? .eTag
  static let graphDiagnostic = HTTPField.Name("x-ms-ags-diagnostic") ?? .eTag
  static let resourceUnit = HTTPField.Name("x-ms-resource-unit") ?? .eTag
  static let odataVersion = HTTPField.Name("OData-Version") ?? .eTag
  static let preferenceApplied = HTTPField.Name("Preference-Applied") ?? .eTag
}
