import Handbook
import IdentityPlatform
import Testing

/// Tests lookups in all common spellings.
@Suite struct WholeGlossaryTests {
  static func names(_ text: String) -> [String] {
    guard case .known(let entries) = Glossary.whole.lookUp(text) else { return [] }
    return entries.map(\.name)
  }

  @Test(arguments: [
    ("-50002", "MSALErrorInteractionRequired"), ("50002", "MSALErrorInteractionRequired"),
    ("\u{2212}50002", "MSALErrorInteractionRequired"), ("-42003", "MSALInternalErrorInvalidClient"),
    ("42501", "MSALInternalErrorInvalidState"), ("-42745", "MSALInternalErrorInvalidASWebAuthenticationURL"),
    ("-42400", "-42400"), ("-51115", "MSIDErrorInteractionRequired"),
    ("-50142", "MSALErrorServerInvalidRequestResetPasswordRequired"),
    ("MSALErrorServerDeclinedScopes", "MSALErrorServerDeclinedScopes"),
    ("serverDeclinedScopes", "MSALErrorServerDeclinedScopes"),
    ("ServerDeclinedScopes", "MSALErrorServerDeclinedScopes"),
    ("server_declined_scopes", "MSALErrorServerDeclinedScopes"),
    ("MSALError.serverDeclinedScopes", "MSALErrorServerDeclinedScopes"),
    (".serverDeclinedScopes", "MSALErrorServerDeclinedScopes"),
    ("MSALInternalErrorInvalidState", "MSALInternalErrorInvalidState"),
    ("MSALErrorInvalidState", "MSALInternalErrorInvalidState"), ("invalid-state", "MSALInternalErrorInvalidState"),
    ("MSALInternalBrokerNotAvailable", "MSALInternalBrokerNotAvailable"),
    ("MSALInternalErrorBrokerNotAvailable", "MSALInternalBrokerNotAvailable"),
    ("MSALErrorJITWPJAcquireTokenError", "MSALErrorJITWPJAcquireTokenError"),
    ("MSALInternalErrorCodeKey", "MSALInternalErrorCodeKey"),
    ("AADSTS65001", "AADSTS65001"), ("aadsts65001", "AADSTS65001"), ("AADSTS 65001", "AADSTS65001"),
    ("AADSTS-65001", "AADSTS65001"), ("AADSTS65001:", "AADSTS65001"), ("\"AADSTS65001\"", "AADSTS65001"),
    ("65001", "AADSTS65001"), ("7000218", "AADSTS7000218"), ("AADB2C90118", "AADB2C90118"), ("90118", "AADB2C90118"),
    ("interaction_required", "interaction_required"), ("invalid_grant", "invalid_grant"),
    ("authorization_pending", "authorization_pending"), ("slow_down", "slow_down"),
    ("bad_token", "bad_token"), ("client_mismatch", "client_mismatch"), ("BASIC_ACTION", "basic_action"),
    ("consent_required", "consent_required"), ("silent", "silent"), ("interactive-fallback", "interactive"),
    ("userCanceled", "MSALErrorUserCanceled"), ("ambiguousAccount", "MSALInternalErrorAmbiguousAccount"),
    ("claimsChallenge", "claimsChallenge"), ("429", "throttled"), ("passwordChanged", "passwordChanged"),
    ("wrong-issuer", "wrong-issuer"), ("xms_cc", "xms_cc"), ("GraphScopes", "GraphScopes"),
    ("aadScopes", "GraphScopes"),
    ("clientid", "AppId"), ("app-id-placeholder", "app-id-placeholder"), ("code_challenge", "code_challenge"),
    ("forceRefresh", "forceRefresh"), ("when", "when"), ("tokenSource", "tokenSource"),
    ("MsalUiRequiredException", "MsalUiRequiredException"),
    ("com.microsoft.identity.client.exception.MsalUiRequiredException", "MsalUiRequiredException"),
    ("acquireTokenSilent", "silent"), ("acquire_token_silent", "silent"),
    ("AcquireTokenSilent(scopes, account)", "silent"),
    ("application.acquireTokenSilent(with:)", "silent"),
    ("acquireTokenSilentWithParameters:completionBlock:", "silent"),
    ("MSALInteractiveTokenParameters", "interactive"), ("loginPopup", "interactive"),
    ("getCurrentAccountWithParameters", "loadAccount"), ("getAllAccounts", "listAccounts"),
    ("acquire_token_by_device_flow", "deviceCode"), ("signoutWithAccount", "signout"), ("remove_account", "signout"),
    ("isSharedDevice", "deviceInfo"),
  ]) func findsNamesInEverySpelling(text: String, name: String) {
    #expect(Self.names(text).contains(name), "\(text): \(Self.names(text))")
  }

  @Test func listsAliasesAsSpellingsOfTheirKeys() throws {
    #expect(Self.names("clientId").contains("appId"))
    #expect(!Glossary.whole.entries.contains { $0.meaning.lowercased().contains("alias of") })
  }

  @Test func findsEveryEntryByNameAndNumber() {
    for entry in Glossary.whole.entries {
      #expect(Self.names(entry.name).contains(entry.name), "\(entry.name)")
      for spelling in entry.spellings {
        #expect(Self.names(spelling).contains(entry.name), "\(entry.name): \(spelling)")
      }
      if let number = entry.number, entry.topic != .customerError {
        #expect(Self.names(String(number)).contains(entry.name), "\(entry.name)")
      }
    }
  }

  @Test func everyEntryHasAMeaningAndAdvice() {
    for entry in Glossary.whole.entries {
      #expect(entry.meaning.count > 3, "\(entry.topic) \(entry.name)")
      #expect(entry.advice.count > 8, "\(entry.topic) \(entry.name)")
    }
    for topic in GlossaryEntry.Topic.allCases {
      #expect(Glossary.whole.entries.contains { $0.topic == topic }, "\(topic) has no entries")
    }
  }

  /// The OAuth error is different from MSAL's code with the same name.
  @Test func exactSpellingsTakePrecedence() {
    #expect(Self.names("interaction_required") == ["interaction_required"])
    #expect(Self.names("interactionRequired") == ["MSALErrorInteractionRequired", "interactionRequired"])
    #expect(Self.names("50000") == ["AADSTS50000", "MSALErrorInternal"])
    #expect(Self.names("-50000") == ["MSALErrorInternal"])
  }

  @Test(arguments: [
    ("interactionRequird", "interactionRequired"), ("invalid_grnt", "invalid_grant"), ("silnt", "silent"),
    ("MSALErrorUserCancelled", "MSALErrorUserCanceled"), ("-50009", "-50002"),
  ]) func suggestsSimilarNames(text: String, expected: String) throws {
    guard case .unknown(let suggestions) = Glossary.whole.lookUp(text) else {
      Issue.record("\(text) is known: \(Self.names(text))")
      return
    }
    let folded = suggestions.map { $0.lowercased().replacing("msalerror", with: "") }
    #expect(suggestions.contains(expected) || folded.contains(expected.lowercased()), "\(suggestions)")
  }

  @Test func suggestsNothingForUnrelatedText() {
    for text in ["", "qqqqqqqqqqqq", "äöü", String(repeating: "x", count: 10_000), "-", "123"] {
      guard case .unknown(let suggestions) = Glossary.whole.lookUp(text) else {
        Issue.record("\(text.prefix(20)) is known")
        continue
      }
      if text.count > 4 { #expect(suggestions == []) }
    }
  }

  @Test(arguments: [
    ("AADSTS70049", "AADSTS70049", "not in authflow's table"), ("500117", "AADSTS500117", "AADSTS50011 means"),
    ("AADB2C12345", "AADB2C12345", "Azure AD B2C"), ("aadsts 53999", "AADSTS53999", "Conditional Access"),
  ]) func explainsCodesThatNoTableContains(text: String, code: String, expected: String) throws {
    guard case .unlisted(let unlisted) = Glossary.whole.lookUp(text) else {
      Issue.record("\(text) is in a table, or is not a code")
      return
    }
    #expect(unlisted.code.code == code)
    #expect(unlisted.words.joined(separator: " ").contains(expected), "\(unlisted.words)")
    #expect((unlisted.page == nil) == unlisted.code.isCustomer)
  }
}
