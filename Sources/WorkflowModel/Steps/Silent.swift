import Documents

/// acquireTokenSilent: from the cache, or with the refresh token; nobody sees anything.
package struct Silent: TokenAcquiringStep {
  package var token = TokenParameters()
  package var forceRefresh: Resolvable<Bool>?
  /// Without an SSO extension, and none exists here, it changes nothing; the trace says so.
  package var allowUsingLocalCachedRtWhenSsoExtFailed: Resolvable<Bool>?
}

extension StepKind {
  static let silent = StepKind(
    "silent", "a token from the cache, or with the refresh token; nobody sees anything", usesNetwork: true,
    outcomes: [
      .success("a token is there"),
      Outcome("interactionRequired", .failure, .fallback, "only the user can go on from here (-50002)"),
      .serverDeclinedScopes, .serverProtectionPoliciesRequired, .userCanceled, .resetPasswordRequired,
    ] + Outcome.silentInternals + Outcome.grantInternals,
    empty: Silent(), fields: Silent.fields
  ) { .silent($0) }
}

extension Silent {
  package static let fields = Fields<Silent>(
    "silent",
    Self.tokenFields + [
      Field(
        "forceRefresh", Codec<Bool>.bool.resolvable, into: \.forceRefresh, default: false,
        "passes the cached access token over"),
      Field(
        "allowUsingLocalCachedRtWhenSsoExtFailed", Codec<Bool>.bool.resolvable,
        into: \.allowUsingLocalCachedRtWhenSsoExtFailed, default: true,
        "whether a cached refresh token may be used where an SSO extension failed; there is none here"),
    ])
}
