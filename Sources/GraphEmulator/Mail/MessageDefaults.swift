import Directory
import Documents
import Effects
import OrderedCollections

/// Default values for message properties.
enum MessageDefaults {
  private static let defaults: OrderedDictionary<String, JSON> = [
    "receivedDateTime": nil, "sentDateTime": nil, "hasAttachments": false, "internetMessageId": "", "subject": "",
    "bodyPreview": "", "importance": "normal", "parentFolderId": "", "conversationId": "", "conversationIndex": nil,
    "isDeliveryReceiptRequested": nil, "isReadReceiptRequested": false, "isRead": false, "isDraft": false,
    "webLink": "", "inferenceClassification": "focused", "body": ["contentType": "html", "content": ""], "sender": nil,
    "from": nil, "toRecipients": [], "ccRecipients": [], "bccRecipients": [], "replyTo": [],
    "flag": ["flagStatus": "notFlagged"],
  ]

  static let properties = PropertyNames(defaults.keys).union([
    "id", "createdDateTime", "lastModifiedDateTime", "changeKey", "categories", "attachments", "uniqueBody",
    "internetMessageHeaders",
  ])

  /// The properties that a request cannot set.
  static let readOnly: Set<String> = [
    "id", "@odata.etag", "createdDateTime", "lastModifiedDateTime", "changeKey", "receivedDateTime", "sentDateTime",
    "hasAttachments", "bodyPreview", "parentFolderId", "conversationId", "webLink", "isDraft",
  ]

  static func exactName(_ name: String) -> String {
    if defaults[name] != nil { return name }
    return properties.exactName(name) ?? name
  }

  static func complete(_ message: JSON, id: String, folder: String, owner: User, created: Instant) -> JSON {
    let stamp = JSON.string(created.rfc3339())
    var members: OrderedDictionary<String, JSON> = [
      "id": .string(id), "createdDateTime": stamp, "lastModifiedDateTime": stamp, "changeKey": "", "categories": [],
    ]
    for (key, value) in defaults { members[key] = value }
    for (key, value) in message.object ?? [:] where !key.hasPrefix("@odata.") {
      members[exactName(key)] = exactMembers(value)
    }
    members["id"] = .string(id)
    Attachments.store(in: &members, id: id)
    members["parentFolderId"] = .string(folder)
    if let content = members["body"]?["content"]?.string {
      let type = members["body"]?["contentType"]?.string?.lowercased() ?? "text"
      members["body"] = ["contentType": type == "html" ? "html" : "text", "content": .string(content)]
      if message.member("bodyPreview") == nil {
        members["bodyPreview"] = .string(BodyContentConversion.preview(content))
      }
    } else if let preview = members["bodyPreview"] {
      members["body"] = ["contentType": "text", "content": preview]
    }
    let me = MailAddress.json(name: owner.shownName, address: owner.mail ?? owner.username)
    if members["from"]?.isNull != false { members["from"] = me }
    if members["sender"]?.isNull != false { members["sender"] = members["from"] ?? me }
    for key in ["receivedDateTime", "sentDateTime"] where members[key]?.isNull != false { members[key] = stamp }
    let subject = members["subject"]?.string ?? ""
    members["conversationId"] = .string(OutlookID.item("conversation", subject.lowercased()))
    let identifier = String(Fingerprint.of(id), radix: 16).uppercased()
    members["internetMessageId"] = .string("<\(identifier)@emulated.prod.outlook.com>")
    members["webLink"] = .string("https://outlook.office365.com/owa/?ItemID=\(id)&exvsurl=1&viewmodel=ReadMessageItem")
    return EventDefaults.withChangeKey(.object(members))
  }

  /// Corrects the case of property names in a message, because some clients send `EmailAddress` and `Address`.
  private static func exactMembers(_ json: JSON) -> JSON {
    switch json {
    case .array(let elements): .array(elements.map(exactMembers))
    case .object(let members):
      .object(
        OrderedDictionary(
          members.map { (exactInner[$0.key.lowercased()] ?? $0.key, exactMembers($0.value)) },
          uniquingKeysWith: { $1 }))
    default: json
    }
  }

  private static let exactInner = [
    "emailaddress": "emailAddress", "address": "address", "name": "name", "contenttype": "contentType",
    "content": "content", "flagstatus": "flagStatus", "contentbytes": "contentBytes", "isinline": "isInline",
    "contentid": "contentId",
  ]
}
