import Directory
import Documents
import Effects
import HTTPTypes
import OAuth
import OrderedCollections

/// Graph's `profilePhoto` resource: an uploaded photo, or a sample photo if the directory enables photos for the
/// user.
enum PhotoResource {
  private static let name = "photo"

  /// Returns the bytes of the photo, or nil if the user does not have a photo.
  static func bytes(of subject: GraphSubject, size: Int, _ state: GraphState) -> [UInt8]? {
    if let stored = state.collection(name, of: subject.accountID) {
      // Return the same uploaded photo for every requested size, because the emulator cannot resize images.
      return stored.first?.string.flatMap { try? Base64.decode($0) }
    }
    guard subject.member.account.user.photo == true else { return nil }
    return SamplePhoto.jpeg(size: size)
  }

  /// Parses the size in a path, such as `48x48`. Returns 240 if the path does not contain a size.
  static func size(_ text: String?) throws(GraphErrorResponse) -> Int {
    guard let text else { return 240 }
    let parts = text.lowercased().split(separator: "x")
    guard parts.count == 2, parts[0] == parts[1], let size = Int(parts[0]), SamplePhoto.sizes.contains(size) else {
      throw GraphErrorResponse(400, "ErrorInvalidImageId", "The photo size '\(text)' does not exist.")
    }
    return size
  }

  static func value(_ call: GraphRequestContext, _ state: GraphState, size: String?) throws(GraphErrorResponse)
    -> GraphResponse
  {
    let size = try self.size(size)
    guard let subject = call.subject, let bytes = bytes(of: subject, size: size, state) else { throw notFound }
    var headers = HTTPFields()
    headers[.eTag] = tag(of: subject)
    return GraphResponse(headers: headers, body: .bytes(bytes, mediaType: mediaType(of: bytes)))
  }

  static func metadata(_ call: GraphRequestContext, _ state: GraphState, size: String?) throws(GraphErrorResponse)
    -> GraphResponse
  {
    let size = try self.size(size)
    guard let subject = call.subject, let bytes = bytes(of: subject, size: 48, state) else { throw notFound }
    return .entity(
      item(subject, size: size, type: mediaType(of: bytes)),
      context: call.context("users('\(id(subject))')/photo/$entity"))
  }

  static func all(_ call: GraphRequestContext, _ state: GraphState) throws(GraphErrorResponse) -> GraphResponse {
    guard let subject = call.subject else { throw .delegatedOnly }
    let type = bytes(of: subject, size: 48, state).map { mediaType(of: $0) }
    return try GraphCollection(
      items: type.map { type in SamplePhoto.sizes.map { item(subject, size: $0, type: type) } } ?? [],
      context: "users('\(id(subject))')/photos", style: .outlook, typeName: "microsoft.graph.profilePhoto",
      alwaysIncluded: ["id"]
    ).response(call)
  }

  static func put(_ call: GraphRequestContext, _ state: inout GraphState) throws(GraphErrorResponse) -> GraphResponse {
    guard let subject = call.subject else { throw .delegatedOnly }
    let bytes = call.request.message.body
    guard bytes.starts(with: [0xFF, 0xD8]) || bytes.starts(with: [0x89, 0x50, 0x4E, 0x47]) else {
      throw GraphErrorResponse(400, "ErrorInvalidImage", "The body is neither a JPEG nor a PNG picture.")
    }
    guard bytes.count <= 4 << 20 else {
      throw GraphErrorResponse(413, "RequestEntityTooLarge", "The maximum size of a photo is 4 MB.")
    }
    state.setCollection(name, of: subject.accountID, to: [.string(Base64.encode(bytes))])
    return GraphResponse(200)
  }

  static func delete(_ call: GraphRequestContext, _ state: inout GraphState) throws(GraphErrorResponse) -> GraphResponse
  {
    guard let subject = call.subject, bytes(of: subject, size: 48, state) != nil else { throw notFound }
    state.setCollection(name, of: subject.accountID, to: [])
    return .noContent
  }

  private static let notFound = GraphErrorResponse(
    404, "ImageNotFound", "Exception of type 'Microsoft.Fast.Profile.Core.Exception.ImageNotFoundException' was thrown."
  )

  private static func id(_ subject: GraphSubject) -> String { UserResource.id(of: subject.member) }

  private static func tag(of subject: GraphSubject) -> String {
    let user = subject.member.account.user
    return "W/\"" + String(Fingerprint.of(user.id + user.shownName), radix: 16).uppercased() + "\""
  }

  private static func mediaType(of bytes: [UInt8]) -> String { bytes.first == 0x89 ? "image/png" : "image/jpeg" }

  private static func item(_ subject: GraphSubject, size: Int, type: String) -> JSON {
    [
      "@odata.mediaContentType": .string(type), "@odata.mediaEtag": .string(tag(of: subject)),
      "id": "\(size)x\(size)", "height": .integer(Int64(size)), "width": .integer(Int64(size)),
    ]
  }
}

extension GraphRoute {
  private static let read = GraphAccess("User.Read", "User.ReadBasic.All", "ProfilePhoto.Read.All")
  private static let readOthers = GraphAccess("User.ReadBasic.All", "User.Read.All", "ProfilePhoto.Read.All")
  private static let write = GraphAccess("User.ReadWrite", "ProfilePhoto.ReadWrite.All")

  static let photoRoutes: [GraphRoute] = [
    GraphRoute(.get, .user, "photo", .exchange, needs: read, forOthers: readOthers, forApps: readOthers) {
      call, state throws(GraphErrorResponse) in try PhotoResource.metadata(call, state, size: nil)
    },
    GraphRoute(.get, .user, "photo/$value", .exchange, needs: read, forOthers: readOthers, forApps: readOthers) {
      call, state throws(GraphErrorResponse) in try PhotoResource.value(call, state, size: nil)
    },
    GraphRoute(.put, .user, "photo/$value", .exchange, needs: write, forApps: GraphAccess("User.ReadWrite.All")) {
      call, state throws(GraphErrorResponse) in try PhotoResource.put(call, &state)
    },
    GraphRoute(.patch, .user, "photo/$value", .exchange, needs: write, forApps: GraphAccess("User.ReadWrite.All")) {
      call, state throws(GraphErrorResponse) in try PhotoResource.put(call, &state)
    },
    GraphRoute(.delete, .user, "photo/$value", .exchange, needs: write, forApps: GraphAccess("User.ReadWrite.All")) {
      call, state throws(GraphErrorResponse) in try PhotoResource.delete(call, &state)
    },
    GraphRoute(.get, .user, "photos", .exchange, needs: read, forOthers: readOthers, forApps: readOthers) {
      call, state throws(GraphErrorResponse) in try PhotoResource.all(call, state)
    },
    GraphRoute(.get, .user, "photos/{}", .exchange, needs: read, forOthers: readOthers, forApps: readOthers) {
      call, state throws(GraphErrorResponse) in try PhotoResource.metadata(call, state, size: call.parameters.last)
    },
    GraphRoute(.get, .user, "photos/{}/$value", .exchange, needs: read, forOthers: readOthers, forApps: readOthers) {
      call, state throws(GraphErrorResponse) in try PhotoResource.value(call, state, size: call.parameters.last)
    },
  ]
}
