import AppRegistration
import Testing

@Suite struct TemplatePlaceholderTests {
  @Test(arguments: [
    "YOUR_APP_ID_HERE", "<Clientid>", "msalENTER_YOUR_CLIENT_ID", "msal[ClientID]", "msal[Enter client ID ...]",
    "TODO - Your Client Id", "TODO -tenantId", "msal HERE", "placeholder", "YOUR_AZURE_CLIENT_ID",
    "msauth://com.yourlauncher/...",
    "https://x.b2clogin.com/tfp/x.onmicrosoft.com/<B2C_POLICY_NAME>/", "your-tenant-id",
    "Enter_the_Application_Id_Here",
    "{tenantid}", "xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx", "changeme",
    "https://login.microsoftonline.com/xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx", "b1xxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx",
    "https://login.microsoftonline.com/TENANT_ID", "yourtenant.onmicrosoft.com", "your-tenant.onmicrosoft.com",
    "YourClientId", "clientId", "INSERT_CLIENT_ID", "my-client-id", "sample-app-id", "REPLACE_ME", "TBD", "...",
    "********",
    "msauth.BUNDLE_ID://auth", "msauth.your.bundle.id://auth", "msauth.<bundle>://auth", "msalYOUR_CLIENT_ID",
    "msalxxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx", "com.contoso.<app>", "insert-tenant-id-here", "Enter your client id",
    "xxxxxxx-xxxxxx-xxxxxxx-xxxxxxx", "FIXME: tenant", "[YOUR AUTHORITY]", "replace with your own",
  ])
  func findsPlaceholders(text: String) { #expect(TemplatePlaceholder.find(in: text) != nil) }

  @Test(arguments: [
    "6731de76-14a6-49ae-97bc-6eba6914391e", "com.yourlauncher.app", "enterprise.com", "api://todo/read",
    "com.contoso.todo",
    "here.com", "http://[::1]:8080/x", "{6731de76-14a6-49ae-97bc-6eba6914391e}", "${TENANT}", "addison.org", "xxx", "",
    "https://graph.microsoft.com/.default", "com.your.app",
    "com.yourcompany.App", "msauth.com.yourcompany.App://auth", "com.yourdomain.app", "$(CLIENT_ID)", "#{ClientId}#",
    "__ClientId__", "%CLIENT_ID%", "{{ client_id }}", "https://login.microsoftonline.com/{0}", "${{AAD_APP_CLIENT_ID}}",
    "my-app", "api://my-app/tasks.read", "contoso-app", "msauth.com.contoso.msal://auth",
    "msalb6c69a37-df96-4db0-9088-2ab96e1d8215",
    "changelog.contoso.com", "insertions.contoso.com", "msauth://com.contoso.app/1wIqXSqBj7w%2Bh11ZifsnqwgyKrY%3D",
    "User.Read", "B2C_1_signin", "https://contoso.b2clogin.com/tfp/contoso.onmicrosoft.com/B2C_1_sign_up",
    "myapp.contoso.com", "Application.Read.All", "http://localhost", "urn:ietf:wg:oauth:2.0:oob", "xylophone.com",
  ])
  func ignoresSimilarTexts(text: String) { #expect(TemplatePlaceholder.find(in: text) == nil) }

  @Test(arguments: [
    ("11111111-1111-1111-1111-111111111111", true), ("12345678-1234-1234-1234-123456789abc", true),
    ("6731de76-14a6-49ae-97bc-6eba6914391e", false), ("1111", false),
    ("00001111-aaaa-2222-bbbb-3333cccc4444", true), ("11111111-2222-3333-4444-555555555555", true),
    ("a1b2c3d4-e5f6-7890-abcd-ef1234567890", true), ("00000000-0000-0000-0000-000000000001", true),
    ("00000003-0000-0000-c000-000000000000", false), ("72f988bf-86f1-41af-91ab-2d7cd011db47", false),
  ])
  func recognizesFakeGUIDs(text: String, expected: Bool) {
    #expect(TemplatePlaceholder.isDummyGUID(text) == expected)
  }
}
