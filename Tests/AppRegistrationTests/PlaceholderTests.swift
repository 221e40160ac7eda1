import AppRegistration
import Testing

@Suite struct PlaceholderTests {
  @Test(arguments: [
    "YOUR_APP_ID_HERE", "<Clientid>", "msalENTER_YOUR_CLIENT_ID", "msal[ClientID]", "msal[Enter client ID ...]",
    "TODO - Your Client Id", "TODO -tenantId", "msal HERE", "placeholder", "YOUR_AZURE_CLIENT_ID",
    "msauth://com.yourlauncher/...",
    "https://x.b2clogin.com/tfp/x.onmicrosoft.com/<B2C_POLICY_NAME>/", "your-tenant-id",
    "Enter_the_Application_Id_Here",
    "{tenantid}", "xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx", "changeme",
  ])
  func whatSpeaksToTheReaderIsFound(text: String) { #expect(Placeholder.find(in: text) != nil) }

  @Test(arguments: [
    "6731de76-14a6-49ae-97bc-6eba6914391e", "com.yourlauncher.app", "enterprise.com", "api://todo/read",
    "com.contoso.todo",
    "here.com", "http://[::1]:8080/x", "{6731de76-14a6-49ae-97bc-6eba6914391e}", "${TENANT}", "addison.org", "xxx", "",
    "https://graph.microsoft.com/.default", "com.your.app",
  ])
  func whatOnlyLooksLikeItIsLetPass(text: String) { #expect(Placeholder.find(in: text) == nil) }

  @Test(arguments: [
    ("11111111-1111-1111-1111-111111111111", true), ("12345678-1234-1234-1234-123456789abc", true),
    ("6731de76-14a6-49ae-97bc-6eba6914391e", false), ("1111", false),
  ])
  func handMadeGUIDsAreKnown(text: String, expected: Bool) { #expect(Placeholder.isDummyGUID(text) == expected) }
}
