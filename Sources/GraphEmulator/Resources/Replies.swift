import Directory
import Documents
import Effects
import HTTPTypes
import OrderedCollections

/// The actions `reply`, `replyAll`, and `forward`, and the actions that create the corresponding drafts.
enum Replies {
  enum Kind: String, CaseIterable, Sendable {
    case reply, replyAll, forward

    var draft: String { "create" + rawValue.prefix(1).uppercased() + rawValue.dropFirst() }
  }

  static func response(_ kind: Kind, isDraft: Bool, _ call: GraphRequestContext, _ state: inout GraphState)
    throws(GraphErrorResponse)
    -> GraphResponse
  {
    guard let subject = call.subject else { throw .delegatedOnly }
    let (messages, index) = try MessageResource.find(call, state)
    let body: JSON = call.request.message.body.isEmpty ? [:] : try call.object()
    let reply = try message(kind, to: messages[index], body, from: subject)
    guard isDraft else {
      try SendMail.deliver(reply, from: subject, keepsCopy: true, call, &state)
      return GraphResponse(202)
    }
    return try MessageResource.store(reply, in: "drafts", call, &state)
  }

  private static func message(
    _ kind: Kind, to original: JSON, _ body: JSON, from subject: GraphSubject
  ) throws(GraphErrorResponse) -> JSON {
    let changes = body.member("message")
    let comment = body.member("comment")?.string
    guard comment == nil || changes?.member("body") == nil else {
      throw GraphErrorResponse(
        400, "ErrorInvalidRequest", "Specify either comment or the message's body, not both.")
    }
    let prefix = kind == .forward ? "FW: " : "RE: "
    let title = original["subject"]?.string ?? ""
    let content = original["body"]?["content"]?.string ?? ""
    let isHTML = original["body"]?["contentType"]?.string?.lowercased() == "html"
    let separation = isHTML ? "<br><hr>" : "\r\n________________________________\r\n"
    var reply: JSON = [
      "subject": .string(title.lowercased().hasPrefix(prefix.lowercased()) ? title : prefix + title),
      "body": [
        "contentType": isHTML ? "html" : "text",
        "content": .string((comment.map { isHTML ? $0.escapedForMarkup : $0 } ?? "") + separation + content),
      ],
    ]
    if let own = changes?.member("body") { reply["body"] = own }
    let me = (subject.member.account.user.mail ?? subject.member.account.user.username).lowercased()
    func others(_ recipients: JSON?) -> [JSON] {
      (recipients?.array ?? []).filter { $0["emailAddress"]?["address"]?.string?.lowercased() != me }
    }
    switch kind {
    case .reply: reply["toRecipients"] = .array(original["from"].map { [$0] } ?? [])
    case .replyAll:
      reply["toRecipients"] = .array((original["from"].map { [$0] } ?? []) + others(original["toRecipients"]))
      reply["ccRecipients"] = .array(others(original["ccRecipients"]))
    case .forward: reply["toRecipients"] = body.member("toRecipients") ?? []
    }
    for name in ["toRecipients", "ccRecipients", "bccRecipients", "subject", "importance"] {
      if let value = changes?.member(name) { reply[name] = value }
    }
    return reply
  }
}

extension GraphRoute {
  private static let send = GraphAccess("Mail.Send")
  private static let write = GraphAccess("Mail.ReadWrite")

  static let replyRoutes: [GraphRoute] = Replies.Kind.allCases.flatMap { kind in
    [
      GraphRoute(.post, .user, "messages/{}/\(kind.rawValue)", .exchange, needs: send, forApps: send) {
        call, state throws(GraphErrorResponse) in try Replies.response(kind, isDraft: false, call, &state)
      },
      GraphRoute(.post, .user, "messages/{}/\(kind.draft)", .exchange, needs: write, forApps: write) {
        call, state throws(GraphErrorResponse) in try Replies.response(kind, isDraft: true, call, &state)
      },
    ]
  }
}
