import Directory
import Effects
import Testing

@Suite("Default directory")
struct ContosoTests {
  private let directory = EmulatedDirectory.contoso

  @Test("contains the users that the reference page lists")
  func users() throws {
    #expect(directory.firstUser?.username == "megan@contoso.com")
    #expect(directory.user(named: "ADELE@contoso.com")?.user.isAdmin == true)
    #expect(directory.user(named: "mona@contoso.com")?.user.mfa == .push)
    #expect(directory.user(named: "paul@contoso.com")?.user.passwordExpired == true)
    #expect(directory.user(named: "dora@contoso.com")?.user.isDisabled == true)
    #expect(directory.user(named: "gina@fabrikam.com")?.user.guestIn == ["Contoso"])
    #expect(directory.user(named: "pat@outlook.com")?.tenant.effectiveKind == .personal)
    #expect(directory.user(named: "casey@example.com")?.tenant.effectiveKind == .b2c)
    #expect(directory.user(named: "cara@example.org")?.tenant.effectiveKind == .external)
    #expect(directory.registersOnTheFly)
  }

  @Test("contains more than one page of users, with unique IDs and fake passwords")
  func userList() throws {
    let users = directory.tenants.flatMap(\.users)
    #expect(try #require(directory.tenants.first).users.count >= 25)
    #expect(Set(users.map(\.id)).count == users.count)
    #expect(Set(users.map { $0.username.lowercased() }).count == users.count)
    #expect(users.allSatisfy { UUIDText.isValid($0.id) && $0.password?.hasPrefix("Fake-") == true })
    #expect(directory.tenants.allSatisfy { UUIDText.isValid($0.id) })
  }

  @Test("contains all managers and groups, and no manager cycles")
  func references() throws {
    for tenant in directory.tenants {
      let groups = Set(tenant.groups.map(\.name))
      for user in tenant.users {
        #expect(user.memberOf.allSatisfy(groups.contains))
        var seen: Set<String> = []
        var next: String? = user.username
        while let name = next {
          #expect(seen.insert(name).inserted, "\(user.username) is in a management loop")
          guard seen.count <= tenant.users.count else { break }
          next = tenant.users.first { $0.username == name }?.manager
          if let next { #expect(tenant.users.contains { $0.username == next }) }
        }
      }
    }
  }

  @Test("contains more than one page of events for Megan")
  func calendar() {
    #expect((directory.firstUser?.events.count ?? 0) > 10)
  }
}
