import Diagnostics
import Documents

/// acquireToken with the sign-in page.
package struct Interactive: TokenAcquiringStep {
  /// How the page is asked to behave, by MSALPromptType's names; `never` is OpenID Connect's `prompt=none`.
  package enum Prompt: String, Sendable, CaseIterable {
    case ifNecessary, selectAccount, login, consent, create, never
  }

  /// How the user is asked to prove who they are: MSALPreferredAuthMethod.
  package enum AuthMethod: String, Sendable, CaseIterable {
    case none, qrPIN
  }

  package var token = TokenParameters()
  package var prompt: Resolvable<Prompt>?
  package var loginHint: Resolvable<String>?
  package var domainHint: Resolvable<String>?
  package var extraScopesToConsent: Resolvable<[String]>?
  package var webview: Resolvable<WebviewType>?
  package var prefersEphemeralWebBrowserSession: Resolvable<Bool>?
  package var parentViewController: Resolvable<Bool>?
  package var preferredAuthMethod: Resolvable<AuthMethod>?
  /// OpenID Connect's `max_age`; MSAL has no such parameter.
  package var maxAge: Resolvable<Duration>?
}

extension StepKind {
  static let interactive = StepKind(
    "interactive", fallbackKey: "interactive-fallback", "a token by way of the sign-in page", usesNetwork: true,
    canBeFallback: true,
    outcomes: [
      .success("the user signed in and a token is there"),
      Outcome("userCanceled", "the user closed the window or declined (-50005)"),
      Outcome("interactionRequired", "the server asks for more than this request may show (-50002)"),
      .serverDeclinedScopes, .serverProtectionPoliciesRequired,
      Outcome("workplaceJoinRequired", "the device must be registered first (-50001)"),
      .resetPasswordRequired,
    ] + Outcome.silentInternals + Outcome.grantInternals + [
      .invalidState,
      .interactiveSessionAlreadyRunning,
      .noViewController,
      Outcome("insufficientDeviceStrength", .internalFailure, "the device's registration is too weak (-50007)"),
      Outcome(
        "mdmEnrollmentCompletedNeedsRetry", .internalFailure,
        "the device has just been enrolled; the same request may pass now (-50008)"),
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
      .webview(into: \.webview),
      .prefersEphemeralSession(into: \.prefersEphemeralWebBrowserSession),
      Field(
        "parentViewController", Codec<Bool>.bool.resolvable, into: \.parentViewController, default: true,
        "whether the app has a view controller in a window; without one MSAL refuses (-42000)"),
      Field(
        "preferredAuthMethod", Codec<AuthMethod>.enumeration().resolvable, into: \.preferredAuthMethod, default: "none",
        "how people prove who they are: qrPIN asks for QR code and PIN"),
      Field(
        "maxAge", Codec<Duration>.durationText.resolvable, into: \.maxAge,
        "the longest time since the user proved who they are, OpenID Connect's max_age"),
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
