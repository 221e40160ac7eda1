extension EmulatedDirectory {
  /// The apps in the default directory, one for each type. Their secrets are fake and public.
  ///
  /// | app | client ID ends in | type |
  /// |---|---|---|
  /// | Contoso Console | `…0001` | desktop and mobile: `http://localhost` with any port, device code, password grant |
  /// | Contoso Dashboard | `…0002` | a single-page app at `http://localhost` with any port |
  /// | Contoso Portal | `…0003` | a web app with the secret `Fake-Portal-Secret-1` |
  /// | Contoso Nightly | `…0004` | a daemon with the secret `Fake-Nightly-Secret-1` and application permissions |
  /// | Contoso Orders | the API's ID | the API as a client, with the secret `Fake-Orders-Secret-1`, for on-behalf-of |
  /// | Azure CLI | its real ID | the default client of azure-identity |
  static let contosoApps: [RegisteredApp] = {
    var console = app(1, "Contoso Console")
    console.publicRedirectUris = [
      "http://localhost", "http://127.0.0.1", "msal\(console.appId)://auth",
      "https://login.microsoftonline.com/common/oauth2/nativeclient",
    ]
    console.allowPublicClient = true
    console.permissions = ["User.Read", "Calendars.Read", "Mail.Read"]
    var dashboard = app(2, "Contoso Dashboard")
    dashboard.spaRedirectUris = ["http://localhost", "http://localhost/redirect"]
    dashboard.permissions = ["User.Read"]
    var portal = app(3, "Contoso Portal")
    portal.webRedirectUris = [
      "http://localhost", "http://localhost/signin-oidc", "http://localhost/auth/callback",
      "http://localhost/getAToken", "http://localhost/signout-callback-oidc",
    ]
    portal.secrets = ["Fake-Portal-Secret-1"]
    portal.implicitIdTokens = true
    portal.permissions = ["User.Read"]
    var nightly = app(4, "Contoso Nightly")
    nightly.secrets = ["Fake-Nightly-Secret-1"]
    nightly.expiredSecrets = ["Fake-Nightly-Secret-0"]
    nightly.roles = [
      "User.Read.All", "Group.Read.All", "Directory.Read.All", "Mail.Read", "Mail.Send", "Calendars.Read",
      "api://orders.contoso.com/Orders.Read.All",
    ]
    var orders = RegisteredApp(appId: "c0a70500-0ada-4c00-8000-000000000001", publicRedirectUris: [])
    orders.name = "Contoso Orders"
    orders.secrets = ["Fake-Orders-Secret-1"]
    orders.adminConsent = ["User.Read"]
    var azure = RegisteredApp(
      appId: "04b07795-8ddb-461a-bbee-02f9e1bf7b46", publicRedirectUris: ["http://localhost"])
    azure.name = "Microsoft Azure CLI"
    azure.allowPublicClient = true
    return [console, dashboard, portal, nightly, orders, azure]
  }()

  private static func app(_ number: Int, _ name: String) -> RegisteredApp {
    var app = RegisteredApp(appId: "c0a70500-a990-4c00-8000-00000000000\(number)", publicRedirectUris: [])
    app.name = name
    return app
  }
}
