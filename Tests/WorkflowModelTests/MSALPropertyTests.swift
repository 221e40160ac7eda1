import Diagnostics
import Documents
import Testing

import WorkflowModel

/// Tests that every property of MSAL's parameter classes has a key in the workflow language, with the same default.
@Suite struct MSALPropertyTests {
  struct Property: Sendable, CustomTestStringConvertible {
    var type: String
    var name: String
    /// The step types that have a key for the property.
    var kinds: [String]
    var key: String
    /// The default value in the schema, or nil if MSAL does not define a default.
    var standard: JSON?

    init(_ type: String, _ name: String, _ kinds: [String], key: String? = nil, default standard: JSON? = nil) {
      self.type = type
      self.name = name
      self.kinds = kinds
      self.key = key ?? name
      self.standard = standard
    }

    var testDescription: String { "\(type).\(name)" }
  }

  static let tokenSteps = ["silent", "interactive", "deviceCode"]
  static let properties: [Property] = [
    Property("MSALTokenParameters", "scopes", tokenSteps),
    Property("MSALTokenParameters", "account", tokenSteps),
    Property("MSALTokenParameters", "authority", tokenSteps),
    Property("MSALTokenParameters", "claimsRequest", tokenSteps, key: "claims"),
    Property("MSALTokenParameters", "extraQueryParameters", tokenSteps),
    Property("MSALTokenParameters", "correlationId", tokenSteps),
    Property("MSALTokenParameters", "authenticationScheme", tokenSteps, default: "Bearer"),
    Property("MSALSilentTokenParameters", "forceRefresh", ["silent"], default: false),
    Property("MSALSilentTokenParameters", "allowUsingLocalCachedRtWhenSsoExtFailed", ["silent"], default: true),
    Property("MSALInteractiveTokenParameters", "promptType", ["interactive"], key: "prompt", default: "ifNecessary"),
    Property("MSALInteractiveTokenParameters", "loginHint", ["interactive"]),
    Property("MSALInteractiveTokenParameters", "domainHint", ["interactive"]),
    Property("MSALInteractiveTokenParameters", "extraScopesToConsent", ["interactive"]),
    Property("MSALInteractiveTokenParameters", "webviewParameters", ["interactive", "signout"], key: "webview"),
    Property("MSALInteractiveTokenParameters", "preferredAuthMethod", ["interactive"], default: "none"),
    Property("MSALWebviewParameters", "webviewType", ["interactive", "signout"], key: "webview"),
    Property("MSALWebviewParameters", "parentViewController", ["interactive"], default: true),
    Property(
      "MSALWebviewParameters", "prefersEphemeralWebBrowserSession", ["interactive", "signout"], default: false),
    Property("MSALSignoutParameters", "signoutFromBrowser", ["signout"], default: false),
    Property("MSALSignoutParameters", "wipeAccount", ["signout"], default: false),
    Property("MSALSignoutParameters", "wipeCacheForAllAccounts", ["signout"], default: false),
    Property("MSALSignoutParameters", "extraQueryParameters", ["signout"]),
    Property("MSALSignoutParameters", "authority", ["signout"]),
    Property("MSALSignoutParameters", "correlationId", ["signout"]),
    Property("MSALAccountEnumerationParameters", "identifier", ["listAccounts", "loadAccount"]),
    Property("MSALAccountEnumerationParameters", "tenantProfileIdentifier", ["listAccounts", "loadAccount"]),
    Property("MSALAccountEnumerationParameters", "username", ["listAccounts", "loadAccount"]),
    Property(
      "MSALAccountEnumerationParameters", "returnOnlySignedInAccounts", ["listAccounts", "loadAccount"], default: true),
  ]

  /// Some properties do not have a key: `completionBlockQueue`, because workflows are sequential; `msalXpcMode`,
  /// because it requires a broker service on the Mac; and `presentationStyle` and `customWebview`, because there is no
  /// window.
  @Test(arguments: properties)
  func everyPropertyHasAKeyInTheLanguage(_ property: Property) throws {
    for name in property.kinds {
      let kind = try #require(StepKind.named(name))
      #expect(kind.parameterKeys().contains(property.key), "\(name)")
      if let standard = property.standard {
        let field = try #require(Self.fields(of: kind)?[property.key])
        #expect(field["default"] == standard, "\(name)")
      }
    }
  }

  private static func fields(of kind: StepKind) -> JSON? {
    let schema = kind.schema()
    return schema["properties"] ?? schema["anyOf"]?.array?.compactMap { $0["properties"] }.first
  }

  @Test(arguments: ["silent", "interactive", "deviceCode"])
  func rejectsProofOfPossession(_ kind: String) throws {
    let text = #"{"authflow": 1, "steps": [{"\#(kind)": {"authenticationScheme": "Pop"}}]}"#
    let (_, diagnostics) = WorkflowDecoder.read(DocumentReader.read(Array(text.utf8), named: "w.json")) { _ in
      ReadResult(document: nil, diagnostics: [])
    }
    #expect(diagnostics.map(\.rule) == ["proof-of-possession"])
    #expect(diagnostics.first?.message.contains("require a device key") == true)
  }
}
