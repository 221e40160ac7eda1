import Documents
import Foundation
import OrderedCollections

/// A fault at an endpoint of the platform.
///
/// ```swift
/// try await platform.simulate(.fault(Fault(at: .graph, .status(429, retryAfter: .seconds(30)), times: 2)))
/// try await platform.simulate(.fault(Fault(at: .token, .oauth("AADSTS50076"))))
/// try await platform.simulate(.fault(Fault(at: "GET /v1.0/me", .reset, times: .always)))
/// ```
public struct Fault: Sendable {
  /// The requests that trigger the fault.
  public struct Target: Hashable, Sendable, ExpressibleByStringLiteral {
    let spelled: String

    /// The token endpoint.
    public static let token = Target("token")
    /// The authorize endpoint.
    public static let authorize = Target("authorize")
    /// All requests to Microsoft Graph.
    public static let graph = Target("graph")
    /// The device authorization endpoint (RFC 8628).
    public static let deviceCode = Target("devicecode")
    /// The OpenID Connect discovery document.
    public static let discovery = Target("discovery")
    /// The key set endpoint.
    public static let keys = Target("keys")
    /// The OpenID Connect UserInfo endpoint.
    public static let userInfo = Target("userinfo")
    /// The sign-out endpoint.
    public static let logout = Target("logout")

    /// Creates a target from a method and a path, such as `GET /v1.0/me`, or from a path alone. `*` matches any text.
    public init(_ spelled: String) { self.spelled = spelled }

    /// Creates a target from a string literal, like ``init(_:)``.
    public init(stringLiteral value: String) { self.init(value) }
  }

  /// The response that replaces the real response.
  public struct Response: Sendable {
    let json: JSON

    /// Returns a response with an HTTP status and the platform's default body.
    /// - Parameters:
    ///   - status: The HTTP status code.
    ///   - retryAfter: The value of the `Retry-After` header, which is rounded up to whole seconds.
    ///   - delay: The delay before the response.
    public static func status(_ status: Int, retryAfter: Duration? = nil, delay: Duration? = nil) -> Response {
      var json: JSON = ["status": .integer(Int64(status))]
      if let retryAfter { json["retryAfter"] = .string(spelled(retryAfter)) }
      if let delay { json["delay"] = .string(spelled(delay)) }
      return Response(json: json)
    }

    /// Returns an OAuth error response for one of the platform's error codes, such as `AADSTS50076` or `AADB2C90118`.
    /// - Parameters:
    ///   - code: The error code.
    ///   - suberror: The suberror to send instead of the default suberror.
    ///   - claims: The claims challenge as JSON text.
    ///   - delay: The delay before the response.
    public static func oauth(
      _ code: String, suberror: String? = nil, claims: String? = nil, delay: Duration? = nil
    ) -> Response {
      var json: JSON = ["code": .string(code)]
      if let suberror { json["suberror"] = .string(suberror) }
      if let claims { json["claims"] = (try? JSON(parsing: Array(claims.utf8))) ?? .string(claims) }
      if let delay { json["delay"] = .string(spelled(delay)) }
      return Response(json: json)
    }

    /// A connection reset before the response.
    public static let reset = Response(json: "reset")
    /// A connection that closes before the end of the body.
    public static let truncated = Response(json: "truncated")
    /// An HTML page, such as a proxy might return.
    public static let html = Response(json: "html")
    /// A response with a body that never ends.
    public static let endless = Response(json: "endless")
    /// A failed TLS handshake. An emulator that runs as a server closes the connection instead.
    public static let tls = Response(json: "tls")

    /// Returns the real response with a different `Content-Type`, such as `text/html`.
    public static func contentType(_ type: String) -> Response { Response(json: ["type": .string(type)]) }

    /// Returns the real response with a delay.
    public static func delay(_ duration: Duration) -> Response {
      Response(json: ["delay": .string(spelled(duration))])
    }

    private static func spelled(_ duration: Duration) -> String {
      "\(duration.components.seconds * 1000 + duration.components.attoseconds / 1_000_000_000_000_000)ms"
    }
  }

  /// The number of requests that trigger a fault.
  public struct Times: Hashable, Sendable, ExpressibleByIntegerLiteral {
    let json: JSON

    /// All matching requests trigger the fault.
    public static let always = Times(json: "always")

    /// Creates a value for a fixed number of requests.
    public init(integerLiteral value: Int) { json = .integer(Int64(value)) }

    private init(json: JSON) { self.json = json }
  }

  let json: JSON

  /// - Parameters:
  ///   - target: The requests that trigger the fault.
  ///   - response: The simulated response.
  ///   - times: The number of requests that trigger the fault.
  ///   - skip: The number of matching requests to let through before the fault triggers.
  public init(at target: Target, _ response: Response, times: Times = 1, skip: Int = 0) {
    json = [
      "at": .string(target.spelled), "response": response.json, "times": times.json, "skip": .integer(Int64(skip)),
    ]
  }
}
