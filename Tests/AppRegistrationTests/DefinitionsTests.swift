import AppRegistration
import Diagnostics
import Documents
import Testing

@Suite struct DefinitionsTests {
  static let values = ["PRODUCT_BUNDLE_IDENTIFIER": "com.contoso.App", "NAME": "My App", "EMPTY": ""]

  @Test(arguments: [
    ("plain", "plain"), ("msauth.$(PRODUCT_BUNDLE_IDENTIFIER)", "msauth.com.contoso.App"), ("${NAME}!", "My App!"),
    ("$(NAME:rfc1034identifier)", "My-App"), ("$(NAME:upper)", "MY APP"), ("$(MISSING:default=x)", "x"),
    ("$(EMPTY)", ""),
    ("$(EMPTY:default=y)", "y"), ("$${NAME}", "${NAME}"), ("a$b", "a$b"), ("$(", "$("), ("$()", "$()"),
  ])
  func resolvesReferences(text: String, filled: String) {
    let result = Definitions(Self.values).fill(text)
    #expect(result.text == filled)
    #expect(result.missing.isEmpty)
  }

  @Test(arguments: ["$(MISSING)", "x${MISSING}y", "$(NAME:unheard)"])
  func leavesUndefinedReferencesUnchanged(text: String) {
    let result = Definitions(Self.values).fill(text)
    #expect(result.text == text)
    #expect(result.missing.count == 1)
  }

  @Test func locatesUndefinedReferences() throws {
    let loaded = load(settings(#""BundleId": "com.$(TEAM).app""#))
    let problem = try #require(loaded.diagnostics.first)
    #expect(problem.rule == "unresolved-variable")
    #expect(problem.help == "pass `--define TEAM=value`")
    #expect(problem.place.source.text(in: try #require(problem.place.span)) == "$(TEAM)")
    #expect(load(settings(#""BundleId": "com.$(TEAM).app""#), defines: ["TEAM": "x"]).resolved?.bundleID == "com.x.app")
  }

  @Test("reads a variable only if the user passed it, and otherwise suggests the option")
  func variables() throws {
    let definitions = Definitions(["NAME": "defined"]).or(["NAME": "passed", "TENANT": "contoso"])
    #expect(definitions.fill("$(NAME) ${env:NAME} $(TENANT) ${env:TENANT}").text == "defined passed contoso contoso")
    let loaded = load(settings(#""BundleId": "com.${env:TEAM}.app""#))
    #expect(loaded.diagnostics.first?.help == "pass `--env TEAM`, or `--env-file FILE` with TEAM=…")
  }

  /// A long string is skipped, because the search for each reference scans the entire string again.
  @Test func doesNotSearchVeryLongStrings() {
    let long = String(repeating: "$(A)", count: 501)
    #expect(Definitions.containsReference(long) && TemplatePlaceholder.find(in: "<" + long + ">") == nil)
    #expect(Definitions(["A": "b"]).fill(long).missing.isEmpty)
    #expect(Definitions.containsReference(String(long.dropFirst(4))))
  }
}
