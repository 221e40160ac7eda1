import Documents
import Effects
import GraphEmulator
import HTTPTypes
import Testing

import IdentityEmulator

/// Tests upload sessions for the drive and for attachments.
@Suite struct GraphUploadTests {
  private static let unit = 320 << 10

  private static func put(
    _ probe: GraphProbe, _ url: String, _ range: String, count: Int, headers: [(String, String)] = []
  ) async -> GraphProbe.Response {
    await probe.send(
      .put, url, [("Content-Range", "bytes \(range)")] + headers, [UInt8](repeating: 7, count: count))
  }

  private static func session(_ probe: GraphProbe, _ body: JSON = [:]) async throws -> String {
    let response = await probe.post("/me/drive/root:/Large.bin:/createUploadSession", body)
    #expect(response.status == 200)
    #expect(response.body["nextExpectedRanges"] == ["0-"])
    return try #require(response.body["uploadUrl"]?.string)
  }

  @Test("accepts the parts in order and returns the complete file")
  func pieces() async throws {
    let probe = GraphProbe("Files.ReadWrite")
    let url = try await Self.session(
      probe, ["item": ["fileSystemInfo": ["lastModifiedDateTime": "2020-02-02T02:02:02Z"]]])
    let total = Self.unit + 10
    let first = await Self.put(probe, url, "0-\(Self.unit - 1)/\(total)", count: Self.unit)
    #expect(first.status == 202)
    #expect(first.body["nextExpectedRanges"]?[0]?.string == "\(Self.unit)-\(total - 1)")
    let status = await probe.get(url)
    #expect(status.body["nextExpectedRanges"] == first.body["nextExpectedRanges"])
    let last = await Self.put(probe, url, "\(Self.unit)-\(total - 1)/\(total)", count: 10)
    #expect(last.status == 201)
    #expect(last.body["size"]?.integer == Int64(total))
    #expect(last.body["fileSystemInfo"]?["lastModifiedDateTime"] == "2020-02-02T02:02:02Z")
    #expect(await probe.get("/me/drive/root:/Large.bin:/content").bytes.count == total)
    #expect(await probe.get(url).status == 404)
  }

  @Test("rejects parts that are out of order, have a wrong size, or are sent with a token")
  func wrongPieces() async throws {
    let probe = GraphProbe("Files.ReadWrite")
    let url = try await Self.session(probe)
    #expect(await Self.put(probe, url, "5-9/20", count: 5).status == 416)
    #expect(await Self.put(probe, url, "0-9/20", count: 9).status == 400)
    #expect(await Self.put(probe, url, "0-9/20", count: 10).status == 400)
    #expect(await Self.put(probe, url, "invalid", count: 10).status == 400)
    #expect(await Self.put(probe, url, "0-19/20", count: 20, headers: [("Authorization", "Bearer x")]).status == 401)
    #expect(await Self.put(probe, url, "0-19/20", count: 20).status == 201)
  }

  /// Microsoft's SDKs send parts of 5 MiB, and rclone sends parts of 10 MiB.
  @Test("accepts parts of 5 and 10 MiB", arguments: [5 << 20, 10 << 20])
  func largePieces(size: Int) async throws {
    let probe = GraphProbe("Files.ReadWrite")
    let url = try await Self.session(probe)
    let response = await probe.emulator.respond(
      to: try Self.request(.put, url, size, "bytes 0-\(size - 1)/\(size + 1)"))
    #expect(response.head.status.code == 202)
  }

  @Test("rejects an oversized request with an error in Graph's format")
  func tooLarge() async throws {
    let probe = GraphProbe("Files.ReadWrite")
    let requests = [
      try Self.request(.put, try await Self.session(probe), (16 << 20) + 1, nil),
      try Self.request(.put, "https://graph.microsoft.com/v1.0/me/drive/root:/a:/content", (16 << 20) + 1, nil),
      try Self.request(.post, "https://graph.microsoft.com/v1.0/me/messages", (4 << 20) + 1, nil),
    ]
    for request in requests {
      let response = await probe.emulator.respond(to: request)
      #expect(response.head.status.code == 413)
      #expect(try JSON(parsing: response.body)["error"]?["code"] == "RequestEntityTooLarge")
      #expect(probe.emulator.bodyLimit(for: request.head) == request.body.count - 1)
      #expect(probe.emulator.bodyLimitResponse(for: request.head).head.status.code == 413)
    }
  }

  private static func request(
    _ method: HTTPRequest.Method, _ url: String, _ size: Int, _ range: String?
  ) throws -> RequestMessage {
    var headers = HTTPFields()
    headers[.contentRange] = range
    return try #require(
      RequestMessage(method: method, url: url, headers: headers, body: [UInt8](repeating: 7, count: size)))
  }

  @Test("does not accept parts after cancellation or expiration")
  func endings() async throws {
    var probe = GraphProbe("Files.ReadWrite")
    let url = try await Self.session(probe)
    #expect(await probe.delete(url).status == 204)
    #expect(await probe.get(url).status == 404)
    let second = try await Self.session(probe)
    probe.now = probe.now + UploadSession.lifetime + .seconds(1)
    #expect(await probe.get(second).status == 404)
  }

  @Test("limits the number of sessions to 20")
  func manySessions() async throws {
    let probe = GraphProbe("Files.ReadWrite")
    let oldest = try await Self.session(probe)
    for _ in 0..<20 { _ = try await Self.session(probe) }
    #expect(await probe.get(oldest).status == 404)
    #expect(UploadSession.all(probe.emulator.platform.withState { $0.graph }).count == 20)
  }

  @Test("posts a small attachment and uploads a large attachment", arguments: ["messages", "events"])
  func attachments(place: String) async throws {
    let probe = GraphProbe("Mail.ReadWrite", "Calendars.ReadWrite")
    let id = try #require(await probe.get("/me/\(place)").value.first?["id"]?.string)
    let all = "/me/\(place)/\(id)/attachments"
    let before = await probe.get(all).value.count
    let small: JSON = [
      "@odata.type": "#microsoft.graph.fileAttachment", "name": "a.txt", "contentBytes": "aGVsbG8=",
    ]
    let posted = await probe.post(all, small)
    #expect(posted.status == 201)
    let first = try #require(posted.body["id"]?.string)
    #expect(await probe.get("\(all)/\(first)/$value").bytes == Array("hello".utf8))
    let size = 3 << 20
    let item: JSON = ["attachmentType": "file", "name": "big.bin", "size": .integer(Int64(size))]
    let session = await probe.post("\(all)/createUploadSession", ["AttachmentItem": item])
    #expect(session.status == 201)
    let url = try #require(session.body["uploadUrl"]?.string)
    #expect(await Self.put(probe, url, "0-1999999/\(size)", count: 2_000_000).status == 200)
    let done = await Self.put(probe, url, "2000000-\(size - 1)/\(size)", count: size - 2_000_000)
    #expect(done.status == 201)
    #expect(done.header("Location")?.contains("/attachments('") == true)
    #expect(await probe.get(all).value.count == before + 2)
    #expect(await probe.get("/me/\(place)/\(id)").body["hasAttachments"] == true)
    #expect(await probe.delete("\(all)/\(first)").status == 204)
    #expect(await probe.get(all).value.count == before + 1)
  }

  @Test("rejects an upload session for a small attachment")
  func smallAttachments() async throws {
    let probe = GraphProbe("Mail.ReadWrite")
    let id = try #require(await probe.get("/me/messages").value.first?["id"]?.string)
    let item: JSON = ["attachmentType": "file", "name": "a", "size": 10]
    let response = await probe.post("/me/messages/\(id)/attachments/createUploadSession", ["AttachmentItem": item])
    #expect(response.code == "ErrorAttachmentSizeShouldNotBeLessThanMinimumSize")
  }

  @Test("accepts an upload without a token over HTTP and does not log an error")
  func overHTTP() async throws {
    let stage = Stage()
    let scope = "openid profile offline_access Files.ReadWrite"
    let token = try #require(await stage.signIn(scope: scope)["access_token"]?.string)
    let session = try await stage.send(
      .post, "https://graph.microsoft.com/v1.0/me/drive/root:/x.txt:/createUploadSession",
      headers: [.authorization: "Bearer \(token)"])
    let url = try #require(try JSON(parsing: session.body)["uploadUrl"]?.string)
    let done = try await stage.send(.put, url, headers: [.contentRange: "bytes 0-1/2"], body: [1, 2])
    #expect(done.head.status == .created)
    let trail = try await stage.json("https://login.microsoftonline.com/_authflow/requests")
    #expect(trail["requests"]?.array?.last?["decision"] == "responded")
  }
}
