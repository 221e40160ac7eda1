import Directory
import Documents
import Effects
import OAuth
import OrderedCollections

/// The files and folders of one user's drive.
struct DriveStore: Sendable {
  /// The behavior if the name already exists (`@microsoft.graph.conflictBehavior`).
  enum Conflict: String {
    case fail, replace, rename
  }

  /// The maximum total size of all drives, attachments, and unfinished uploads. The emulator stores this data in Base64
  /// in memory and in its snapshot. The limit keeps the snapshot below 64 MiB, the maximum size of JSON documents.
  static let byteLimit = 40 << 20
  /// The maximum number of files and folders in one drive.
  static let itemLimit = 5_000
  /// The maximum folder depth.
  private static let depthLimit = 30
  private static let collection = "drive"

  let subject: GraphSubject
  private(set) var items: [DriveItem]

  init(_ subject: GraphSubject, _ state: GraphState) {
    self.subject = subject
    items = (state.collection(Self.collection, of: subject.accountID) ?? []).compactMap { DriveItem($0) }
    if items.isEmpty { items = Self.initial(subject) }
  }

  /// Returns the initial files of every drive.
  private static func initial(_ subject: GraphSubject) -> [DriveItem] {
    let files: [(path: String, content: String?)] = [
      ("", nil), ("Documents", nil), ("Pictures", nil), ("Welcome.txt", "Welcome to your emulated drive.\r\n"),
      ("Documents/Notes.md", "# Notes\n\n- all data in this drive is fake\n"),
      ("Documents/Budget.csv", "month,amount\nJanuary,100\n"),
    ]
    let stamp = "2024-01-01T00:00:00Z"
    func id(_ path: String) -> String {
      "01" + String(Fingerprint.of(subject.accountID + "/" + path), radix: 36).uppercased()
    }
    return files.map { path, content in
      let names = path.split(separator: "/").map(String.init)
      var item = DriveItem(
        id: id(path), parentID: names.isEmpty ? nil : id(names.dropLast().joined(separator: "/")),
        name: names.last ?? "root", at: stamp)
      if let content { item.setContent(Array(content.utf8), mediaType: nil, at: stamp) }
      return item
    }
  }

  func save(_ state: inout GraphState) {
    state.setCollection(Self.collection, of: subject.accountID, to: items.map(\.json))
  }

  static func id(of subject: GraphSubject) -> String {
    "b!" + OutlookID.item("drive", subject.accountID).dropFirst(6).prefix(40)
  }

  var driveID: String { Self.id(of: subject) }
  var driveType: String { subject.member.account.homeTenantID == Tenant.personalID ? "personal" : "business" }
  private var root: DriveItem { items.first { $0.parentID == nil } ?? items[0] }

  func children(of id: String) -> [DriveItem] { items.filter { $0.parentID == id } }

  /// Returns the names on the path from the root to the item, or an empty list for the root.
  func names(of item: DriveItem) -> [String] {
    var names: [String] = []
    var current = item
    while let parent = current.parentID, names.count <= Self.depthLimit {
      names.insert(current.name, at: 0)
      guard let above = items.first(where: { $0.id == parent }) else { break }
      current = above
    }
    return names
  }

  /// Returns the size of a file, or the total size of all files in a folder.
  func size(of item: DriveItem) -> Int {
    item.isFolder ? subtree(of: item.id).reduce(0) { $0 + $1.size } : item.size
  }

  private func subtree(of id: String) -> [DriveItem] {
    var result = items.filter { $0.id == id }
    var index = 0
    while index < result.count {
      result += children(of: result[index].id)
      index += 1
    }
    return result
  }

  private func child(_ name: String, of id: String) -> DriveItem? {
    let requested = name.lowercased()
    return items.first { $0.parentID == id && $0.name.lowercased() == requested }
  }

  /// Returns the item at an address, or nil if there is no such item.
  func find(_ address: String) -> DriveItem? {
    let (base, names) = DrivePath.parts(of: address)
    var result = base.lowercased() == "root" ? root : items.first { $0.id.lowercased() == base.lowercased() }
    for name in names { result = result.flatMap { child(name, of: $0.id) } }
    return result
  }

  func item(_ address: String) throws(GraphErrorResponse) -> DriveItem {
    guard let item = find(address) else { throw Self.notFound }
    return item
  }

  /// Adds or replaces a file. Creates missing folders on the path, as OneDrive does.
  /// - Returns: The file, and whether it is new.
  mutating func put(
    _ bytes: [UInt8], at address: String, mediaType: String?, conflict: Conflict, _ now: Instant,
    _ randomness: any Randomness
  ) throws(GraphErrorResponse) -> (item: DriveItem, isNew: Bool) {
    let stamp = now.rfc3339()
    if let old = find(address), conflict == .replace || DrivePath.parts(of: address).names.isEmpty {
      guard !old.isFolder else { throw Self.exists }
      var item = old
      item.setContent(bytes, mediaType: mediaType, at: stamp)
      return (update(item), false)
    }
    var (base, names) = DrivePath.parts(of: address)
    guard let name = names.popLast() else { throw Self.notFound }
    var folder = try item(base)
    for name in names {
      if let existing = child(name, of: folder.id) {
        folder = existing
      } else {
        folder = try add(name, to: folder, conflict: .fail, stamp, randomness) { _ in }
      }
    }
    let item = try add(name, to: folder, conflict: conflict, stamp, randomness) {
      $0.setContent(bytes, mediaType: mediaType, at: stamp)
    }
    return (item, true)
  }

  /// Adds an item to a folder.
  mutating func add(
    _ name: String, to folder: DriveItem, conflict: Conflict, _ stamp: String, _ randomness: any Randomness,
    _ complete: (inout DriveItem) -> Void
  ) throws(GraphErrorResponse) -> DriveItem {
    try DrivePath.check(name)
    guard folder.isFolder else { throw Self.invalid("The parent is a file, not a folder.") }
    guard items.count < Self.itemLimit, names(of: folder).count < Self.depthLimit else { throw Self.full }
    var item = DriveItem(
      id: "01" + randomness.uuid().filter { $0 != "-" }.uppercased(), parentID: folder.id, name: name, at: stamp)
    if let old = child(name, of: folder.id) {
      switch conflict {
      case .fail: throw Self.exists
      case .replace:
        guard !old.isFolder else { return old }
        item = old
      case .rename: item.name = unusedName(name, in: folder)
      }
    }
    complete(&item)
    if items.contains(where: { $0.id == item.id }) { return update(item) }
    items.append(item)
    return item
  }

  /// Returns an unused name that ends with a number, such as `Notes 1.md`, as OneDrive does.
  private func unusedName(_ name: String, in folder: DriveItem) -> String {
    let dot = name.lastIndex(of: ".") ?? name.endIndex
    for number in 1...Self.itemLimit + 1 {
      let candidate = "\(name[..<dot]) \(number)\(name[dot...])"
      if child(candidate, of: folder.id) == nil { return candidate }
    }
    return name
  }

  @discardableResult
  mutating func update(_ item: DriveItem) -> DriveItem {
    var item = item
    item.version += 1
    if let index = items.firstIndex(where: { $0.id == item.id }) { items[index] = item }
    return item
  }

  /// Renames or moves an item.
  mutating func move(_ item: DriveItem, to folder: DriveItem, as name: String) throws(GraphErrorResponse) -> DriveItem {
    try DrivePath.check(name)
    guard item.parentID != nil else { throw Self.invalid("The root cannot be renamed or moved.") }
    guard folder.isFolder, !subtree(of: item.id).contains(where: { $0.id == folder.id }) else {
      throw Self.invalid("An item cannot be moved into a file, into itself, or into one of its descendants.")
    }
    if let other = child(name, of: folder.id), other.id != item.id { throw Self.exists }
    var item = item
    (item.parentID, item.name) = (folder.id, name)
    return item
  }

  mutating func remove(_ item: DriveItem) throws(GraphErrorResponse) {
    guard item.parentID != nil else { throw Self.invalid("The root cannot be deleted.") }
    let removed = Set(subtree(of: item.id).map(\.id))
    items.removeAll { removed.contains($0.id) }
  }

  /// Throws an error if storing more bytes would exceed the limit for files, attachments, and unfinished uploads.
  static func checkCapacity(for more: Int, _ state: GraphState) throws(GraphErrorResponse) {
    let held = state.collections.filter { $0.key.hasSuffix("/\(collection)") }.values.joined()
      .reduce(0) { $0 + ($1["size"]?.integer.map { Int(clamping: $0) } ?? 0) }
    let attached = state.collections.filter { $0.key.hasSuffix("/messages") || $0.key.hasSuffix("/events") }
      .values.joined().flatMap { Attachments.of($0) }.reduce(0) {
        $0 + ($1["size"]?.integer.map { Int(clamping: $0) } ?? 0)
      }
    guard held + attached + UploadSession.bytesHeld(state) + more <= byteLimit else { throw full }
  }

  static let notFound = GraphErrorResponse(404, "itemNotFound", "The resource could not be found.")
  static let exists = GraphErrorResponse(
    409, "nameAlreadyExists", "An item with the same name already exists under the parent.")
  static let full = GraphErrorResponse(
    507, "quotaLimitReached",
    "The emulator stores at most \(byteLimit >> 20) MiB of files, attachments, and unfinished uploads, and "
      + "\(itemLimit) items in a drive.")
  static func invalid(_ message: String) -> GraphErrorResponse { GraphErrorResponse(400, "invalidRequest", message) }
}
