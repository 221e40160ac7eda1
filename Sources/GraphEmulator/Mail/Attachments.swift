import Documents
import OAuth
import OrderedCollections

/// The attachments of a message or event. The stored item contains them, but responses include them only on request.
enum Attachments {
  /// The internal key for attachments. Responses never include keys that start with `~`.
  static let member = "~attachments"

  /// Moves the attachments of a new message to the internal key and adds their missing properties.
  static func store(in message: inout OrderedDictionary<String, JSON>, id: String) {
    guard let attachments = message.removeValue(forKey: "attachments")?.array, !attachments.isEmpty else { return }
    let completed = attachments.enumerated().map { number, attachment in
      complete(attachment, id: OutlookID.item("attachment", id, String(number)))
    }
    message[member] = .array(completed)
    message["hasAttachments"] = .bool(completed.contains { $0["isInline"]?.bool != true })
  }

  /// Returns the attachment with default values for missing properties.
  static func complete(_ attachment: JSON, id: String) -> JSON {
    func value(_ name: String) -> JSON? { attachment.member(name) }
    let content = value("contentBytes")?.string ?? ""
    var members: OrderedDictionary<String, JSON> = [
      "@odata.type": attachment["@odata.type"] ?? "#microsoft.graph.fileAttachment",
      "id": .string(id), "lastModifiedDateTime": nil,
      "name": value("name") ?? "", "contentType": value("contentType") ?? "application/octet-stream",
      "size": .integer(Int64(content.utf8.count / 4 * 3)), "isInline": value("isInline") ?? false,
      "contentId": value("contentId") ?? nil, "contentBytes": .string(content),
    ]
    if let item = value("item") { members["item"] = item }
    return .object(members)
  }

  static func of(_ message: JSON) -> [JSON] { message[member]?.array ?? [] }
}
