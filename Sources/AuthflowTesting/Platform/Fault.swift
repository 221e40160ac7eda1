import Documents
import Foundation
import OrderedCollections

/// Something that goes wrong at one endpoint of the platform, once or more often.
///
/// ```swift
/// try await platform.simulate(.fault(Fault(at: .graph, .status(429, retryAfter: .seconds(30)), times: 2)))
/// try await platform.simulate(.fault(Fault(at: .token, .oauth("AADSTS50076"))))
/// try await platform.simulate(.fault(Fault(at: "GET /v1.0/me", .reset, times: .always)))
/// ```
public struct Fault: Sendable {
  /// Where it strikes.
  public struct Target: Hashable, Sendable, ExpressibleByStringLiteral {
    let spelled: String

    /// Where tokens are issued.
    public static let token = Target("token")
    /// Where people sign in.
    public static let authorize = Target("authorize")
    /// Everywhere in Microsoft Graph.
    public static let graph = Target("graph")
    /// Where a device gets its code (RFC 8628).
    public static let deviceCode = Target("devicecode")
    /// The OpenID Connect discovery document.
    public static let discovery = Target("discovery")
    /// The key set.
    public static let keys = Target("keys")
    /// The OpenID Connect UserInfo endpoint.
    public static let userInfo = Target("userinfo")
    /// Where browsers sign out.
    public static let logout = Target("logout")

    /// A method and a path as in `GET /v1.0/me`, or a path alone; each `*` stands for anything.
    public init(_ spelled: String) { self.spelled = spelled }

    /// `GET /v1.0/me` and its like.
    public init(stringLiteral value: String) { self.init(value) }
  }

  /// What comes in place of the right answer.
  public struct Response: Sendable {
    let json: JSON

    /// An HTTP status with the body that the platform has for it.
    /// - Parameters:
    ///   - status: The HTTP status code.
    ///   - retryAfter: the `Retry-After` header, in whole seconds, rounded up.
    ///   - delay: how long the answer takes to come.
    public static func status(_ status: Int, retryAfter: Duration? = nil, delay: Duration? = nil) -> Response {
      var json: JSON = ["status": .integer(Int64(status))]
      if let retryAfter { json["retryAfter"] = .string(spelled(retryAfter)) }
      if let delay { json["delay"] = .string(spelled(delay)) }
      return Response(json: json)
    }

    /// An error of the platform by its code, `AADSTS50076` or `AADB2C90118`, with the OAuth error that belongs to it.
    /// - Parameters:
    ///   - code: The code of the error.
    ///   - suberror: The suberror to send instead of the default one.
    ///   - claims: JSON text of a claims request that comes with it.
    ///   - delay: how long the answer takes to come.
    public static func oauth(
      _ code: String, suberror: String? = nil, claims: String? = nil, delay: Duration? = nil
    ) -> Response {
      var json: JSON = ["code": .string(code)]
      if let suberror { json["suberror"] = .string(suberror) }
      if let claims { json["claims"] = (try? JSON(parsing: Array(claims.utf8))) ?? .string(claims) }
      if let delay { json["delay"] = .string(spelled(delay)) }
      return Response(json: json)
    }

    /// The connection breaks before an answer.
    public static let reset = Response(json: "reset")
    /// The answer's body ends in the middle.
    public static let truncated = Response(json: "truncated")
    /// A page of HTML from some proxy.
    public static let html = Response(json: "html")
    /// The answer's body goes on for ever.
    public static let endless = Response(json: "endless")
    /// The TLS handshake fails; a served platform, which has shaken hands already, hangs up.
    public static let tls = Response(json: "tls")

    /// The right answer under another `Content-Type`, such as `text/html`.
    public static func contentType(_ type: String) -> Response { Response(json: ["type": .string(type)]) }

    /// The right answer, so much later.
    public static func delay(_ duration: Duration) -> Response {
      Response(json: ["delay": .string(spelled(duration))])
    }

    private static func spelled(_ duration: Duration) -> String {
      "\(duration.components.seconds * 1000 + duration.components.attoseconds / 1_000_000_000_000_000)ms"
    }
  }

  /// How many requests are struck.
  public struct Times: Hashable, Sendable, ExpressibleByIntegerLiteral {
    let json: JSON

    /// Every one.
    public static let always = Times(json: "always")

    /// That many, and none after them.
    public init(integerLiteral value: Int) { json = .integer(Int64(value)) }

    private init(json: JSON) { self.json = json }
  }

  let json: JSON

  /// - Parameters:
  ///   - target: The requests that it applies to.
  ///   - answer: The response that the emulator sends instead.
  ///   - times: how many requests it strikes.
  ///   - skip: how many of the requests that come to the target pass before it strikes.
  public init(at target: Target, _ answer: Response, times: Times = 1, skip: Int = 0) {
    json = ["at": .string(target.spelled), "response": answer.json, "times": times.json, "skip": .integer(Int64(skip))]
  }
}
