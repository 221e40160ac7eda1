import IdentityPlatform
import Lessons
import Testing
import WorkflowModel

/// Tests the brackets, names, and handled outcomes of code samples. `.ci/check-code` compiles the samples.
@Suite struct AppCodeTests {
  struct Snippet: Sendable, CustomTestStringConvertible {
    var step: String
    var language: AppCode.Language
    var code: String
    var testDescription: String { "\(step) in \(language.name)" }
  }

  static let snippets: [Snippet] = AppCode.all.flatMap { code in
    AppCode.Language.allCases.compactMap { language in
      if case .code(let lines, _) = code[language] {
        Snippet(step: code.step, language: language, code: lines)
      } else {
        nil
      }
    }
  }

  /// Returns the text without comments or string literals.
  static func withoutCommentsAndStrings(_ code: String) -> String {
    var result = ""
    var isString = false
    var previous: Character = " "
    for line in code.split(separator: "\n", omittingEmptySubsequences: false) {
      var rest = line
      if rest.drop(while: { $0 == " " }).hasPrefix("/**") { continue }
      while let character = rest.popFirst() {
        if character == "\"", previous != "\\" { isString.toggle() }
        if !isString, character == "/", rest.first == "/" { break }
        if !isString, character != "\"" { result.append(character) }
        previous = character
      }
      isString = false
      result.append("\n")
    }
    return result
  }

  @Test(arguments: snippets) func bracketsAreBalanced(snippet: Snippet) {
    var open: [Character] = []
    let pairs: [Character: Character] = [")": "(", "]": "[", "}": "{"]
    for character in Self.withoutCommentsAndStrings(snippet.code) {
      if "([{".contains(character) { open.append(character) }
      if let opening = pairs[character] { #expect(open.popLast() == opening, "\(snippet.code)") }
    }
    #expect(open.isEmpty)
    for line in snippet.code.split(separator: "\n") { #expect(line.count <= 120 && line.last != " ", "\(line)") }
  }

  /// The public interfaces that the samples use, by library. The names come from the headers of
  /// microsoft-authentication-library-for-objc (as the Swift importer renames them, including SE-0297) and from the
  /// references of Microsoft.Identity.Client and com.microsoft.identity.client.
  static let interfaces: [AppCode.Language: Set<String>] = [
    .swift: [
      "currentAccount", "accounts", "accountsFromDevice", "acquireTokenSilent", "acquireToken", "signout",
      "deviceInformation", "MSALParameters", "MSALAccountEnumerationParameters", "MSALSilentTokenParameters",
      "MSALInteractiveTokenParameters", "MSALWebviewParameters", "MSALSignoutParameters", "MSALClaimsRequest",
      "MSALError",
      "MSALAccount", "MSALResult", "MSALErrorDomain", "MSALGrantedScopesKey", "MSALInvalidResultKey",
    ],
    .objc: [
      "MSALParameters", "MSALAccountEnumerationParameters", "MSALSilentTokenParameters",
      "MSALInteractiveTokenParameters",
      "MSALWebviewParameters", "MSALSignoutParameters", "MSALClaimsRequest", "MSALAccount", "MSALResult",
      "MSALDeviceInformation", "MSALErrorDomain", "MSALErrorInteractionRequired", "MSALErrorServerDeclinedScopes",
      "MSALErrorUserCanceled", "MSALGrantedScopesKey", "MSALInvalidResultKey", "MSALDeviceModeShared",
    ],
    .csharp: [
      "GetAccountAsync", "GetAccountsAsync", "AcquireTokenSilent", "AcquireTokenInteractive",
      "AcquireTokenWithDeviceCode", "RemoveAsync", "ExecuteAsync", "WithAccount", "WithClaims",
      "CreateAuthorizationHeader", "GetClaimChallengeFromResponseHeaders", "MsalUiRequiredException",
      "MsalServiceException", "MsalClientException", "MsalError",
    ],
    .kotlin: android, .java: android,
  ]
  private static let android: Set<String> = [
    "MsalException", "MsalUiRequiredException", "MsalDeclinedScopeException", "AcquireTokenSilentParameters",
    "AcquireTokenParameters", "getCurrentAccountAsync", "getAccount", "getAccounts", "acquireTokenSilentAsync",
    "acquireToken", "acquireTokenWithDeviceCode", "signOut", "removeAccount", "isSharedDevice", "forAccount",
    "fromAuthority", "withScopes", "withCallback", "startAuthorizationFromActivity", "getClaimsRequestFromJsonString",
  ]

  @Test(arguments: snippets) func samplesUseOnlyMSALNames(snippet: Snippet) throws {
    let known = try #require(Self.interfaces[snippet.language])
    let names = Self.withoutCommentsAndStrings(snippet.code).split { !$0.isLetter && !$0.isNumber && $0 != "_" }.map(
      String.init)
    for name in names where name.hasPrefix("MSAL") || name.hasPrefix("Msal") {
      #expect(known.contains(name), "\(snippet.step): \(name)")
    }
    for name in names where name.hasPrefix("acquireToken") || name.hasPrefix("AcquireToken") {
      let base = snippet.language == .objc ? String(name.prefix(12)) : name
      #expect(known.contains(base) || snippet.language == .objc, "\(snippet.step): \(name)")
    }
    #expect(snippet.step == "interactive-fallback" || names.contains { known.contains($0) }, "\(snippet.code)")
  }

  @Test(arguments: snippets.filter { $0.language == .objc || $0.language == .swift })
  func samplesUsePublicErrorNames(snippet: Snippet) {
    let codes = Set(MSALErrorCode.allCases.map(\.symbol))
    let outcomes = Set(MSALErrorCode.allCases.map(\.outcome))
    for line in snippet.code.split(separator: "\n") {
      let line = line.drop { $0 == " " }
      if line.hasPrefix("case MSALError") {
        #expect(codes.contains(String(line.dropFirst(5).prefix { $0.isLetter })), "\(line)")
      }
      if snippet.language == .swift, line.hasPrefix("case .") {
        #expect(outcomes.contains(String(line.dropFirst(6).prefix { $0.isLetter })), "\(line)")
      }
    }
  }

  @Test(arguments: AppCode.all.map(\.step)) func handledOutcomesExist(step: String) throws {
    let code = try #require(AppCode.named(step))
    let kind = try #require(StepKind.named(step))
    for name in code.handles {
      let outcome = try #require(OutcomeName(rawValue: name), "\(name)")
      #expect(StepKind.outcomesByName[outcome] != nil, "\(outcome)")
      #expect(kind.outcome(named: outcome) != nil || step == "interactive-fallback", "\(step) has no \(outcome)")
    }
  }

  @Test func fallbackSamplesHandleAllBranches() {
    for language in AppCode.Language.allCases {
      func text(_ step: String) -> String {
        if case .code(let lines, let note) = AppCode.named(step)?[language] { lines + note } else { "" }
      }
      let (required, declined, canceled): (String, String, String) =
        switch language {
        case .swift: ("case .interactionRequired", "case .serverDeclinedScopes", "case .userCanceled")
        case .objc: ("MSALErrorInteractionRequired", "MSALErrorServerDeclinedScopes", "MSALErrorUserCanceled")
        case .csharp: ("MsalUiRequiredException", "Scopes", "AuthenticationCanceledError")
        case .kotlin, .java: ("MsalUiRequiredException", "MsalDeclinedScopeException", "onCancel")
        }
      #expect(text("silent").contains(required) && text("silent").contains(declined), "\(language)")
      #expect(text("interactive").contains(canceled) && text("interactive").contains(declined), "\(language)")
      #expect(text("interactive-fallback").contains("ilently"), "\(language)")
    }
  }

  @Test func explainsFeaturesThatALibraryDoesNotSupport() {
    for (step, language) in [("deviceCode", AppCode.Language.swift), ("deviceCode", .objc), ("deviceInfo", .csharp)] {
      guard case .missing(let explanation)? = AppCode.named(step)?[language] else {
        Issue.record("\(step) in \(language)")
        continue
      }
      #expect(explanation.count > 40)
    }
    #expect(AppCode.named("wait") == nil && AppCode.named("callAPI")?.step == "callGraph")
  }
}
