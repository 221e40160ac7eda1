import Directory
import Documents
import HTTPTypes
import OrderedCollections

/// Graph's `drive` and `driveItem`: a small OneDrive, the same for everybody, to read from.
enum DriveResource {
  /// Folders hold the names behind theirs and a slash.
  private static let files: [(path: String, content: String?)] = [
    ("Documents", nil), ("Pictures", nil), ("Welcome.txt", "Welcome to your emulated drive.\r\n"),
    ("Documents/Notes.md", "# Notes\n\n- nothing here is real\n"),
    ("Documents/Budget.csv", "month,amount\nJanuary,100\n"),
  ]

  static func drive(_ call: GraphCall) throws(GraphFailure) -> JSON {
    guard let subject = call.subject else { throw .delegatedOnly }
    let user = subject.member.account.user
    return [
      "id": .string(driveID(subject)), "driveType": call.caller.isPersonal ? "personal" : "business",
      "name": "OneDrive", "description": "", "webUrl": "https://contoso-my.sharepoint.com/personal/me/Documents",
      "owner": ["user": ["id": .string(UserResource.id(of: subject.member)), "displayName": .string(user.shownName)]],
      "quota": [
        "deleted": 0, "remaining": 1_099_217_021_300, "state": "normal", "total": 1_099_511_627_776,
        "used": 294_606_476,
      ],
    ]
  }

  private static func driveID(_ subject: GraphSubject) -> String {
    "b!" + OutlookID.item("drive", subject.accountID).dropFirst(6).prefix(40)
  }

  private static func id(of path: String, _ subject: GraphSubject) -> String {
    "01" + String(Fingerprint.of(subject.accountID + "/" + path), radix: 36).uppercased()
  }

  static func root(_ call: GraphCall) throws(GraphFailure) -> JSON { try item("", content: nil, call) }

  private static func item(_ path: String, content: String?, _ call: GraphCall) throws(GraphFailure) -> JSON {
    guard let subject = call.subject else { throw .delegatedOnly }
    let names = path.split(separator: "/").map(String.init)
    let parent = names.dropLast().joined(separator: "/")
    let stamp = JSON.string("2024-01-01T00:00:00Z")
    var members: OrderedDictionary<String, JSON> = [
      "createdDateTime": stamp, "eTag": .string("\"{\(id(of: path, subject))},1\""),
      "id": .string(id(of: path, subject)), "lastModifiedDateTime": stamp, "name": .string(names.last ?? "root"),
      "webUrl": .string("https://contoso-my.sharepoint.com/personal/me/Documents/\(path)"),
      "size": .integer(Int64(content?.utf8.count ?? 0)),
      "parentReference": [
        "driveType": call.caller.isPersonal ? "personal" : "business", "driveId": .string(driveID(subject)),
        "id": .string(id(of: parent, subject)),
        "path": .string(parent.isEmpty ? "/drive/root:" : "/drive/root:/\(parent)"),
      ],
      "fileSystemInfo": ["createdDateTime": stamp, "lastModifiedDateTime": stamp],
    ]
    if names.isEmpty {
      members["parentReference"] = ["driveType": "business", "driveId": .string(driveID(subject))]
      members["root"] = [:]
    }
    if let content {
      members["file"] = ["mimeType": .string(mediaType(path)), "hashes": ["quickXorHash": .string(hash(content))]]
    } else {
      let count = files.count { isChild($0.path, of: path) }
      members["folder"] = ["childCount": .integer(Int64(count))]
    }
    return .object(members)
  }

  private static func hash(_ content: String) -> String { String(Fingerprint.of(content), radix: 16) }

  private static func isChild(_ path: String, of folder: String) -> Bool {
    let parent = path.split(separator: "/").dropLast().joined(separator: "/")
    return parent == folder
  }

  static func mediaType(_ path: String) -> String {
    path.hasSuffix(".csv") ? "text/csv" : path.hasSuffix(".md") ? "text/markdown" : "text/plain"
  }

  static func children(of folder: String, _ call: GraphCall) throws(GraphFailure) -> [JSON] {
    var items: [JSON] = []
    for file in files where isChild(file.path, of: folder) {
      items.append(try item(file.path, content: file.content, call))
    }
    return items
  }

  /// The path and content behind an id, `root`, or a path.
  static func find(id: String, _ call: GraphCall) throws(GraphFailure) -> (path: String, content: String?) {
    guard let subject = call.subject else { throw .delegatedOnly }
    if id.lowercased() == "root" || id == self.id(of: "", subject) { return ("", nil) }
    guard let file = files.first(where: { self.id(of: $0.path, subject) == id }) else { throw notFound }
    return file
  }

  static func answer(_ found: (path: String, content: String?), _ call: GraphCall) throws(GraphFailure) -> GraphAnswer {
    try collection([], call, found.path.isEmpty ? "root" : "items").entity(
      try item(found.path, content: found.content, call), call)
  }

  /// - Parameter path: which collection of the drive it is.
  static func collection(
    _ items: [JSON], _ call: GraphCall, _ path: String = "root/children"
  ) -> GraphCollection {
    let owner = call.subject.map { UserResource.id(of: $0.member) } ?? ""
    return GraphCollection(
      items: items, context: "users('\(owner)')/drive/\(path)", style: .files,
      typeName: "microsoft.graph.driveItem", kept: [])
  }

  static let notFound = GraphFailure(404, "itemNotFound", "The resource could not be found.")
}

extension GraphRoute {
  private static let read = GraphAccess("Files.Read")
  private static let readApps = GraphAccess("Files.Read.All")

  static let driveRoutes: [GraphRoute] = [
    GraphRoute(.get, .user, "drive", .files, needs: read, forApps: readApps) { call, _ throws(GraphFailure) in
      .entity(try DriveResource.drive(call), context: call.context("drives/$entity"))
    },
    GraphRoute(.get, .user, "drive/root", .files, needs: read, forApps: readApps) { call, _ throws(GraphFailure) in
      try DriveResource.collection([], call, "root").entity(try DriveResource.root(call), call)
    },
    GraphRoute(.get, .user, "drive/root/children", .files, needs: read, forApps: readApps) {
      call, _ throws(GraphFailure) in
      try DriveResource.collection(try DriveResource.children(of: "", call), call).answer(call)
    },
    GraphRoute(.get, .user, "drive/items/{}", .files, needs: read, forApps: readApps) { call, _ throws(GraphFailure) in
      try DriveResource.answer(try DriveResource.find(id: call.parameters.last ?? "", call), call)
    },
    GraphRoute(.get, .user, "drive/items/{}/children", .files, needs: read, forApps: readApps) {
      call, _ throws(GraphFailure) in
      let folder = try DriveResource.find(id: call.parameters.last ?? "", call)
      return try DriveResource.collection(try DriveResource.children(of: folder.path, call), call).answer(call)
    },
    GraphRoute(.get, .user, "drive/items/{}/content", .files, needs: read, forApps: readApps) {
      call, _ throws(GraphFailure) in
      guard case (let path, let content?) = try DriveResource.find(id: call.parameters.last ?? "", call) else {
        throw DriveResource.notFound
      }
      return GraphAnswer(body: .bytes(Array(content.utf8), mediaType: DriveResource.mediaType(path)))
    },
  ]
}
