import Diagnostics
import Directory
import Documents
import Effects
import OrderedCollections
import TestSupport
import Testing

@Suite("Directory decoding")
struct DirectoryReadingTests {
  static func read(_ text: String, over base: EmulatedDirectory? = nil) -> (EmulatedDirectory?, [Diagnostic]) {
    let reading = DocumentReader.read(Array(text.utf8), named: "directory.yaml")
    guard let document = reading.document else { return (nil, reading.diagnostics) }
    let read = EmulatedDirectory.read(document.root, over: base)
    return (read.directory, reading.diagnostics + read.diagnostics)
  }

  @Test(
    "reports references to entries that the directory does not contain",
    arguments: [
      ("apps: [{ appId: a, assignedUsers: meg@contoso.com }]", "unknown-user", "megan@contoso.com"),
      ("apps: [{ appId: a, consent: { megan@contso.com: User.Read } }]", "unknown-user", "megan@contoso.com"),
      ("apps: [{ appId: a, userRoles: { zoe@elsewhere.example: Reader } }]", "unknown-user", nil),
      ("apps: [{ appId: a, roles: [\"api://orders/Orders.All\"] }]", "unknown-role", "Orders.Read.All"),
      (
        "tenants: [{ name: Contoso, users: [{ username: a@contoso.com, manager: megam@contoso.com }] }]",
        "unknown-user", "megan@contoso.com"
      ),
      (
        "tenants: [{ name: Contoso, users: [{ username: a@contoso.com, guestIn: Fabricam }] }]",
        "unknown-tenant", "Fabrikam"
      ),
      (
        "tenants: [{ name: Contoso, users: [{ username: a@contoso.com, memberOf: Sale }] }]",
        "unknown-group", "Sales"
      ),
      (
        "tenants: [{ name: Contoso, policies: [{ name: p, for: { users: [all, megn@contoso.com] }, require: mfa }] }]",
        "unknown-user", "megan@contoso.com"
      ),
    ] as [(String, String, String?)])
  func unknownReferences(_ text: String, _ rule: String, _ suggestion: String?) throws {
    let (base, problems) = Self.read(
      """
      directory: 1
      tenants:
        - { name: Contoso, domains: contoso.com, groups: [{ name: Sales }],
            users: [{ username: megan@contoso.com }] }
        - { name: Fabrikam, domains: fabrikam.com }
      resources: [{ uri: "api://orders", roles: [Orders.Read.All] }]
      """)
    #expect(problems.isEmpty)
    let (_, diagnostics) = Self.read(text, over: base)
    #expect(diagnostics.map(\.rule) == [rule])
    if let suggestion { #expect(diagnostics.first?.help?.contains(suggestion) == true) }
  }

  @Test("decodes all keys")
  func allKeys() throws {
    let (directory, diagnostics) = Self.read(
      """
      directory: 1
      tenants:
        - name: Contoso
          id: 11111111-2222-4333-8444-555555555555
          domains: [contoso.com, contoso.onmicrosoft.com]
          cloud: public
          userConsent: none
          users:
            - { username: megan@contoso.com, password: fake, displayName: Megan Bowen, mail: megan@contoso.com,
                jobTitle: Boss, mfa: push, role: member, guestIn: [Contoso], manager: otto@contoso.com, memberOf: [Sales] }
            - { username: otto@contoso.com, mfa: { totp: JBSWY3DPEHPK3PXP } }
          groups: [{ name: Sales }]
          policies:
            - { name: MFA, for: { users: all, apps: [abc] }, require: mfa, signInFrequency: 1h, challengeWith: claims }
          userFlows: [B2C_1_signupsignin]
      apps:
        - { appId: abc, audience: AzureADMyOrg, publicClient: { redirectUris: [msauth.a://auth] }, permissions: [User.Read],
            consent: { megan@contoso.com: [User.Read] }, adminConsent: [], family: false }
      resources:
        - { uri: "api://orders", scopes: [Orders.Read, { name: Orders.Approve, adminOnly: true }] }
      lifetimes: { accessToken: 10m, refreshToken: 30d }
      device: shared
      graph: { /me/calendarView: [] }
      """)
    #expect(diagnostics.isEmpty, "\(diagnostics.map(\.message))")
    let decoded = try #require(directory)
    let tenant = try #require(decoded.tenants.first)
    #expect(tenant.userConsent == Tenant.UserConsent.none)
    #expect(tenant.effectiveKind == .b2c)
    #expect(tenant.users.map(\.mfa) == [.push, .totp(seed: "JBSWY3DPEHPK3PXP")])
    #expect(UUIDText.isValid(tenant.users[0].id))
    #expect(tenant.policies.first?.apps == .listed(["abc"]))
    #expect(tenant.policies.first?.signInFrequency == .seconds(3600))
    #expect(tenant.policies.first?.challengeWith == .claims)
    #expect(decoded.apps.first?.publicRedirectUris == ["msauth.a://auth"])
    #expect(decoded.apps.first?.effectiveAudience == .myOrg)
    #expect(decoded.resources.first?.scopes.map(\.adminOnly) == [nil, true])
    #expect(decoded.lifetimes.effective.accessToken == .seconds(600))
    #expect(decoded.lifetimes.effective.idToken == .seconds(3600))
    #expect(decoded.device == .shared)
    #expect(JSON.object(decoded.graph)["/me/calendarView"] == [])
    #expect(!decoded.registersOnTheFly)
  }

  @Test(
    "reports invalid values",
    arguments: [
      ("tenants: [{ name: A, id: abc }]", "GUID"),
      ("apps: [{ appId: a, permissions: [User.Read] }, { appId: A }]", "duplicate"),
      (
        "resources: [{ uris: ['api://x'], roles: [R.Read] }]\napps: [{ appId: a, roles: ['api://x/R.Raed'] }]", "R.Raed"
      ),
      ("apps: [{ appId: a, web: { redirectUris: ['javascript:alert(1)'] } }]", "javascript:"),
      ("apps: [{ appId: a, spa: { redirectUris: ['https://a.example/', 'DATA:text/html,x'] } }]", "data:"),
    ])
  func impossible(text: String, message: String) {
    let (_, diagnostics) = Self.read("directory: 1\n" + text)
    #expect(diagnostics.contains { $0.severity == .error && $0.message.contains(message) }, "\(diagnostics)")
  }

  @Test("overrides the workflow's directory with the scenario's directory")
  func merging() throws {
    let (merged, diagnostics) = Self.read(
      """
      tenants:
        - name: Contoso
          userConsent: none
          users:
            - { username: Megan@contoso.com, mfa: push }
            - { username: new@contoso.com, password: fake }
      lifetimes: { accessToken: 5m }
      """, over: .contoso)
    #expect(diagnostics.isEmpty, "\(diagnostics.map(\.message))")
    let directory = try #require(merged)
    #expect(directory.tenants.count == EmulatedDirectory.contoso.tenants.count)
    let megan = try #require(directory.user(named: "megan@contoso.com")?.user)
    #expect(megan.mfa == .push)
    #expect(megan.displayName == "Megan Bowen")
    #expect(directory.firstUser?.id == EmulatedDirectory.contoso.firstUser?.id)
    #expect(directory.user(named: "new@contoso.com") != nil)
    #expect(directory.tenants.first?.userConsent == Tenant.UserConsent.none)
    #expect(directory.lifetimes.effective.accessToken == .seconds(300))
    #expect(directory.registersOnTheFly)
  }

  @Test("extends the default directory")
  func extends() throws {
    let (directory, _) = Self.read("extends: contoso\nlifetimes: { accessToken: 5m }")
    #expect(directory?.user(named: "megan@contoso.com") != nil)
    #expect(directory?.lifetimes.effective.accessToken == .seconds(300))
  }

  @Test(
    "reports each error with its rule and a suggestion",
    arguments: [
      ("tenant: []", "unknown-key", "tenants"),
      ("tenants: [{ name: A, users: [{ password: x }] }]", "missing-key", nil),
      ("tenants: [{ name: A, users: [{ username: a@b.c, mfa: sms }] }]", "wrong-type", nil),
      ("lifetimes: { accessToken: 1 hour }", "bad-duration", nil), ("device: shred", "unknown-value", "shared"),
      ("tenants: [{ name: A, policies: [{ name: P, require: mfaa }] }]", "unknown-value", "mfa"),
      ("directory: 2", "out-of-range", nil), ("[]", "wrong-type", nil), ("extends: fabrikam", "unknown-directory", nil),
    ])
  func mistakes(text: String, rule: String, suggestion: String?) {
    let (_, diagnostics) = Self.read(text)
    #expect(diagnostics.map(\.rule).contains(rule), "\(diagnostics.map(\.message))")
    if let suggestion { #expect(diagnostics.contains { $0.help?.contains("`\(suggestion)`") == true }) }
  }

  @Test("decodes a user that it encoded")
  func roundTrip() throws {
    for tenant in EmulatedDirectory.contoso.tenants {
      for user in tenant.users {
        #expect(User(user.json) == user)
      }
    }
  }

  @Test("lists all keys in the schema")
  func schema() {
    let schema = EmulatedDirectory.schema
    for key in ["tenants", "apps", "resources", "lifetimes", "device", "graph", "keys"] {
      #expect(schema["properties"]?[key] != nil)
    }
    let keywords = SimulatedEvent.schema["anyOf"]?.array?.last?["properties"]
    #expect(SimulatedEvent.Word.allCases.allSatisfy { keywords?[$0.rawValue]?["description"]?.string == $0.summary })
  }
}
