import Directory
import Documents
import Effects
import OAuth
import OrderedCollections

/// A file or folder in a drive, as the emulator stores it.
struct DriveItem: Hashable, Sendable {
  var id: String
  /// The id of the parent folder, or nil for the root.
  var parentID: String?
  var name: String
  /// The content in Base64, or nil for a folder.
  var content: String?
  var size = 0
  var hash = ""
  var mediaType = ""
  /// The creation time in RFC 3339 format.
  var created: String
  var modified: String
  /// The creation time in the client's file system, if the client sent it.
  var clientCreated: String?
  var clientModified: String?
  /// A number that increases with each change.
  var version = 1

  var isFolder: Bool { content == nil }
  var eTag: String { "\"{\(id)},\(version)\"" }

  init(id: String, parentID: String?, name: String, at stamp: String) {
    (self.id, self.parentID, self.name, created, modified) = (id, parentID, name, stamp, stamp)
  }

  /// Sets the content and makes the item a file.
  mutating func setContent(_ bytes: [UInt8], mediaType: String?, at stamp: String) {
    content = Base64.encode(bytes)
    size = bytes.count
    hash = QuickXorHash.text(of: bytes)
    self.mediaType = mediaType ?? Self.mediaType(of: name)
    modified = stamp
    clientModified = nil
  }

  /// Parses an item from the output of `json`. Returns nil for any other value.
  init?(_ json: JSON) {
    guard let id = json["id"]?.string, let name = json["name"]?.string, let created = json["created"]?.string else {
      return nil
    }
    self.init(id: id, parentID: json["parent"]?.string, name: name, at: created)
    modified = json["modified"]?.string ?? created
    content = json["content"]?.string
    size = json["size"]?.integer.map { Int(clamping: $0) } ?? 0
    hash = json["hash"]?.string ?? ""
    mediaType = json["mediaType"]?.string ?? ""
    clientCreated = json["clientCreated"]?.string
    clientModified = json["clientModified"]?.string
    version = json["version"]?.integer.map { Int(clamping: $0) } ?? 1
  }

  var json: JSON {
    var members: OrderedDictionary<String, JSON> = [
      "id": .string(id), "name": .string(name), "created": .string(created), "modified": .string(modified),
      "size": .integer(Int64(size)), "hash": .string(hash), "mediaType": .string(mediaType),
      "version": .integer(Int64(version)),
    ]
    members["parent"] = parentID.map { .string($0) }
    members["content"] = content.map { .string($0) }
    members["clientCreated"] = clientCreated.map { .string($0) }
    members["clientModified"] = clientModified.map { .string($0) }
    return .object(members)
  }

  private static func mediaType(of name: String) -> String {
    let mediaTypes = ["csv": "text/csv", "md": "text/markdown", "txt": "text/plain", "json": "application/json"]
    let ending = name.split(separator: ".").last.map { $0.lowercased() } ?? ""
    return mediaTypes[ending] ?? "application/octet-stream"
  }
}

extension DriveStore {
  /// Returns the item as a Graph `driveItem`.
  func json(_ item: DriveItem) -> JSON {
    let user: JSON = [
      "user": [
        "id": .string(UserResource.id(of: subject.member)),
        "displayName": .string(subject.member.account.user.shownName),
      ]
    ]
    let path = names(of: item).joined(separator: "/")
    var members: OrderedDictionary<String, JSON> = [
      "createdDateTime": .string(item.created), "cTag": .string("\"c:{\(item.id)},\(item.version)\""),
      "eTag": .string(item.eTag), "id": .string(item.id), "lastModifiedDateTime": .string(item.modified),
      "name": .string(item.name), "webUrl": .string("https://contoso-my.sharepoint.com/personal/me/Documents/\(path)"),
      "size": .integer(Int64(size(of: item))), "createdBy": user, "lastModifiedBy": user,
      "fileSystemInfo": [
        "createdDateTime": .string(item.clientCreated ?? item.created),
        "lastModifiedDateTime": .string(item.clientModified ?? item.modified),
      ],
    ]
    var parent: OrderedDictionary<String, JSON> = ["driveType": .string(driveType), "driveId": .string(driveID)]
    if let folder = item.parentID.flatMap({ id in items.first { $0.id == id } }) {
      let above = names(of: folder).joined(separator: "/")
      parent["id"] = .string(folder.id)
      parent["path"] = .string(above.isEmpty ? "/drive/root:" : "/drive/root:/\(above)")
    } else {
      members["root"] = [:]
    }
    members["parentReference"] = .object(parent)
    if item.isFolder {
      members["folder"] = ["childCount": .integer(Int64(children(of: item.id).count))]
    } else {
      members["file"] = ["mimeType": .string(item.mediaType), "hashes": ["quickXorHash": .string(item.hash)]]
    }
    return .object(members)
  }

  /// The drive as a Graph `drive`.
  var driveJSON: JSON {
    let used = items.reduce(0) { $0 + $1.size }
    return [
      "id": .string(driveID), "driveType": .string(driveType), "name": "OneDrive", "description": "",
      "webUrl": "https://contoso-my.sharepoint.com/personal/me/Documents",
      "owner": [
        "user": [
          "id": .string(UserResource.id(of: subject.member)),
          "displayName": .string(subject.member.account.user.shownName),
        ]
      ],
      "quota": [
        "deleted": 0, "remaining": .integer(Int64(max(0, Self.byteLimit - used))), "state": "normal",
        "total": .integer(Int64(Self.byteLimit)), "used": .integer(Int64(used)),
      ],
    ]
  }
}
