import Effects
import Foundation
import HTTPTypes
import IdentityEmulator

extension EmulatedPlatform {
  /// One header of a request or a response. Names are compared without regard to case.
  public struct Header: Hashable, Sendable {
    /// In any letter case.
    public var name: String
    /// One line.
    public var value: String

    /// A header of that name.
    public init(_ name: String, _ value: String) {
      self.name = name
      self.value = value
    }
  }

  /// A request to the platform, with its whole body.
  public struct Request: Hashable, Sendable {
    /// Such as `GET`.
    public var method: String
    /// Absolute, `https://…` or `http://…`.
    public var url: String
    /// In their order.
    public var headers: [Header]
    /// Empty where there is none.
    public var body: [UInt8]

    /// A request for an absolute URL.
    public init(_ method: String = "GET", _ url: String, headers: [Header] = [], body: [UInt8] = []) {
      self.method = method
      self.url = url
      self.headers = headers
      self.body = body
    }
  }

  /// What the platform answered, with its whole body.
  public struct Response: Hashable, Sendable {
    /// The HTTP status.
    public var status: Int
    /// In their order; `Set-Cookie` may stand there more than once.
    public var headers: [Header]
    /// Empty where there is none.
    public var body: [UInt8]

    /// The body as text.
    public var text: String { String(decoding: body, as: UTF8.self) }

    /// The first header of that name.
    public subscript(header name: String) -> String? {
      headers.first { $0.name.lowercased() == name.lowercased() }?.value
    }
  }

  /// Answers one request, as the network and the service behind it would. Redirects are answered and not followed.
  /// - Throws: `URLError` where no answer comes: the platform is offline, a fault resets the connection, the host is none of
  ///   the platform's, or the URL is none.
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
  /// The error that Apple's URL loading gives for a failure of the network.
  init(_ failure: TransportFailure) {
    let code: URLError.Code =
      switch failure {
      case .cancelled: .cancelled
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
