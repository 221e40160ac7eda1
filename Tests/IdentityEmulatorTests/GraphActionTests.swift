import Documents
import Effects
import GraphEmulator
import HTTPTypes
import OAuth
import Testing

import IdentityEmulator

@Suite struct GraphActionTests {
  private static func letter(_ subject: String, attachments: JSON? = nil) -> JSON {
    var message: JSON = [
      "subject": .string(subject), "body": ["contentType": "text", "content": "How are you?"],
      "toRecipients": [["emailAddress": ["address": "megan@contoso.com"]]],
    ]
    if let attachments { message["attachments"] = attachments }
    return ["message": message, "saveToSentItems": false]
  }

  @Test("delivers attachments with their message")
  func attachments() async {
    let probe = GraphProbe("Mail.Send", "Mail.Read")
    let file: JSON = [
      "@odata.type": "#microsoft.graph.fileAttachment", "name": "note.txt", "contentType": "text/plain",
      "contentBytes": .string(Base64.encode("Hello".utf8)),
    ]
    #expect(await probe.post("/me/sendMail", Self.letter("With a file", attachments: [file])).status == 202)
    let match = await probe.get("/me/messages?$filter=subject eq 'With a file'").value.first
    #expect(match?["hasAttachments"] == true)
    #expect(match?["attachments"] == nil)
    let path = "/me/messages/\(match?["id"]?.string ?? "")"
    let list = await probe.get("\(path)/attachments")
    #expect(list.names("name") == ["note.txt"])
    #expect(list.value.first?["@odata.type"] == "#microsoft.graph.fileAttachment")
    let one = "\(path)/attachments/\(list.value.first?["id"]?.string ?? "")"
    #expect(await probe.get(one).body["contentBytes"]?.string == Base64.encode("Hello".utf8))
    #expect(await probe.get("\(one)/$value").bytes == Array("Hello".utf8))
    let complete = await probe.get("\(path)?$expand=attachments&$select=subject")
    #expect(complete.body["attachments"]?.array?.count == 1)
    #expect(await probe.get("\(path)?$expand=invalid").status == 501)
  }

  @Test("addresses a reply to the sender")
  func replies() async {
    var probe = GraphProbe("Mail.Send", "Mail.ReadWrite", user: "adele@contoso.com")
    #expect(await probe.post("/me/sendMail", Self.letter("Lunch?")).status == 202)
    probe.caller = GraphProbe("Mail.Send", "Mail.ReadWrite").caller
    let filter = "?$filter=subject eq 'Lunch?'"
    let id = await probe.get("/me/mailFolders/inbox/messages\(filter)").value.first?["id"]?.string ?? ""
    #expect(await probe.post("/me/messages/\(id)/reply", ["comment": "Yes"]).status == 202)
    let draft = await probe.post("/me/messages/\(id)/createForward", [:])
    #expect(draft.status == 201)
    #expect(draft.body["subject"] == "FW: Lunch?")
    #expect(draft.body["isDraft"] == true)
    #expect(await probe.post("/me/messages/\(id)/forward", [:]).code == "ErrorInvalidRecipients")
    probe.caller = GraphProbe("Mail.Read", user: "adele@contoso.com").caller
    let response = await probe.get("/me/mailFolders/inbox/messages?$filter=subject eq 'RE: Lunch?'").value.first
    #expect(response?["bodyPreview"]?.string?.hasPrefix("Yes") == true)
    #expect(response?["from"]?["emailAddress"]?["address"] == "megan@contoso.com")
  }

  @Test("does not overwrite a changed message")
  func changedMessage() async {
    let probe = GraphProbe("Mail.ReadWrite")
    let draft = await probe.post("/me/messages", ["subject": "One"])
    let path = "/me/messages/\(draft.body["id"]?.string ?? "")"
    let tag = draft.body["@odata.etag"]?.string ?? ""
    #expect(await probe.patch(path, ["subject": "Two"], [("If-Match", tag)]).status == 200)
    #expect(await probe.patch(path, ["subject": "Three"], [("If-Match", tag)]).status == 412)
    #expect(await probe.delete(path, [("If-Match", tag)]).status == 412)
    #expect(await probe.delete(path).status == 204)
  }

  @Test("lets the organizer cancel but not decline a meeting")
  func organizer() async {
    let probe = GraphProbe("Calendars.ReadWrite")
    let created = await probe.post(
      "/me/events",
      [
        "subject": "Review", "start": ["dateTime": "2025-01-02T10:00:00", "timeZone": "UTC"],
        "end": ["dateTime": "2025-01-02T11:00:00", "timeZone": "UTC"],
      ])
    let path = "/me/events/\(created.body["id"]?.string ?? "")"
    #expect(await probe.post("\(path)/decline", [:]).code == "ErrorInvalidRequest")
    #expect(await probe.post("\(path)/cancel", ["comment": "Another time"]).status == 202)
    #expect(await probe.get(path).status == 404)
  }

  @Test("returns `Preference-Applied` for immutable IDs")
  func immutableIDs() async {
    let response = await GraphProbe("Mail.Read").get("/me/messages", [("Prefer", "IdType=\"ImmutableId\"")])
    #expect(response.header("Preference-Applied") == "IdType=\"ImmutableId\"")
  }
}
