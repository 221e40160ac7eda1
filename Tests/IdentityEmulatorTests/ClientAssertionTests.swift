import Crypto
import Directory
import Documents
import Effects
import HTTPTypes
import IdentityEmulator
import OAuth
import OrderedCollections
import Testing

@Suite("Client assertions with certificates")
struct ClientAssertionTests {
  private static func response(_ header: JSON, changing changes: JSON = [:]) async throws -> JSON {
    let stage = Stage(app: { $0.certificates = [TestCertificate.pem] })
    var claims: JSON = [
      "sub": .string(Stage.clientID), "iss": .string(Stage.clientID),
      "aud": "https://login.microsoftonline.com/contoso.com/oauth2/v2.0/token",
      "exp": .integer(stage.clock.now.secondsSince1970 + 600),
    ]
    for (name, value) in changes.object ?? [:] { claims[name] = value }
    return try await stage.token(
      [
        "grant_type": "client_credentials", "client_id": Stage.clientID,
        "scope": "https://graph.microsoft.com/.default",
        "client_assertion_type": "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
        "client_assertion": try TestCertificate.sign(claims, header: header),
      ], tenant: "contoso.com"
    ).json
  }

  /// Returns a thumbprint that contains `+` and `/` in the standard base64 alphabet.
  private static func sha256() throws -> [UInt8] { Array(SHA256.hash(data: try TestCertificate.der())) }
  private static func sha1() throws -> [UInt8] { Array(Insecure.SHA1.hash(data: try TestCertificate.der())) }
  private static func hexadecimal(_ bytes: [UInt8]) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }

  @Test("thumbprints and key IDs are accepted in both base64 alphabets and in hexadecimal")
  func alphabets() async throws {
    let headers: [JSON] = [
      ["x5t#S256": .string(Base64URL.encode(try Self.sha256()))],
      ["x5t#S256": .string(Base64.encode(try Self.sha256()))],
      ["x5t": .string(Base64URL.encode(try Self.sha1()))], ["x5t": .string(Base64.encode(try Self.sha1()))],
      ["kid": .string(Self.hexadecimal(try Self.sha1()))],
      ["kid": .string(Self.hexadecimal(try Self.sha1()).uppercased())],
      ["kid": .string(Base64URL.encode(try Self.sha256()))],
      ["kid": "a custom name", "x5t": .string(Base64URL.encode(try Self.sha1()))],
    ]
    for header in headers {
      let response = try await Self.response(header)
      #expect(response["access_token"] != nil, "\(header) \(response)")
    }
  }

  @Test("rejects a correctly signed assertion that does not identify a certificate")
  func unnamed() async throws {
    for header: JSON in [[:], ["x5t": ""]] {
      let response = try await Self.response(header)
      #expect(response["error"] == "invalid_client")
      #expect(response["error_codes"] == [50027], "\(response)")
    }
  }

  @Test("the error for an unknown certificate contains the thumbprint and the app")
  func unknown() async throws {
    let other = Base64URL.encode([UInt8](repeating: 0xAB, count: 20))
    let long = Base64URL.encode([UInt8](repeating: 0xAB, count: 32))
    let right = Base64URL.encode(try Self.sha1())
    let headers: [JSON] = [
      ["x5t": .string(other)], ["x5t#S256": .string(long)], ["kid": "unknown"],
      ["x5t": .string(right), "x5t#S256": .string(long)],
    ]
    for header in headers {
      let response = try await Self.response(header)
      #expect(response["error_codes"] == [700_027], "\(header) \(response)")
      #expect(response["error_description"]?.string?.contains("'\(Stage.clientID)'") == true)
    }
    let described = try await Self.response(["x5t": .string(other)])["error_description"]?.string
    let shown = String(repeating: "AB", count: 20)
    #expect(described?.contains("Thumbprint of key used by client: '\(shown)'") == true, "\(described ?? "")")
  }

  @Test("the error for an expired assertion contains the validity period")
  func times() async throws {
    let header: JSON = ["x5t": .string(Base64URL.encode(try Self.sha1()))]
    let response = try await Self.response(header, changing: ["exp": 1_735_600_000, "nbf": 1_735_599_000])
    let described = response["error_description"]?.string ?? ""
    #expect(response["error_codes"] == [700_024])
    #expect(described.contains("Current time: 2025-01-01T00:00:00Z"), "\(described)")
    #expect(described.contains("expiry time of assertion 2024-12-30T23:06:40Z"), "\(described)")
  }
}
