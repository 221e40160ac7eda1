import Diagnostics
import Documents
import IdentityPlatform

/// An interactive sign-in on the sign-in page: MSAL's `acquireToken`.
package struct Interactive: TokenAcquiringStep {
  /// The prompt behavior, named after `MSALPromptType` values. `never` sends `prompt=none` (OpenID Connect Core
  /// §3.1.2.1).
  package enum Prompt: String, Sendable, CaseIterable {
    case ifNecessary, selectAccount, login, consent, create, never
  }

  /// The preferred credential: MSALPreferredAuthMethod.
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
  /// The `max_age` parameter (OpenID Connect Core §3.1.2.1). MSAL does not have this parameter.
  package var maxAge: Resolvable<Duration>?
}

extension StepKind {
  static let interactive = StepKind(
    "interactive", fallbackKey: "interactive-fallback", "interactive sign-in in a browser",
    [.usesNetwork, .canBeFallback],
    outcomes: [
      .success("the user signed in"),
      Outcome(.userCanceled, "the user closed the window or declined consent (-50005)"),
      .interactionRequired, .serverDeclinedScopes, .serverProtectionPoliciesRequired,
      Outcome(.msal(.workplaceJoinRequired), "the device must be registered first (-50001)"),
      .resetPasswordRequired,
    ] + Outcome.internalErrors + [
      .invalidState,
      .interactiveSessionAlreadyRunning,
      .noViewController,
      Outcome(.msal(.insufficientDeviceStrength), "the device registration is not strong enough (-50007)"),
      Outcome(.msal(.mdmEnrollmentCompletedNeedsRetry), "the device was just enrolled; a retry can succeed (-50008)"),
    ],
    syntax: .parameters(Interactive(), Interactive.fields) { .interactive($0) })
}

extension Interactive {
  package static let fields = Fields<Interactive>(
    "`interactive`",
    Self.tokenFields + [
      Field(
        "prompt", Codec<Prompt>.prompt.resolvable, into: { $0.prompt = $1 }, default: "ifNecessary",
        "prompt behavior, named after the `MSALPromptType` values"),
      Field(
        "loginHint", Codec<String>.string.resolvable, into: { $0.loginHint = $1 },
        "username to prefill on the sign-in page"),
      Field(
        "domainHint", Codec<String>.string.resolvable, into: { $0.domainHint = $1 },
        "tenant or account type whose sign-in page is shown"),
      Field(
        "extraScopesToConsent", Codec<[String]>.scopes.resolvable, into: { $0.extraScopesToConsent = $1 },
        "additional scopes for the user to consent to, for later use"),
      .webview(into: { $0.webview = $1 }),
      .prefersEphemeralSession(into: { $0.prefersEphemeralWebBrowserSession = $1 }),
      Field(
        "parentViewController", Codec<Bool>.bool.resolvable, into: { $0.parentViewController = $1 }, default: true,
        "whether the app has a view controller in a window; if not, MSAL returns an error (-42000)"),
      Field(
        "preferredAuthMethod", Codec<AuthMethod>.enumeration().resolvable, into: { $0.preferredAuthMethod = $1 },
        default: "none",
        "preferred credential; `qrPIN` requests sign-in with a QR code and PIN"),
      Field(
        "maxAge", Codec<Duration>.durationText.resolvable, into: { $0.maxAge = $1 },
        "maximum time since the user last authenticated (`max_age` in OpenID Connect)"),
    ])
}

extension Codec where Value == Interactive.Prompt {
  /// The prompt types, keyed by their names in MSAL on other platforms and in authorization requests, in lowercase
  /// without separators.
  private static var promptsByForeignName: [String: Interactive.Prompt] {
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
      let name = folded.hasPrefix("msalprompttype") ? String(folded.dropFirst("msalprompttype".count)) : folded
      guard let intended = promptsByForeignName[name] else { return plain.read(node, &problems) }
      problems.add(
        Diagnostic(
          .note, rule: "prompt-name", "`\(text)` is a name from another platform; authflow uses `\(intended.rawValue)`",
          help: "write `prompt: \(intended.rawValue)`", at: node.place,
          fix: .init(
            description: "replace with `\(intended.rawValue)`",
            edits: [.init(span: node.innerSpan, replacement: intended.rawValue)])))
      return intended
    }
  }
}
