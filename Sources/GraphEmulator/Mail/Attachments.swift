import Documents
import OAuth
import OrderedCollections

/// The attachments of a message, kept inside it and shown only where they are asked for.
enum Attachments {
  /// The member that holds them; names that begin so are shown to nobody.
  static let member = "~attachments"

  /// Moves what a caller attached to where it is kept, each with all its members.
  static func keep(in message: inout OrderedDictionary<String, JSON>, id: String) {
    guard let given = message.removeValue(forKey: "attachments")?.array, !given.isEmpty else { return }
    let kept = given.enumerated().map { number, attachment in
      complete(attachment, id: OutlookID.item("attachment", id, String(number)))
    }
    message[member] = .array(kept)
    message["hasAttachments"] = .bool(kept.contains { $0["isInline"]?.bool != true })
  }

  /// The attachment with all its members.
  static func complete(_ attachment: JSON, id: String) -> JSON {
    func given(_ name: String) -> JSON? { attachment.member(name) }
    let content = given("contentBytes")?.string ?? ""
    var members: OrderedDictionary<String, JSON> = [
      "@odata.type": attachment["@odata.type"] ?? "#microsoft.graph.fileAttachment",
      "id": .string(id), "lastModifiedDateTime": nil,
      "name": given("name") ?? "", "contentType": given("contentType") ?? "application/octet-stream",
      "size": .integer(Int64(content.utf8.count / 4 * 3)), "isInline": given("isInline") ?? false,
      "contentId": given("contentId") ?? nil, "contentBytes": .string(content),
    ]
    if let item = given("item") { members["item"] = item }
    return .object(members)
  }

  static func of(_ message: JSON) -> [JSON] { message[member]?.array ?? [] }
}
