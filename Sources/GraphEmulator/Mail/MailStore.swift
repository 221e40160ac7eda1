import Directory
import Documents
import Effects
import OrderedCollections

/// One account's messages in all folders.
enum MailStore {
  /// The folders in every mailbox, with their well-known names and display names.
  static let folders: [(name: String, displayName: String)] = [
    ("inbox", "Inbox"), ("drafts", "Drafts"), ("sentitems", "Sent Items"), ("deleteditems", "Deleted Items"),
    ("junkemail", "Junk Email"), ("archive", "Archive"), ("outbox", "Outbox"),
  ]

  static func folderID(_ name: String, of accountID: String) -> String {
    OutlookID.item("mailFolder", accountID, name)
  }

  /// Returns the id of the folder with this id or well-known name.
  static func folderID(named name: String, of accountID: String) -> String? {
    let requested = name.lowercased()
    return folders.first { $0.name == requested || folderID($0.name, of: accountID) == name }
      .map { folderID($0.name, of: accountID) }
  }

  static func all(of accountID: String, _ state: GraphState) -> [JSON] {
    if let stored = state.collection("messages", of: accountID) { return stored }
    guard let account = state.account(accountID) else { return [] }
    return state.seeds("messages", of: accountID).enumerated().map { index, seed in
      let id = OutlookID.item("message", accountID, String(index))
      let folder = seed["parentFolderId"]?.string ?? "inbox"
      return MessageDefaults.complete(
        seed, id: id, folder: folderID(named: folder, of: accountID) ?? folderID("inbox", of: accountID),
        owner: account.user, created: state.epoch)
    }
  }

  static func save(_ messages: [JSON], of accountID: String, _ state: inout GraphState) {
    state.setCollection("messages", of: accountID, to: messages)
  }

  /// Sorts messages by date, newest first, as Outlook does.
  static func newestFirst(_ messages: [JSON]) -> [JSON] {
    ODataOrder.sorted(messages, by: [ODataOrder(path: ["receivedDateTime"], isDescending: true)])
  }
}
