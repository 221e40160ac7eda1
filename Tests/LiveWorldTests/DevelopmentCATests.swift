import Effects
import HTTPTypes
import LiveWorld
import SystemWorld
import TestSupport
import Testing

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

@Suite struct DevelopmentCATests {
  static let names = CertificateNames.loopback
  static let now = LiveClock().now

  static func open(
    _ folder: TemporaryFolder, names: CertificateNames = names, now: Instant = now
  ) throws -> DevelopmentCA {
    try DevelopmentCA.open(folder: folder("ca"), names: names, files: LiveFileSystem(), now: now)
  }

  @Test func createsTheCAOnceWithAPrivateKey() throws {
    let folder = try TemporaryFolder()
    let first = try Self.open(folder)
    #expect(first.note == nil)
    #expect(folder.mode("ca/development-ca.key") == 0o600)
    #expect(first.path == folder("ca/development-ca.pem"))
    let saved = try LiveFileSystem().read(first.path, limit: 1 << 16)
    #expect(String(decoding: saved, as: UTF8.self) == first.pem)
    #expect(!first.pem.contains("PRIVATE"))
    #expect(try Self.open(folder).pem == first.pem)
    // authflow writes a missing certificate file again.
    try LiveFileSystem().remove(first.path)
    #expect(try Self.open(folder).pem == first.pem)
    #expect(LiveFileSystem().kind(of: first.path) == .file)
  }

  @Test func concurrentCallersCreateOneCA() async throws {
    let folder = try TemporaryFolder()
    let certificates = try await withThrowingTaskGroup(of: String.self) { group in
      for _ in 0..<8 { group.addTask { try Self.open(folder).pem } }
      return try await group.reduce(into: Set<String>()) { $0.insert($1) }
    }
    #expect(certificates.count == 1)
  }

  @Test(arguments: ["", "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n", "half"])
  func replacesADamagedCA(content: String) throws {
    let folder = try TemporaryFolder()
    let first = try Self.open(folder)
    let text =
      content == "half"
      ? String(decoding: try LiveFileSystem().read(folder("ca/development-ca.pem"), limit: 1 << 16), as: UTF8.self)
      : content
    try LiveFileSystem().replace(folder("ca/development-ca.key"), with: Array(text.utf8), privately: true)
    let second = try Self.open(folder)
    #expect(second.pem != first.pem)
    #expect(second.note?.contains("development-ca.key.corrupt-1") == true)
    #expect(LiveFileSystem().kind(of: folder("ca/development-ca.key.corrupt-1")) == .file)
    #expect(try Self.open(folder).note == nil)
  }

  @Test(arguments: [(0, false), (1_764, false), (1_766, true), (9_999, true), (-1, true)])
  func renewsTheCABeforeItExpires(days: Int, isRenewed: Bool) throws {
    let folder = try TemporaryFolder()
    let first = try Self.open(folder)
    let later = try Self.open(folder, now: Self.now + .seconds(days * 86_400))
    #expect((later.pem != first.pem) == isRenewed)
    #expect((later.note != nil) == isRenewed)
  }

  @Test("replaces a CA from an earlier version that can sign more than server certificates")
  func earlierVersion() throws {
    let folder = try TemporaryFolder()
    let now = Instant(secondsSince1970: 1_800_000_000)
    // Creates the folder and its lock.
    _ = try Self.open(folder, now: now)
    try LiveFileSystem().replace(
      folder("ca/development-ca.key"), with: Array(EarlierCA.text.utf8), privately: true)
    let replacement = try Self.open(folder, now: now)
    #expect(!EarlierCA.text.contains(replacement.pem))
    #expect(
      replacement.note
        == "the development CA can sign more than server certificates; a new one replaces it: "
        + "remove the old one from your trust stores and trust the new one")
    #expect(try Self.open(folder, now: now).pem == replacement.pem)
  }

  @Test func otherNamesUseASeparateCA() throws {
    let folder = try TemporaryFolder()
    let first = try Self.open(folder)
    let more = Self.names.adding(CertificateNames(["dev.example", "10.0.0.7"]))
    let other = try Self.open(folder, names: more)
    #expect(other.path != first.path)
    #expect(other.pem != first.pem)
    #expect(try Self.open(folder).pem == first.pem)
    #expect(try Self.open(folder, names: more).pem == other.pem)
  }

  /// A name constraint includes subdomains, and an empty constraint includes every host.
  @Test(arguments: [
    "", ".", "..", "*.", "*", "*.*.x", "com", "COM", "uk", "co.uk", "dev.", ".dev", "a..b", "*.com", "a b", "https://x",
    "x:1", "1.2.3", "300.1.1.1", "-x", "\(String(repeating: "a", count: 64)).example", "ü.example", "a\0.example",
  ])
  func rejectsInvalidAndOverlyBroadNames(name: String) throws {
    let folder = try TemporaryFolder()
    #expect(throws: DevelopmentCA.Failure.self) {
      try Self.open(folder, names: Self.names.adding(CertificateNames([name])))
    }
    #expect(LiveFileSystem().kind(of: folder("ca")) == nil, "no files are created")
  }

  @Test func rejectsACAWithoutDNSNames() throws {
    let folder = try TemporaryFolder()
    #expect(throws: DevelopmentCA.Failure.self) { try Self.open(folder, names: CertificateNames([])) }
    #expect(throws: DevelopmentCA.Failure.self) { try Self.open(folder, names: CertificateNames(["10.0.0.7"])) }
  }

  @Test(arguments: ["devbox", "my_box", "a.b.example", "*.b2clogin.com", "microsoft.com", "xn--4ca.example", "x1"])
  func acceptsValidNames(name: String) {
    #expect(CertificateNames([name]).fault == nil)
  }

  @Test(
    arguments: [("ca/development-ca.key", 0o644, 0o600), ("ca", 0o777, 0o755), ("ca", 0o755, 0o755)]
      as [(String, mode_t, mode_t)])
  func restoresPrivatePermissionsWithANote(name: String, mode: mode_t, after: mode_t) throws {
    let folder = try TemporaryFolder()
    let first = try Self.open(folder)
    folder.setMode(name, mode)
    let second = try Self.open(folder)
    #expect(second.pem == first.pem)
    #expect(folder.mode(name) == after)
    #expect((second.note?.contains("private again") == true) == (mode != after), "\(second.note ?? "")")
    #expect(try Self.open(folder).note == nil, "reported once")
  }

  @Test func onlyClientsThatTrustTheCAConnect() async throws {
    let folder = try TemporaryFolder()
    let ca = try Self.open(folder)
    let server = try await HTTPServer.open(.init(identity: ca.identity(now: Self.now))) { request, _ in
      .response(ResponseMessage(.ok, body: Array(request.url.utf8)))
    }
    func get(_ url: String, trusting file: String?) async throws -> String {
      let environment = Environment(
        variables: file.map { ["SSL_CERT_FILE": $0] } ?? [:], workingDirectory: "/")
      let request = try #require(RequestMessage(url: url))
      let response = try await HTTPClientTransport.patient(environment).send(request)
      return String(decoding: response.body, as: UTF8.self)
    }
    for host in ["localhost", "127.0.0.1"] {
      let url = "https://\(host):\(server.port)/path"
      #expect(try await get(url, trusting: ca.path) == url)
    }
    let plain = "http://localhost:\(server.port)/"
    #expect(try await get(plain, trusting: nil) == plain, "the same port")
    let untrusted = try Self.open(TemporaryFolder())
    try LiveFileSystem().replace(folder("untrusted.pem"), with: Array(untrusted.pem.utf8), privately: false)
    for file in [nil, folder("untrusted.pem")] {
      await #expect {
        _ = try await get("https://localhost:\(server.port)/", trusting: file)
      } throws: { error in
        if case .tls = error as? TransportFailure { true } else { false }
      }
    }
  }

  @Test func plainHTTPToAnHTTPSServerReturnsAHint() async throws {
    let ca = try Self.open(TemporaryFolder())
    let server = try await HTTPServer.open(
      .init(identity: ca.identity(now: Self.now), plain: false)
    ) { _, _ in .broken }
    let response = try await RawConnection.exchange(HTTPServerTests.get("/"), port: server.port)
    #expect(response.hasPrefix("HTTP/1.1 400"))
    #expect(response.contains("https://"))
  }
}
