import Directory
import Documents
import Effects
import HTTPTypes
import OAuth
import OrderedCollections

/// `/me/sendMail`: delivers a message to mailboxes in this directory and saves a copy in Sent Items.
enum SendMail {
  static func response(_ call: GraphRequestContext, _ state: inout GraphState) throws(GraphErrorResponse)
    -> GraphResponse
  {
    guard let subject = call.subject else { throw .delegatedOnly }
    let type = call.header("Content-Type")?.lowercased() ?? ""
    if type.hasPrefix("text/plain") {
      try deliver(try mime(call.request.message.body), from: subject, keepsCopy: true, call, &state)
      return GraphResponse(202)
    }
    let body = try call.object()
    guard let message = body.member("message"), message.object != nil else {
      throw GraphErrorResponse(400, "ErrorInvalidRequest", "The request does not contain a message.")
    }
    for key in message.object?.keys ?? [] where !key.contains("@") {
      guard MessageDefaults.properties.contains(MessageDefaults.exactName(key)) else {
        throw .malformed("The property '\(key)' does not exist on type 'microsoft.graph.message'.")
      }
    }
    try deliver(message, from: subject, keepsCopy: body.member("saveToSentItems")?.bool ?? true, call, &state)
    return GraphResponse(202)
  }

  static func deliver(
    _ message: JSON, from sender: GraphSubject, keepsCopy: Bool, _ call: GraphRequestContext, _ state: inout GraphState
  ) throws(GraphErrorResponse) {
    var recipients: [String] = []
    for name in ["toRecipients", "ccRecipients", "bccRecipients"] {
      for recipient in message.member(name)?.array ?? [] {
        guard let address = recipient.member("emailAddress")?.member("address")?.string, address.contains("@") else {
          throw GraphErrorResponse(400, "ErrorInvalidRecipients", "At least one recipient is not valid.")
        }
        recipients.append(address.lowercased())
      }
    }
    guard !recipients.isEmpty else {
      throw GraphErrorResponse(
        400, "ErrorInvalidRecipients",
        "At least one recipient isn't valid., A message can't be sent "
          + "unless it contains at least one recipient.")
    }
    var sent = message
    for name in MessageDefaults.readOnly { sent[name] = nil }
    sent["isDraft"] = false
    let user = sender.member.account.user
    if keepsCopy {
      sent["isRead"] = true
      add(sent, to: sender.accountID, folder: "sentitems", from: sender, call, &state)
    }
    sent["isRead"] = false
    sent["bccRecipients"] = []
    sent["from"] = MailAddress.json(name: user.shownName, address: user.mail ?? user.username)
    for account in state.accounts.values
    where recipients.contains((account.user.mail ?? account.user.username).lowercased()) {
      add(sent, to: account.user.id, folder: "inbox", from: sender, call, &state)
    }
  }

  private static func add(
    _ message: JSON, to accountID: String, folder: String, from sender: GraphSubject, _ call: GraphRequestContext,
    _ state: inout GraphState
  ) {
    let id = OutlookID.item("message", accountID, call.randomness.uuid())
    let item = MessageDefaults.complete(
      message, id: id, folder: MailStore.folderID(folder, of: accountID), owner: sender.member.account.user,
      created: call.now)
    MailStore.save(MailStore.all(of: accountID, state) + [item], of: accountID, &state)
  }

  /// Parses a Base64-encoded MIME message. Supports only the headers and body that a message requires.
  private static func mime(_ body: [UInt8]) throws(GraphErrorResponse) -> JSON {
    let compact = String(decoding: body, as: UTF8.self).filter { !$0.isWhitespace }
    guard let bytes = try? Base64.decode(compact), !bytes.isEmpty else {
      throw GraphErrorResponse(400, "ErrorMimeContentInvalidBase64String", "Invalid base64 string for MIME content.")
    }
    let text = String(decoding: bytes, as: UTF8.self).replacing("\r\n", with: "\n")
    let end = text.firstRange(of: "\n\n")
    var fields: [String: String] = [:]
    for line in text[..<(end?.lowerBound ?? text.endIndex)].split(separator: "\n") {
      let name = line.prefix { $0 != ":" }
      fields[name.lowercased()] = line.dropFirst(name.count + 1).trimmingSpaces()
    }
    func recipients(_ name: String) -> JSON {
      .array(
        (fields[name] ?? "").split(separator: ",").map { entry in
          let inner = entry.split(separator: "<").last?.prefix { $0 != ">" } ?? entry
          let address = inner.trimmingSpaces()
          return MailAddress.json(name: address, address: address)
        })
    }
    let isHTML = fields["content-type"]?.lowercased().contains("html") ?? false
    return [
      "subject": .string(fields["subject"] ?? ""), "toRecipients": recipients("to"), "ccRecipients": recipients("cc"),
      "body": [
        "contentType": isHTML ? "html" : "text", "content": .string(end.map { String(text[$0.upperBound...]) } ?? ""),
      ],
    ]
  }
}

extension GraphRoute {
  static let sendMailRoutes: [GraphRoute] = [
    GraphRoute(
      .post, .user, "sendMail", .exchange, needs: GraphAccess("Mail.Send"), forApps: GraphAccess("Mail.Send")
    ) { call, state throws(GraphErrorResponse) in try SendMail.response(call, &state) }
  ]
}
