import Documents
import OrderedCollections

extension EmulatedDirectory {
  /// The emulator's default directory. All passwords are fake and public. Each contains its user's name, as in
  /// `Fake-Megan-1`.
  ///
  /// | account | purpose |
  /// |---|---|
  /// | megan@contoso.com | the first user: a member with mail and a calendar |
  /// | adele@contoso.com | an administrator, who can consent for the organization |
  /// | mona@contoso.com, otto@contoso.com | a second factor: push notifications (Mona), authenticator app (Otto) |
  /// | paul@contoso.com | an expired password |
  /// | dora@contoso.com | a disabled account |
  /// | gina@fabrikam.com | a member of Fabrikam and a guest at Contoso |
  /// | nora@adatum.com, abel@adatum.com | a tenant without user consent, and its administrator |
  /// | pat@outlook.com | a personal account |
  /// | casey@example.com | a customer in the B2C tenant fabrikamb2c |
  /// | cara@example.org | a customer in the External ID tenant contosocustomers |
  package static let contoso: EmulatedDirectory = {
    var directory = EmulatedDirectory()
    directory.name = "contoso"
    directory.tenants = [contosoTenant, fabrikam, adatum, personal, b2c, customers]
    directory.resources = [orders, hello]
    directory.apps = contosoApps
    return directory.completed()
  }()

  /// The Base32-encoded seed of Otto's authenticator app.
  package static let ottosSeed = "JBSWY3DPEHPK3PXP"

  private static func fakePassword(_ name: String) -> String {
    "Fake-\(name.prefix(1).uppercased())\(name.dropFirst())-1"
  }

  private static func user(_ name: String, at domain: String, _ displayName: String, id: String) -> User {
    var user = User()
    user.username = "\(name)@\(domain)"
    user.id = id
    user.password = fakePassword(name)
    user.displayName = displayName
    let words = displayName.split(separator: " ")
    user.givenName = words.first.map(String.init)
    user.surname = words.count > 1 ? words.last.map(String.init) : nil
    return user
  }

  private static func number(_ value: Int) -> String {
    let text = String(value)
    return String(repeating: "0", count: max(0, 12 - text.count)) + text
  }

  private static let contosoTenant: Tenant = {
    var tenant = Tenant()
    tenant.name = "Contoso"
    tenant.id = "c0a70500-7e4a-4c00-8000-000000000001"
    tenant.domains = ["contoso.com", "contoso.onmicrosoft.com"]
    tenant.groups = ContosoUsers.groups.enumerated().map { index, entry in
      var group = Group()
      group.name = entry.name
      group.description = entry.description
      group.id = "c0a70500-6409-4c00-8000-\(number(index + 1))"
      group.mail = entry.name.lowercased().filter { $0.isLetter } + "@contoso.com"
      return group
    }
    tenant.users = ContosoUsers.rows.enumerated().map { index, row in
      var user = Self.user(
        row.username, at: "contoso.com", row.displayName, id: "c0a70500-05e4-4c00-8000-\(number(index + 1))")
      user.mail = user.username
      user.jobTitle = row.jobTitle
      user.department = row.department
      user.officeLocation = row.officeLocation
      user.city = row.city
      user.country = "United States"
      user.businessPhones = ["+1 425 555 01\(String(number(index + 1).suffix(2)))"]
      user.preferredLanguage = "en-US"
      user.manager = row.manager.map { "\($0)@contoso.com" }
      user.memberOf = row.groups
      user.photo = row.username != "dora"
      switch row.username {
      case "megan":
        user.messages = ContosoMailbox.megansMessages
        user.events = ContosoMailbox.megansEvents
        user.contacts = ContosoMailbox.megansContacts
        user.mobilePhone = "+1 412 555 0109"
      case "adele":
        user.role = .admin
        user.events = ContosoMailbox.adelesEvents
      case "mona": user.mfa = .push
      case "otto": user.mfa = .totp(seed: ottosSeed)
      case "paul": user.passwordExpired = true
      case "dora": user.disabled = true
      default: break
      }
      return user
    }
    return tenant
  }()

  private static let fabrikam: Tenant = {
    var tenant = Tenant()
    tenant.name = "Fabrikam"
    tenant.id = "fab12ca0-7e4a-4c00-8000-000000000001"
    tenant.domains = ["fabrikam.com", "fabrikam.onmicrosoft.com"]
    var gina = user("gina", at: "fabrikam.com", "Gina Moss", id: "fab12ca0-05e4-4c00-8000-000000000001")
    gina.mail = gina.username
    gina.jobTitle = "Supplier Manager"
    gina.guestIn = ["Contoso"]
    var felix = user("felix", at: "fabrikam.com", "Felix Arden", id: "fab12ca0-05e4-4c00-8000-000000000002")
    felix.mail = felix.username
    felix.role = .admin
    tenant.users = [gina, felix]
    return tenant
  }()

  private static let adatum: Tenant = {
    var tenant = Tenant()
    tenant.name = "Adatum"
    tenant.id = "ada70300-7e4a-4c00-8000-000000000001"
    tenant.domains = ["adatum.com", "adatum.onmicrosoft.com"]
    tenant.userConsent = Tenant.UserConsent.none
    var nora = user("nora", at: "adatum.com", "Nora Vail", id: "ada70300-05e4-4c00-8000-000000000001")
    nora.mail = nora.username
    var abel = user("abel", at: "adatum.com", "Abel Stone", id: "ada70300-05e4-4c00-8000-000000000002")
    abel.mail = abel.username
    abel.role = .admin
    tenant.users = [nora, abel]
    return tenant
  }()

  private static let personal: Tenant = {
    var tenant = Tenant()
    tenant.name = "Personal accounts"
    tenant.id = Tenant.personalID
    tenant.domains = ["outlook.com", "hotmail.com", "live.com"]
    var pat = user("pat", at: "outlook.com", "Pat Doe", id: "00000000-0000-0000-5a70-0000000000a1")
    pat.mail = pat.username
    pat.events = ContosoMailbox.patsEvents
    tenant.users = [pat]
    return tenant
  }()

  private static let b2c: Tenant = {
    var tenant = Tenant()
    tenant.name = "Fabrikam B2C"
    tenant.id = "b2c00000-7e4a-4c00-8000-000000000001"
    tenant.domains = ["fabrikamb2c.onmicrosoft.com"]
    tenant.userFlows = ["B2C_1_signupsignin", "B2C_1_passwordreset", "B2C_1_profileedit"]
    var casey = user("casey", at: "example.com", "Casey Kline", id: "b2c00000-05e4-4c00-8000-000000000001")
    casey.mail = casey.username
    casey.city = "Portland"
    casey.country = "United States"
    tenant.users = [casey]
    return tenant
  }()

  private static let customers: Tenant = {
    var tenant = Tenant()
    tenant.name = "Contoso Customers"
    tenant.kind = .external
    tenant.id = "c1a30000-7e4a-4c00-8000-000000000001"
    tenant.domains = ["contosocustomers.onmicrosoft.com"]
    var cara = user("cara", at: "example.org", "Cara Finch", id: "c1a30000-05e4-4c00-8000-000000000001")
    cara.mail = cara.username
    tenant.users = [cara]
    return tenant
  }()

  /// Contoso's custom API. One of its permissions requires admin consent.
  private static let orders: ResourceAPI = {
    var api = ResourceAPI()
    api.name = "Contoso Orders"
    api.appId = "c0a70500-0ada-4c00-8000-000000000001"
    api.uris = ["api://orders.contoso.com", "api://c0a70500-0ada-4c00-8000-000000000001"]
    api.scopes = [.init("Orders.Read"), .init("Orders.Write"), .init("Orders.Approve", adminOnly: true)]
    api.roles = ["Orders.Read.All"]
    return api
  }()

  /// The API that the customer app in the B2C workflows calls.
  private static let hello: ResourceAPI = {
    var api = ResourceAPI()
    api.name = "Hello API"
    api.appId = "b2c00000-0ada-4c00-8000-000000000001"
    api.uris = ["https://fabrikamb2c.onmicrosoft.com/helloapi"]
    api.scopes = [.init("demo.read"), .init("demo.write")]
    api.answers = ["https://fabrikamb2chello.azurewebsites.net/hello": ["message": "Hello from the API"]]
    return api
  }()
}
