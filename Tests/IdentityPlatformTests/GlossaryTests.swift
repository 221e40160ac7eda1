import IdentityPlatform
import Testing

/// The error glossary contains all entries of all tables, and each entry has a description.
@Suite struct GlossaryTests {
  static let entries = ErrorGlossary.entries

  @Test("contains a meaning and advice for every entry", arguments: entries.map { "\($0.topic.rawValue) \($0.name)" })
  func entry(name: String) throws {
    let entry = try #require(Self.entries.first { "\($0.topic.rawValue) \($0.name)" == name })
    #expect(entry.meaning.count > 5)
    #expect(entry.advice.count > 8)
    for text in [entry.meaning, entry.advice, entry.cause ?? "x", entry.reaction ?? "x"] + entry.facts.map(\.text) {
      #expect(!text.isEmpty)
      #expect(text == text.trimmed, "\(text)")
      #expect(!text.contains("  ") && !text.contains(".."), "\(text)")
    }
  }

  @Test("contains all entries of all tables")
  func complete() {
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

  @Test("does not contain duplicate names in a topic")
  func isUnique() {
    for topic in GlossaryEntry.Topic.allCases {
      let names = Self.entries.filter { $0.topic == topic }.map { $0.name.lowercased() }
      #expect(Set(names).count == names.count, "\(topic)")
    }
  }

  @Test("contains all related entries")
  func related() {
    let names = Set(Self.entries.map(\.name))
    for entry in Self.entries {
      for other in entry.related { #expect(names.contains(other), "\(entry.name) → \(other)") }
    }
  }

  /// Each group of broker error codes has its own cause.
  @Test(
    "describes the cause of broker error codes",
    arguments: [
      (MSALInternalErrorCode.brokerNotAvailable, "single sign-on extension"),
      (.jitLinkServerConfirmationError, "just-in-time"), (.jitErrorHandlingConfigNotFound, "just-in-time"),
      (.deviceNotPSSORegistered, "platform single sign-on"), (.pssoBiometricsNotEnrolled, "platform single sign-on"),
      (.invalidASWebAuthenticationURL, "web session"), (.brokerApplicationTokenReadFailed, "broker app"),
    ])
  func brokerErrors(code: MSALInternalErrorCode, text: String) {
    #expect(code.cause.contains(text), "\(code.cause)")
  }

  @Test("finds the range and a shorter code for an unknown AADSTS code")
  func unknownCodes() {
    #expect(AADSTS.nearby(700_0829).shorter?.number == 700_082)
    #expect(AADSTS.nearby(500_117).shorter?.number == 50_011)
    #expect(AADSTS.nearby(53_999).shorter == nil)
    #expect(AADSTS.nearby(53_999).range.contains("Conditional Access"))
    #expect(AADSTS.nearby(53_999).isInKnownRange)
    #expect(!AADSTS.nearby(99_999_999).isInKnownRange)
  }

  @Test(
    "requires interaction after most refresh errors",
    arguments: [
      ("invalid_scope", nil, "invalidScope"), ("invalid_client", nil, "invalidClient"),
      ("unauthorized_client", "protection_policy_required", "serverProtectionPoliciesRequired"),
      ("unauthorized_client", nil, "interactionRequired"), ("invalid_grant", "bad_token", "interactionRequired"),
      ("server_error", nil, "interactionRequired"), ("anything_else", nil, "interactionRequired"),
      ("INVALID_SCOPE", nil, "invalidScope"),
    ])
  func refreshErrors(error: String, suberror: String?, outcome: String) {
    #expect(OAuthErrorDescription.silentCode(error, suberror: suberror).outcome == outcome)
  }

  @Test("describes every OAuth error in the table of AADSTS codes")
  func oauthErrors() {
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
