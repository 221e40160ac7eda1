import Effects
import Foundation
import HTTPTypes
import IdentityEmulator

extension EmulatedPlatform {
  /// A header field.
  public struct Header: Hashable, Sendable {
    /// The name, which is case-insensitive.
    public var name: String
    /// The value, which must be a single line.
    public var value: String

    /// Creates a header field.
    public init(_ name: String, _ value: String) {
      self.name = name
      self.value = value
    }
  }

  /// A request with its body.
  public struct Request: Hashable, Sendable {
    /// The method, such as `GET`.
    public var method: String
    /// The absolute URL.
    public var url: String
    /// The header fields, in order.
    public var headers: [Header]
    /// The body, which can be empty.
    public var body: [UInt8]

    /// Creates a request for an absolute URL.
    public init(_ method: String = "GET", _ url: String, headers: [Header] = [], body: [UInt8] = []) {
      self.method = method
      self.url = url
      self.headers = headers
      self.body = body
    }
  }

  /// A response with its body.
  public struct Response: Hashable, Sendable {
    /// The HTTP status.
    public var status: Int
    /// The header fields, in order. `Set-Cookie` can appear several times.
    public var headers: [Header]
    /// The body, which can be empty.
    public var body: [UInt8]

    /// The body as text.
    public var text: String { String(decoding: body, as: UTF8.self) }

    /// The value of the first header field with this name, or nil if the response does not contain the field.
    public subscript(header name: String) -> String? {
      headers.first { $0.name.lowercased() == name.lowercased() }?.value
    }
  }

  /// Responds to a request as the real network and service would. Redirects are returned and not followed.
  /// - Throws: `URLError` if there is no response. This happens if the platform is offline, a fault resets the
  ///   connection, the host does not belong to the platform, or the URL is invalid.
  public func respond(to request: Request) async throws(URLError) -> Response {
    guard let method = HTTPRequest.Method(request.method) else { throw URLError(.badURL) }
    var fields = HTTPFields()
    for header in request.headers {
      guard let name = HTTPField.Name(header.name) else { continue }
      fields.append(HTTPField(name: name, value: header.value))
    }
    guard let message = RequestMessage(method: method, url: request.url, headers: fields, body: request.body) else {
      throw URLError(.badURL)
    }
    let transport = emulator.transport
    let result = await time.run { () async -> Result<ResponseMessage, TransportFailure> in
      do throws(TransportFailure) {
        return .success(try await transport.send(message))
      } catch {
        return .failure(error)
      }
    }
    switch result {
    case .success(let response):
      return Response(
        status: response.head.status.code,
        headers: response.head.headerFields.map { Header($0.name.rawName, $0.value) }, body: response.body)
    case .failure(let failure): throw URLError(failure)
    }
  }
}

extension URLError {
  /// Creates the error that Apple's URL loading system reports for a transport failure.
  init(_ failure: TransportFailure) {
    let code: URLError.Code =
      switch failure {
      case .canceled: .cancelled
      case .timedOut: .timedOut
      case .hostNotFound: .cannotFindHost
      case .cannotConnect, .proxy: .cannotConnectToHost
      case .connectionLost: .networkConnectionLost
      case .offline: .notConnectedToInternet
      case .badResponse, .notRecorded: .badServerResponse
      case .tooLong: .dataLengthExceedsMaximum
      case .tls: .secureConnectionFailed
      }
    self.init(code, userInfo: [NSLocalizedDescriptionKey: failure.explanation])
  }
}
