import Directory
import Testing

@Suite("Merging record lists")
struct DirectoryMergingTests {
  /// Twenty thousand users override twenty thousand existing users. A linear search for each user would take minutes.
  @Test("merges thousands of users")
  func manyUsers() throws {
    let count = 20_000
    func text(_ line: (Int) -> String) -> String {
      "directory: 1\ntenants:\n  - name: Big\n    users:\n" + (1...count).map { "      - " + line($0) + "\n" }.joined()
    }
    let (first, problems) = DirectoryReadingTests.read(text { "{ username: u\($0)@big.com, id: i\($0) }" })
    #expect(problems.isEmpty)
    let (second, others) = DirectoryReadingTests.read(
      text { "{ username: U\(count + 1 - $0)@big.com, city: Oslo }" }, over: first)
    #expect(others.isEmpty)
    let users = try #require(second?.tenants.first).users
    #expect(users.count == count)
    #expect(users.map(\.id) == (1...count).map { "i\($0)" })
    #expect(users.allSatisfy { $0.city == "Oslo" })
  }

  @Test("finds a renamed user only by the new name")
  func renamedUsers() throws {
    let (directory, problems) = DirectoryReadingTests.read(
      """
      directory: 1
      tenants:
        - name: Small
          users:
            - { username: a@b.com, id: one }
            - { username: c@b.com, id: ONE }
            - { username: a@b.com, id: two }
            - { username: C@b.com, city: Oslo }
      """)
    #expect(problems.isEmpty)
    let users = try #require(directory?.tenants.first).users
    #expect(users.map(\.username) == ["C@b.com", "a@b.com"])
    #expect(users.map(\.city) == ["Oslo", nil])
  }
}
