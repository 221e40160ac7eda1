extension GraphPermission {
  /// The common delegated permissions, in the order of their resource: id from the service principal's export, the rest from
  /// the permissions reference.
  package static let all: [GraphPermission] = [
    delegated("openid", "37f7f235-527c-4136-accd-4a02d197296e", [.personal]),
    delegated("profile", "14dad69e-099b-42c9-810b-d002981feec1", [.personal]),
    delegated("email", "64a6cdd6-aab1-4aaf-94b8-3cc8405e90d0", [.personal]),
    delegated("offline_access", "7427e0e9-2fba-42fe-b0c0-848c9e6a8182", [.personal]),
    delegated("User.Read", "e1fe6dd8-ba31-4d61-89e7-88639da4683d", [.personal]),
    delegated("User.ReadWrite", "b4e74841-8e56-480b-be8b-910348b18b4c", [.personal]),
    delegated("User.ReadBasic.All", "b340eb25-3456-403f-be2f-af7a0d370277"),
    delegated(
      "User.Read.All", "a154be20-db9c-4678-8ab7-66f6cc099a59", [.admin], role: "df021288-bdef-4463-88db-98f22de89214"),
    delegated(
      "User.ReadWrite.All", "204e0828-b5ca-4ad8-b9f3-f32a958e7cc4", [.admin],
      role: "741f803b-c850-494e-b5df-cde7c675a1ca"),
    delegated("User.Invite.All", "63dd7cd9-b489-4adf-a28c-ac38b9a0f962", [.admin]),
    delegated("User.RevokeSessions.All", "fc30e98b-8810-4501-81f5-c20a3196387b", [.admin]),
    delegated(
      "Directory.Read.All", "06da0dbc-49e2-44d2-8312-53f166ab848a", [.admin],
      role: "7ab1d382-f21e-4acd-a863-ba3e13f7da61"),
    delegated(
      "Directory.ReadWrite.All", "c5366453-9fb0-48a5-a156-24f0c49a4b84", [.admin],
      role: "19dbc75e-c2e2-444c-a770-ec69d8559fc7"),
    delegated("Directory.AccessAsUser.All", "0e263e50-5827-48a4-b97c-d940288653c7", [.admin]),
    delegated(
      "Group.Read.All", "5f8c59db-677d-491f-a6b8-5f174b11ec1d", [.admin], role: "5b567255-7703-4780-807c-7be8301ae99b"),
    delegated("Group.ReadWrite.All", "4e46008b-f24c-477d-8fff-7bb4ec7aafe0", [.admin]),
    delegated("GroupMember.Read.All", "bc024368-1153-4739-b217-4326f2e966d0", [.admin]),
    delegated("GroupMember.ReadWrite.All", "f81125ac-d3b7-4573-a3b2-7099cc39df9e", [.admin]),
    delegated(
      "Application.Read.All", "c79f8feb-a9db-4090-85f9-90d820caa0eb", [.admin, .personal],
      role: "9a5d68dd-52b0-4cc2-bd40-abcf44ac3a30"),
    delegated("Application.ReadWrite.All", "bdfbf15f-ee85-4955-8675-146e8e5296b5", [.admin, .personal]),
    delegated("AppRoleAssignment.ReadWrite.All", "84bccea3-f856-4a8a-967b-dbe0a3d53a64", [.admin]),
    delegated(
      "Mail.Read", "570282fd-fa5c-430d-a7fd-fc8dc98a9dca", [.personal], role: "810c84a8-4a9e-49e6-bf7d-12d183f40d01"),
    delegated("Mail.ReadBasic", "a4b8392a-d8d1-4954-a029-8e668a39a170", [.personal]),
    delegated("Mail.ReadWrite", "024d486e-b451-40bb-833d-3e66d98c5c73", [.personal]),
    delegated(
      "Mail.Send", "e383f46e-2787-4529-855e-0e479a3ffac0", [.personal], role: "b633e1c5-b582-4048-a93e-9f11b44c7e96"),
    delegated("Mail.Read.Shared", "7b9103a5-4610-446b-9670-80643382c1fa"),
    delegated("Mail.ReadWrite.Shared", "5df07973-7d5d-46ed-9847-1271055cbd51"),
    delegated("Mail.Send.Shared", "a367ab51-6b49-43bf-a716-a1fb06d2a174"),
    delegated("MailboxSettings.Read", "87f447af-9fa4-4c32-9dfa-4a57a73d18ce", [.personal]),
    delegated("MailboxSettings.ReadWrite", "818c620a-27a9-40bd-a6a5-d96f7d610b4b", [.personal]),
    delegated(
      "Calendars.Read", "465a38f9-76ea-45b9-9f34-9e8b0d4b0b42", [.personal],
      role: "798ee544-9d2d-430c-a058-570e29e34338"),
    delegated("Calendars.ReadBasic", "662d75ba-a364-42ad-adee-f5f880ea4878", [.personal]),
    delegated("Calendars.ReadWrite", "1ec239c2-d7c9-4623-a91a-a9775856bb36", [.personal]),
    delegated("Calendars.Read.Shared", "2b9c4092-424d-4249-948d-b43879977640", [.personal]),
    delegated("Calendars.ReadWrite.Shared", "12466101-c9b8-439a-8589-dd09ee67e8e9"),
    delegated("Contacts.Read", "ff74d97f-43af-4b68-9f2a-b77ee6968c5d", [.personal]),
    delegated("Contacts.ReadWrite", "d56682ec-c09e-4743-aaf4-1a3aac4caa21", [.personal]),
    delegated("People.Read", "ba47897c-39ec-4d83-8086-ee8256fa737d", [.personal]),
    delegated("People.Read.All", "b89f9189-71a5-4e70-b041-9887f0bc7e4a", [.admin]),
    delegated("Files.Read", "10465720-29dd-4523-a11a-6a75c743c9d9", [.personal]),
    delegated("Files.ReadWrite", "5c28f0bf-8a70-41f1-8ab2-9032436ddb65", [.personal]),
    delegated("Files.Read.All", "df85f4d6-205c-4ac5-a5ea-6bf408dba283", [.personal]),
    delegated("Files.ReadWrite.All", "863451e7-0667-486c-a5d6-d135439485f0", [.personal]),
    delegated("Files.ReadWrite.AppFolder", "8019c312-3263-48e6-825e-2b833497195b", [.personal]),
    delegated(
      "Sites.Read.All", "205e70e5-aba6-4c52-a976-6d2d46c48043", [.personal],
      role: "332a536c-c7ef-4017-ab91-336970924f0d"),
    delegated("Sites.ReadWrite.All", "89fe6a52-be36-487e-b7d8-d061c450a026", [.personal]),
    delegated("Tasks.Read", "f45671fb-e0fe-4b4b-be20-3d3ce43f1bcb", [.personal]),
    delegated("Tasks.ReadWrite", "2219042f-cab5-40cc-b0d2-16b1540b4c5f", [.personal]),
    delegated("Notes.Read", "371361e4-b9e2-4a3f-8315-2a301a3b0a3d", [.personal]),
    delegated("Notes.Create", "9d822255-d64d-4b7a-afdb-833b9a97ed02", [.personal]),
    delegated("Notes.ReadWrite", "615e26af-c38a-4150-ae3e-c3b0d4cb1d6a", [.personal]),
    delegated("Notes.ReadWrite.All", "64ac0503-b4fa-45d9-b544-71a463f05da0"),
    delegated("Team.ReadBasic.All", "485be79e-c497-4b35-9400-0e3fa7f2a5d4"),
    delegated("Channel.ReadBasic.All", "9d8982ae-4365-4f57-95e9-d6032a4c0b87"),
    delegated("ChannelMessage.Read.All", "767156cb-16ae-4d10-8f8b-41b657c8c8c8", [.admin]),
    delegated("ChannelMessage.Send", "ebf0f66e-9fb1-49e4-a278-222f76911cf4"),
    delegated("Chat.Read", "f501c180-9344-439a-bca0-6cbf209fd270"),
    delegated("Chat.ReadBasic", "9547fcb5-d03f-419d-9948-5928bbf71b0f"),
    delegated("Chat.ReadWrite", "9ff7295e-131b-4d94-90e1-69fde507ac11"),
    delegated("ChatMessage.Send", "116b7235-7cc6-461e-b163-8e55691d839e"),
    delegated("Presence.Read", "76bc735e-aecd-4a1d-8b4c-2b915deabb79"),
    delegated("Presence.Read.All", "9c7a330d-35b3-4aa1-963d-cb2b9f927841"),
    delegated("OnlineMeetings.Read", "9be106e1-f4e3-4df5-bdff-e4bc531cbe43"),
    delegated("OnlineMeetings.ReadWrite", "a65f2972-a4f8-4f5e-afd7-69ccb046d5dc"),
    delegated("UserActivity.ReadWrite.CreatedByApp", "47607519-5fb1-47d9-99c7-da4b48f369b1", [.personal]),
    delegated("Device.Read", "11d4cd79-5ba5-460f-803f-e22c8ab85ccd", [.personal]),
    delegated("Organization.Read.All", "4908d5b9-3fb2-4b1e-9336-1888b7937185", [.admin]),
    delegated("Domain.Read.All", "2f9ee017-59c1-4f1d-9472-bd5529a7b311", [.admin]),
    delegated("AuditLog.Read.All", "e4c9e354-4dc5-45b8-9e7c-e1393b0b1a20", [.admin]),
    delegated("Reports.Read.All", "02e97553-ed7b-43d0-ab3c-f8bace0d040c", [.admin]),
    delegated("Policy.Read.All", "572fea84-0151-49b2-9301-11cb16974376", [.admin, .personal]),
    delegated("RoleManagement.Read.Directory", "741c54c3-0c1e-44a1-818b-3f97ab4e8c83", [.admin]),
    delegated("UserAuthenticationMethod.Read", "1f6b61c5-2f65-4135-9c9f-31c0f8d32b52", [.admin]),
    delegated("ProfilePhoto.Read.All", "469cd065-729e-4dee-b1fa-d92e0fab6310", [.admin]),
    delegated("IMAP.AccessAsUser.All", "652390e4-393a-48de-9484-05f9b1212954", [.personal]),
    delegated("POP.AccessAsUser.All", "d7b7f2d9-0f45-4ea1-9d42-e50810c06991", [.personal]),
    delegated("SMTP.Send", "258f6531-6087-4cc4-bb90-092c5fb3ed3f", [.personal]),
    delegated("EWS.AccessAsUser.All", "9769c687-087d-48ac-9cb3-c37dde652038"),
  ]

  private enum Mark { case admin, personal }

  private static func delegated(
    _ name: String, _ id: String, _ marks: [Mark] = [], role: String? = nil
  ) -> GraphPermission {
    GraphPermission(
      name: name, id: id, needsAdmin: marks.contains(.admin), allowsPersonalAccounts: marks.contains(.personal),
      applicationRoleID: role)
  }
}
