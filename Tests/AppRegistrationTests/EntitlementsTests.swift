import AppRegistration
import Documents
import Testing

@Suite struct EntitlementsTests {
  /// Each group stores its location, and a hostile file could contain a million groups.
  @Test func limitsTheNumberOfGroups() throws {
    let groups = (0..<2000).map { "\"$(AppIdentifierPrefix)com.contoso.\($0)\"" }.joined(separator: ", ")
    let text = #"{"keychain-access-groups": [\#(groups)]}"#
    let root = try #require(DocumentReader.read(Array(text.utf8), named: "Mail.entitlements").document?.root)
    var problems = DiagnosticCollector()
    let kept = Entitlements.read(root, &problems).keychainGroups?.value.map(\.value) ?? []
    #expect(kept.count == Entitlements.mostGroups)
    #expect(kept.last == "$(AppIdentifierPrefix)com.contoso.499")
  }
}
