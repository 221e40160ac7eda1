import Documents
import Effects
import GraphEmulator
import HTTPTypes
import OAuth
import Testing

import IdentityEmulator

@Suite struct GraphMailTests {
  private static let message: JSON = [
    // The msgraph SDK writes the outer names with an uppercase first letter.
    "Message": [
      "subject": "Hello", "body": ["contentType": "text", "content": "How are you?"],
      "toRecipients": [["emailAddress": ["address": "adele@contoso.com"]]],
    ],
    "SaveToSentItems": true,
  ]

  @Test("delivers sent mail and saves a copy")
  func sendMail() async {
    var probe = GraphProbe("Mail.Send", "Mail.Read")
    let sent = await probe.post("/me/sendMail", Self.message)
    #expect(sent.status == 202)
    #expect(sent.bytes.isEmpty)
    let copies = await probe.get("/me/mailFolders/sentitems/messages")
    #expect(copies.names("subject") == ["Hello"])
    #expect(copies.value.first?["isDraft"] == false)
    #expect(copies.value.first?["from"]?["emailAddress"]?["address"] == "megan@contoso.com")
    probe.caller = GraphProbe("Mail.Read", user: "adele@contoso.com").caller
    let received = await probe.get("/me/mailFolders/Inbox/messages")
    #expect(received.names("subject") == ["Hello"])
    #expect(received.value.first?["isRead"] == false)
    #expect(received.value.first?["bodyPreview"] == "How are you?")
  }

  @Test("does not save a copy if `saveToSentItems` is false")
  func withoutCopy() async {
    let probe = GraphProbe("Mail.Send", "Mail.Read")
    var body = Self.message
    body["SaveToSentItems"] = false
    #expect(await probe.post("/me/sendMail", body).status == 202)
    #expect(await probe.get("/me/mailFolders/sentitems/messages").value.isEmpty)
  }

  @Test(
    "rejects an invalid message",
    arguments: [
      [:] as JSON, ["message": ["subject": "x"]],
      ["message": ["toRecipients": [["emailAddress": ["address": "x"]]]]],
      ["message": ["shoeSize": 4, "toRecipients": [["emailAddress": ["address": "a@b.c"]]]]],
    ])
  func invalidMessage(body: JSON) async {
    #expect(await GraphProbe("Mail.Send").post("/me/sendMail", body).status == 400)
  }

  @Test("sends a message in MIME format")
  func mime() async {
    let probe = GraphProbe("Mail.Send", "Mail.Read")
    let text = "To: Adele <adele@contoso.com>\r\nSubject: MIME\r\n\r\nHi\r\n"
    let encoded = Array(Base64.encode(Array(text.utf8)).utf8)
    #expect(await probe.send(.post, "/me/sendMail", [("Content-Type", "text/plain")], encoded).status == 202)
    #expect(await probe.get("/me/mailFolders/sentitems/messages").names("subject") == ["MIME"])
    let broken = await probe.send(.post, "/me/sendMail", [("Content-Type", "text/plain")], Array("?!".utf8))
    #expect(broken.code == "ErrorMimeContentInvalidBase64String")
  }

  @Test("requires mail permissions")
  func scopes() async {
    #expect(await GraphProbe("Mail.Read").post("/me/sendMail", Self.message).code == "ErrorAccessDenied")
    #expect(await GraphProbe("Mail.Send").get("/me/messages").status == 403)
    let basic = await GraphProbe("Mail.ReadBasic").get("/me/messages")
    #expect(basic.value.first?["body"] == nil)
    #expect(basic.value.first?["subject"] != nil)
  }

  @Test("lists, changes, and deletes messages")
  func messages() async {
    let probe = GraphProbe("Mail.ReadWrite", "Mail.Send")
    let list = await probe.get("/me/messages")
    #expect(
      list.names("subject") == [
        "Lunch?", "Numbers for the review", "Draft of the spring campaign", "Welcome to Contoso",
      ])
    #expect(list.value.first?["receivedDateTime"] == "2024-12-31T16:05:00Z")
    let unread = await probe.get("/me/messages?$filter=isRead eq false&$count=true&$top=1")
    #expect(unread.body["@odata.count"] == 2)
    let id = list.value.first?["id"]?.string ?? ""
    #expect(await probe.patch("/me/messages/\(id)", ["isRead": true]).body["isRead"] == true)
    let inbox = await probe.get("/me/mailFolders/inbox")
    #expect(inbox.body["unreadItemCount"] == 1)
    #expect(inbox.body["totalItemCount"] == 4)
    #expect(await probe.delete("/me/messages/\(id)").status == 204)
    #expect(await probe.get("/me/mailFolders/deleteditems/messages").names("subject") == ["Lunch?"])
    #expect(await probe.delete("/me/messages/\(id)").status == 204)
    #expect(await probe.get("/me/messages/\(id)").status == 404)
    #expect(await probe.get("/me/messages?$search=\"campaign\"").names("subject") == ["Draft of the spring campaign"])
    #expect(await probe.get("/me/messages?$search=\"x\"&$filter=isRead eq true").code == "SearchWithFilter")
  }

  @Test("sends a draft")
  func draft() async {
    let probe = GraphProbe("Mail.ReadWrite", "Mail.Send")
    let draft = await probe.post("/me/messages", Self.message["Message"] ?? .null)
    #expect(draft.status == 201)
    #expect(draft.body["isDraft"] == true)
    let id = draft.body["id"]?.string ?? ""
    #expect(await probe.send(.post, "/me/messages/\(id)/send").status == 202)
    #expect(await probe.get("/me/messages/\(id)").status == 404)
    #expect(await probe.get("/me/mailFolders/sentitems/messages").names("subject") == ["Hello"])
  }

  @Test("creates, changes, and deletes contacts")
  func contacts() async {
    let probe = GraphProbe("Contacts.ReadWrite")
    #expect(await probe.get("/me/contacts").names() == ["Gina Moss"])
    let created = await probe.post("/me/contacts", ["givenName": "Ann", "surname": "Lee"])
    #expect(created.status == 201)
    #expect(created.body["displayName"] == "Ann Lee")
    let id = created.body["id"]?.string ?? ""
    #expect(await probe.patch("/me/contacts/\(id)", ["jobTitle": "Pilot"]).body["jobTitle"] == "Pilot")
    #expect(await probe.delete("/me/contacts/\(id)").status == 204)
    #expect(await probe.get("/me/contacts").value.count == 1)
    #expect(await GraphProbe("User.Read").get("/me/contacts").status == 403)
  }

  @Test("returns the user's drive")
  func drive() async {
    let probe = GraphProbe("Files.Read")
    let children = await probe.get("/me/drive/root/children")
    #expect(children.names("name").contains("Welcome.txt"))
    let id = children.value.first { $0["name"] == "Welcome.txt" }?["id"]?.string ?? ""
    #expect(await probe.get("/me/drive/items/\(id)/content").bytes.starts(with: Array("Welcome".utf8)))
    #expect(await probe.get("/me/drive").body["driveType"] == "business")
    #expect(await GraphProbe("User.Read").get("/me/drive").code == "accessDenied")
  }
}
