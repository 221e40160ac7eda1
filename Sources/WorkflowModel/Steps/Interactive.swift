import DeclaredFields
import Diagnostics
import Documents

/// acquireToken with the sign-in page.
package struct Interactive: AcquiresToken {
  /// How the page is asked to behave, by MSALPromptType's names; `never` is OpenID Connect's `prompt=none`.
  package enum Prompt: String, Sendable, CaseIterable {
    case ifNecessary, selectAccount, login, consent, create, never
  }

  package enum WebviewType: String, Sendable, CaseIterable {
    case standard = "default"
    case authenticationSession, safariViewController, wkWebView, ephemeral
  }

  package var token = TokenParameters()
  package var prompt: Resolvable<Prompt>?
  package var loginHint: Resolvable<String>?
  package var domainHint: Resolvable<String>?
  package var extraScopesToConsent: Resolvable<[String]>?
  package var webview: Resolvable<WebviewType>?
}

extension StepKind {
  static let interactive = StepKind(
    "interactive", fallbackKey: "interactive-fallback", "a token by way of the sign-in page", usesNetwork: true,
    canBeFallback: true,
    outcomes: [
      .success("the person signed in and a token is there"),
      Outcome("userCanceled", "the person closed the window or declined (-50005)"),
      Outcome("interactionRequired", "the server asks for more than this request may show (-50002)"),
      .serverDeclinedScopes, .serverProtectionPoliciesRequired,
      Outcome("workplaceJoinRequired", "the device must be registered first (-50001)"),
      Outcome("serverInvalidRequestResetPasswordRequired", "the password must be reset first (-50142)"),
    ] + Outcome.silentInternals + Outcome.grantInternals + [
      Outcome("invalidState", .internalFailure, "the answer belongs to another request (-42501)"),
      Outcome("nonHttpsRedirect", .internalFailure, "the server redirected to plain http (-42602)"),
      Outcome("interactiveSessionAlreadyRunning", .internalFailure, "another sign-in page is open (-42402)"),
      Outcome("noViewController", .internalFailure, "there is nowhere to show the page (-42403)"),
      Outcome("insufficientDeviceStrength", .internalFailure, "the device's registration is too weak (-50007)"),
    ],
    empty: Interactive(), fields: Interactive.fields
  ) { .interactive($0) }
}

extension Interactive {
  package static let fields = Fields<Interactive>(
    "interactive",
    Self.tokenFields + [
      Field(
        "prompt", Codec<Prompt>.prompt.resolvable, into: \.prompt, default: "ifNecessary",
        "how the page behaves, by MSALPromptType's names"),
      Field("loginHint", Codec<String>.string.resolvable, into: \.loginHint, "the username that is filled in"),
      Field(
        "domainHint", Codec<String>.string.resolvable, into: \.domainHint,
        "the tenant or kind of account that the page goes to"),
      Field(
        "extraScopesToConsent", Codec<[String]>.scopes.resolvable, into: \.extraScopesToConsent,
        "scopes to consent to now and use later"),
      Field(
        "webview", Codec<WebviewType>.enumeration().resolvable, into: \.webview, default: "default",
        "how the page is shown, by MSALWebviewType's names"),
    ])
}

extension Codec where Value == Interactive.Prompt {
  /// The names of MSAL for other platforms and of the wire, and what they are called here.
  private static var otherNames: [String: Interactive.Prompt] {
    [
      "default": .ifNecessary, "promptifnecessary": .ifNecessary, "whenrequired": .ifNecessary,
      "unspecified": .ifNecessary,
      "selectaccount": .selectAccount, "forcelogin": .login, "login": .login, "consent": .consent, "create": .create,
      "noprompt": .never, "never": .never, "none": .never, "ifnecessary": .ifNecessary,
    ]
  }

  static var prompt: Self {
    let plain = Codec<Interactive.Prompt>.enumeration()
    return Self(
      expecting: plain.expectation,
      schema: [
        "anyOf": [
          plain.schema(),
          [
            "enum": [
              "default", "promptIfNecessary", "whenRequired", "forceLogin", "noPrompt", "none", "select_account",
              "SELECT_ACCOUNT", "LOGIN", "CONSENT", "CREATE", "WHEN_REQUIRED",
            ]
          ],
        ]
      ]
    ) { node, problems in
      guard let text = node.string, Interactive.Prompt(rawValue: text) == nil else {
        return plain.read(node, &problems)
      }
      let folded = text.lowercased().filter { $0 != "_" && $0 != "-" }
      let bare = folded.hasPrefix("msalprompttype") ? String(folded.dropFirst("msalprompttype".count)) : folded
      guard let meant = otherNames[bare] else { return plain.read(node, &problems) }
      problems.add(
        Diagnostic(
          .note, rule: "prompt-name", "\"\(text)\" is the name on another platform; here it is \(meant.rawValue)",
          help: "write prompt: \(meant.rawValue)", at: node.place,
          fix: .init(
            description: "write \(meant.rawValue)",
            edits: [.init(span: node.innerSpan, replacement: meant.rawValue)])))
      return meant
    }
  }
}
