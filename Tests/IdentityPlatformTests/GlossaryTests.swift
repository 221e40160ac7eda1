import IdentityPlatform
import Testing

/// Everything that can be looked up: each table in full, each entry with something to say.
@Suite struct GlossaryTests {
  static let entries = ErrorGlossary.entries

  @Test(arguments: entries.map { "\($0.topic.rawValue) \($0.name)" }) func everyEntrySaysWhatItIsAndWhatToDo(
    name: String
  ) throws {
    let entry = try #require(Self.entries.first { "\($0.topic.rawValue) \($0.name)" == name })
    #expect(entry.meaning.count > 5)
    #expect(entry.advice.count > 8)
    for text in [entry.meaning, entry.advice, entry.cause ?? "x", entry.reaction ?? "x"] + entry.facts.map(\.text) {
      #expect(!text.isEmpty)
      #expect(text == text.trimmed, "\(text)")
      #expect(!text.contains("  ") && !text.contains(".."), "\(text)")
    }
  }

  @Test func everyTableIsThereInFull() {
    let names = Set(Self.entries.map(\.name))
    #expect(AADSTS.all.allSatisfy { names.contains($0.code) })
    #expect(AADB2C.all.allSatisfy { names.contains($0.code) })
    #expect(MSALErrorCode.allCases.allSatisfy { names.contains($0.symbol) })
    #expect(MSALInternalErrorCode.allCases.allSatisfy { names.contains($0.symbol) })
    #expect(Suberror.allCases.allSatisfy { names.contains($0.rawValue) })
    #expect(MSALUserInfoKey.allCases.allSatisfy { names.contains($0.rawValue) })
    #expect(OAuthErrorDescription.all.allSatisfy { names.contains($0.name) })
    #expect(ClaimDescription.all.allSatisfy { names.contains($0.name) })
    #expect(WireParameter.all.allSatisfy { names.contains($0.name) })
    #expect(LibraryError.all.allSatisfy { names.contains($0.name) })
  }

  @Test func nothingIsThereTwice() {
    for topic in GlossaryEntry.Topic.allCases {
      let names = Self.entries.filter { $0.topic == topic }.map { $0.name.lowercased() }
      #expect(Set(names).count == names.count, "\(topic)")
    }
  }

  @Test func whatIsRelatedIsThereToo() {
    let names = Set(Self.entries.map(\.name))
    for entry in Self.entries {
      for other in entry.related { #expect(names.contains(other), "\(entry.name) → \(other)") }
    }
  }

  /// The last of the internal codes: each says something of its own kind, none falls through to another's words.
  @Test(arguments: [
    (MSALInternalErrorCode.brokerNotAvailable, "single sign-on extension"),
    (.jitLinkServerConfirmationError, "just-in-time"), (.jitErrorHandlingConfigNotFound, "just-in-time"),
    (.deviceNotPSSORegistered, "platform single sign-on"), (.pssoBiometricsNotEnrolled, "platform single sign-on"),
    (.invalidASWebAuthenticationURL, "web session"), (.brokerApplicationTokenReadFailed, "broker app"),
  ]) func codesOfTheBrokerHaveTheirCause(code: MSALInternalErrorCode, words: String) {
    #expect(code.cause.contains(words), "\(code.cause)")
  }

  @Test func aNumberThatIsNotInTheTableIsReadByItsNeighbors() {
    #expect(AADSTS.nearby(700_0829).shorter?.number == 700_082)
    #expect(AADSTS.nearby(500_117).shorter?.number == 50_011)
    #expect(AADSTS.nearby(53_999).shorter == nil)
    #expect(AADSTS.nearby(53_999).range.contains("conditional access"))
    #expect(AADSTS.nearby(99_999_999).range == "not known here")
  }

  @Test(arguments: [
    ("invalid_scope", nil, "invalidScope"), ("invalid_client", nil, "invalidClient"),
    ("unauthorized_client", "protection_policy_required", "serverProtectionPoliciesRequired"),
    ("unauthorized_client", nil, "interactionRequired"), ("invalid_grant", "bad_token", "interactionRequired"),
    ("server_error", nil, "interactionRequired"), ("anything_else", nil, "interactionRequired"),
    ("INVALID_SCOPE", nil, "invalidScope"),
  ]) func aRefusedRefreshTokenMostlyMeansThatAUserIsNeeded(error: String, suberror: String?, outcome: String) {
    #expect(OAuthErrorDescription.silentSurface(error, suberror: suberror).outcome == outcome)
  }

  @Test func everyOAuthErrorOfTheTableOfCodesIsExplained() {
    for code in AADSTS.all {
      guard let error = code.error else { continue }
      #expect(OAuthErrorDescription.named(error) != nil, "\(code.code): \(error)")
    }
  }
}

extension String {
  fileprivate var trimmed: String {
    var text = self
    while text.first?.isWhitespace == true { text.removeFirst() }
    while text.last?.isWhitespace == true { text.removeLast() }
    return text
  }
}
