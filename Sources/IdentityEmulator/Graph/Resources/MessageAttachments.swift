import Documents
import HTTPTypes
import OAuth

/// `/me/messages/{id}/attachments`.
enum MessageAttachments {
  static func collection(_ items: [JSON], _ call: GraphCall) -> GraphCollection {
    let owner = call.subject.map { UserResource.id(of: $0.member) } ?? ""
    return GraphCollection(
      items: items, context: "users('\(owner)')/messages('\(call.parameters.first ?? "")')/attachments",
      style: .outlook, typeName: "microsoft.graph.attachment", kept: ["id", "@odata.type"])
  }

  /// The message that the path names first.
  static func message(_ call: GraphCall, _ state: GraphState) throws(GraphFailure) -> JSON {
    let messages = MailStore.all(of: try MessageResource.owner(call), state)
    guard let found = messages.first(where: { $0["id"]?.string == call.parameters.first }) else { throw .itemNotFound }
    return found
  }

  static func one(_ call: GraphCall, _ state: GraphState) throws(GraphFailure) -> JSON {
    let all = Attachments.of(try message(call, state))
    guard let found = all.first(where: { $0["id"]?.string == call.parameters.last }) else { throw .itemNotFound }
    return found
  }
}

extension GraphRoute {
  private static let read = GraphAccess("Mail.Read")

  static let messageAttachmentRoutes: [GraphRoute] = [
    GraphRoute(.get, .user, "messages/{}/attachments", .exchange, needs: read, forApps: read) {
      call, state throws(GraphFailure) in
      try MessageAttachments.collection(Attachments.of(try MessageAttachments.message(call, state)), call).answer(call)
    },
    GraphRoute(.get, .user, "messages/{}/attachments/{}", .exchange, needs: read, forApps: read) {
      call, state throws(GraphFailure) in
      try MessageAttachments.collection([], call).entity(try MessageAttachments.one(call, state), call)
    },
    GraphRoute(.get, .user, "messages/{}/attachments/{}/$value", .exchange, needs: read, forApps: read) {
      call, state throws(GraphFailure) in
      let messages = MailStore.all(of: try MessageResource.owner(call), state)
      let message = messages.first { $0["id"]?.string == call.parameters.first }
      let found = message.map { Attachments.of($0) }?.first { $0["id"]?.string == call.parameters.last }
      guard let found, let bytes = try? Base64.decode(found["contentBytes"]?.string ?? "") else { throw .itemNotFound }
      return GraphAnswer(
        body: .bytes(bytes, mediaType: found["contentType"]?.string ?? "application/octet-stream"))
    },
  ]
}
