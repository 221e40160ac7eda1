import Documents

/// A token request that uses the cache or the refresh token and never shows any UI: MSAL's `acquireTokenSilent`.
package struct Silent: TokenAcquiringStep {
  package var token = TokenParameters()
  package var forceRefresh: Resolvable<Bool>?
  /// MSAL's parameter for SSO extensions. It has no effect, because authflow does not support SSO extensions. The trace
  /// reports that the parameter is ignored.
  package var allowUsingLocalCachedRtWhenSsoExtFailed: Resolvable<Bool>?
}

extension StepKind {
  static let silent = StepKind(
    "silent", "token request without any UI, using the cache or the refresh token", .usesNetwork,
    outcomes: [
      .success("a token is available"),
      Outcome(.interactionRequired, .failure, .fallback, "the user must sign in interactively (-50002)"),
      .serverDeclinedScopes, .serverProtectionPoliciesRequired, .userCanceled, .resetPasswordRequired,
    ] + Outcome.internalErrors,
    syntax: .parameters(Silent(), Silent.fields) { .silent($0) })
}

extension Silent {
  package static let fields = Fields<Silent>(
    "`silent`",
    Self.tokenFields + [
      Field(
        "forceRefresh", Codec<Bool>.bool.resolvable, into: { $0.forceRefresh = $1 }, default: false,
        "whether to ignore the cached access token"),
      Field(
        "allowUsingLocalCachedRtWhenSsoExtFailed", Codec<Bool>.bool.resolvable,
        into: { $0.allowUsingLocalCachedRtWhenSsoExtFailed = $1 }, default: true,
        "whether to use a cached refresh token if the SSO extension fails; authflow does not support SSO extensions"),
    ])
}
