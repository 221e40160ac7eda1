extension ShippedWorkflow {
  /// What the files under `Workflows/` show, so that a program without them can point there. A test writes it anew
  /// (UPDATE_GOLDEN=1) and holds it to the files.
  static let table = #"""
    Workflows/adal-migration.yaml | From names to identifiers
      8 the name was given up | AADSTS50034 bad_token
      4 the user cancels | signout.notFound simulate.skipped
      10 her sessions are revoked before the second start | sessionsRevoked
      8 somebody gets the old name | simulate.invalidParameter
      11 the clock, the keys and the cache | accessTokenExpired clock keysRotated
      6 signed out before she is looked up by identifier | usernameChanged
      5 the cache cannot be read when the app starts | cacheCorrupted loadAccount.unexpected
    Workflows/b2b-guest.yaml | A guest in another tenant
      8 the guest's tenant is named | listAccounts.found
      9 the inviting tenant wants more than the home tenant | AADSTS50079 basic_action
      5 a second factor everywhere | signedOut simulate.success
      5 she cancels at home | browserSignedOut
      7 a personal account comes to /organizations | AADSTS50020 invalid_grant
      22 nobody gets in | simulate.invalidParameter
    Workflows/b2c.yaml | Customers sign in
      3 a customer signs in | callAPI.success
      5 a customer comes back | loadAccount.found
      7 the refresh token expired | invalid_grant
      3 the password is forgotten, and the new one is not set either | AADB2C90118
      3 the customer cancels | interactive.skipped
      9 the account is disabled | AADSTS50057 userDisabled
      6 the API refuses | callAPI.forbidden
      4 offline at the first sign-in | interactive.offline
      5 the token endpoint is down | silent.unhandledResponse wait
      4 at the sign-in page | policyAdded
      16 nobody gets in | AADB2C90128 AADSTS500121 AADSTS53000 AADSTS53003 interaction_required message_only
        userDeleted
      10 the refresh token is refused | AADB2C90080 AADB2C90129 passwordChanged sessionsRevoked
      12 the clock, the keys and the cache | accessTokenExpired cacheCorrupted
      4 two customers share the device | browserSignedOut
    Workflows/calendar.json | What is on this week
      3 first run | callGraph.success
      5 a time zone that nobody knows | callGraph.otherStatus
      8 the calendar was not consented to | AADSTS65001 consent_required
      4 calendar consent declined | AADSTS65004 access_denied
      2 two people on the device | loadAccount.ambiguousAccount signedIn
      5 no network | offline wait
      4 at the sign-in page | policyAdded
      13 the refresh token is refused | passwordChanged
    Workflows/claims-challenge.yaml | The token is refused in the middle
      10 revoked while in use | assert.holds callGraph.claimsChallenge sessionsRevoked
      4 the first sign-in is canceled | signedOut simulate.success
      6 graph is away before anything is revoked | callGraph.serviceUnavailable
    Workflows/conformance/base.yaml | Conformance: base
      4 a plain OpenID provider | listAccounts.found
    Workflows/conformance/code-injection-unchecked.yaml | Conformance: code-injection-unchecked
      6 no network | injected-code unchecked-challenge
    Workflows/conformance/code-injection.yaml | Conformance: code-injection
      8 a plain OpenID provider | interactive.invalidGrant
      7 no network | AADSTS501481 injected-code
    Workflows/conformance/crit-unknown.yaml | Conformance: crit-unknown
      6 a plain OpenID provider | interactive.invalidResponse
      5 no network | critical-extension misbehaves
    Workflows/conformance/discovery-endless.yaml | Conformance: discovery-endless
      6 a plain OpenID provider | interactive.invalidResponse
      5 no network | endless-metadata misbehaves
    Workflows/conformance/discovery-incomplete.yaml | Conformance: discovery-incomplete
      6 a plain OpenID provider | interactive.invalidResponse
      5 no network | incomplete-metadata misbehaves
    Workflows/conformance/discovery-insecure-endpoints.yaml | Conformance: discovery-insecure-endpoints
      6 a plain OpenID provider | interactive.nonHttpsRedirect
      5 no network | insecure-endpoints
    Workflows/conformance/discovery-issuer-mismatch.yaml | Conformance: discovery-issuer-mismatch
      6 a plain OpenID provider | interactive.failedAuthorityValidation
      5 no network | wrong-metadata-issuer
    Workflows/conformance/discovery-jwks-uri-keys.yaml | Conformance: discovery-jwks-uri-keys
      5 no network | odd-keys
    Workflows/conformance/discovery-openid-config.yaml | Conformance: discovery-openid-config
      5 no network | moved-endpoints
    Workflows/conformance/discovery-oversized.yaml | Conformance: discovery-oversized
      5 no network | oversized-metadata
    Workflows/conformance/expired.yaml | Conformance: expired
      5 no network | expired-token
    Workflows/conformance/idtoken-sig-es256.yaml | Conformance: idtoken-sig-es256
      5 no network | elliptic-signature
    Workflows/conformance/idtoken-sig-none.yaml | Conformance: idtoken-sig-none
      5 no network | unsigned-token
    Workflows/conformance/invalid-at-hash.yaml | Conformance: invalid-at-hash
      5 no network | wrong-token-hash
    Workflows/conformance/invalid-aud.yaml | Conformance: invalid-aud
      5 no network | wrong-audience
    Workflows/conformance/invalid-iss.yaml | Conformance: invalid-iss
      5 no network | wrong-issuer
    Workflows/conformance/invalid-sig-es256.yaml | Conformance: invalid-sig-es256
      6 no network | elliptic-signature wrong-signature
    Workflows/conformance/invalid-sig-hs256.yaml | Conformance: invalid-sig-hs256
      5 no network | shared-secret-signature
    Workflows/conformance/invalid-sig-rs256.yaml | Conformance: invalid-sig-rs256
      5 no network | wrong-signature
    Workflows/conformance/issuer-in-response.yaml | Conformance: issuer-in-response
      5 no network | announced-issuer
    Workflows/conformance/keys-endless.yaml | Conformance: keys-endless
      5 no network | endless-keys
    Workflows/conformance/keys-oversized.yaml | Conformance: keys-oversized
      5 no network | oversized-keys
    Workflows/conformance/kid-absent-multiple-jwks.yaml | Conformance: kid-absent-multiple-jwks
      6 no network | missing-key-id several-keys
    Workflows/conformance/kid-absent-single-jwks.yaml | Conformance: kid-absent-single-jwks
      6 no network | missing-key-id single-key
    Workflows/conformance/kid-unknown.yaml | Conformance: kid-unknown
      5 no network | unknown-key
    Workflows/conformance/missing-access-token.yaml | Conformance: missing-access-token
      6 a plain OpenID provider | callGraph.unauthorized
      5 no network | missing-access-token
    Workflows/conformance/missing-aud.yaml | Conformance: missing-aud
      5 no network | missing-audience
    Workflows/conformance/missing-client-info.yaml | Conformance: missing-client-info
      5 no network | missing-client-info
    Workflows/conformance/missing-iat.yaml | Conformance: missing-iat
      5 no network | missing-issued-at
    Workflows/conformance/missing-id-token.yaml | Conformance: missing-id-token
      5 no network | missing-id-token
    Workflows/conformance/missing-sub.yaml | Conformance: missing-sub
      5 no network | missing-subject
    Workflows/conformance/mix-up-issuer-missing.yaml | Conformance: mix-up-issuer-missing
      5 no network | missing-response-issuer
    Workflows/conformance/mix-up-unannounced.yaml | Conformance: mix-up-unannounced
      5 no network | wrong-response-issuer
    Workflows/conformance/mix-up.yaml | Conformance: mix-up
      6 no network | announced-issuer wrong-response-issuer
    Workflows/conformance/no-keys.yaml | Conformance: no-keys
      5 no network | no-keys
    Workflows/conformance/nonce-invalid.yaml | Conformance: nonce-invalid
      5 no network | wrong-nonce
    Workflows/conformance/nonce-missing.yaml | Conformance: nonce-missing
      5 no network | missing-nonce
    Workflows/conformance/not-yet-valid.yaml | Conformance: not-yet-valid
      5 no network | future-token
    Workflows/conformance/pkce-downgrade.yaml | Conformance: pkce-downgrade
      8 a plain OpenID provider | interactive.invalidGrant
      7 no network | AADSTS501481 lost-challenge
    Workflows/conformance/pkce-plain-only.yaml | Conformance: pkce-plain-only
      5 no network | plain-challenge-only
    Workflows/conformance/refresh-token-fewer-scopes.yaml | Conformance: refresh-token-fewer-scopes
      6 the Microsoft identity platform | fewer-scopes
    Workflows/conformance/refresh-token-invalid-issuer.yaml | Conformance: refresh-token-invalid-issuer
      6 no network at the refresh | wrong-issuer
    Workflows/conformance/refresh-token-invalid-sub.yaml | Conformance: refresh-token-invalid-sub
      6 no network at the refresh | wrong-account
    Workflows/conformance/rp-init-logout-no-state.yaml | Conformance: rp-init-logout-no-state
      7 a plain OpenID provider | signout.invalidState
      5 no network | missing-logout-state
    Workflows/conformance/rp-init-logout-other-state.yaml | Conformance: rp-init-logout-other-state
      5 no network | wrong-logout-state
    Workflows/conformance/signing-key-rotation-just-before-signing.yaml | Conformance: signing-key-rotation-just-before-signing
      5 no network | late-key-rotation
    Workflows/conformance/state-invalid.yaml | Conformance: state-invalid
      6 a plain OpenID provider | interactive.invalidState
      5 no network | wrong-state
    Workflows/conformance/state-missing.yaml | Conformance: state-missing
      6 a plain OpenID provider | interactive.invalidState
      5 no network | missing-state
    Workflows/conformance/token-endless.yaml | Conformance: token-endless
      5 no network | endless-tokens
    Workflows/conformance/token-endpoint-redirect.yaml | Conformance: token-endpoint-redirect
      5 no network | redirecting-token-endpoint
    Workflows/conformance/token-oversized.yaml | Conformance: token-oversized
      5 no network | oversized-tokens
    Workflows/conformance/userinfo-endless.yaml | Conformance: userinfo-endless
      5 no network | endless-userinfo
    Workflows/conformance/userinfo-invalid-sub.yaml | Conformance: userinfo-invalid-sub
      5 no network | wrong-userinfo-subject
    Workflows/conformance/userinfo-oversized.yaml | Conformance: userinfo-oversized
      5 no network | oversized-userinfo
    Workflows/conformance/wrong-token-type.yaml | Conformance: wrong-token-type
      5 no network | wrong-token-type
    Workflows/declined-scopes.yaml | Less than was asked for
      5 the user closes the window | MSALErrorServerDeclinedScopes consentRevoked
      7 she consents to the rest on another device | interactive.serverDeclinedScopes
    Workflows/default-scope.yaml | Everything that was registered
      8 both resources | AADSTS65001
      6 the administrator consented for everybody | consentGranted
      3 nothing at all | AADSTS65004 access_denied
      3 signed out in another process | callGraph.success silent.interactionRequired
      15 nobody gets in | AADSTS500121 AADSTS50034 AADSTS50057 AADSTS53000 AADSTS53003 AADSTS90094
        interaction_required message_only userDeleted userDisabled
      8 the refresh token is refused | AADSTS50173 AADSTS700081 AADSTS700082 bad_token
      6 the clock, the keys and the cache | violated
      5 graph says no | callGraph.claimsChallenge callGraph.forbidden
    Workflows/device-code.yaml | Sign in on another device
      2 somebody slower | deviceCode.expiredToken loadAccount.notFound
      2 the user declines | deviceCode.authorizationDeclined
      2 two people at one television | loadAccount.ambiguousAccount signedIn
      7 the television's clock is set back | clock
      8 the clock, the keys and the cache | accessTokenExpired keysRotated
    Workflows/errors/interaction-required.yaml | The service wants to see the user
      12 a new password is wanted | AADSTS50125 basic_action interaction_required
      10 the new password is too short | AADSTS50126
      8 the page is closed | silent.interactionRequired
      5 nobody signs in to begin with | policyRemoved simulate.invalidParameter
      8 signed out in another process | assert.holds
    Workflows/family.yaml | One sign-in for a family of apps
      2 nobody signs in to the first | signout.notFound
      7 her password is changed before notes begins | AADSTS50173 bad_token
      2 mail is signed out in another process | interactive.success silent.interactionRequired
      9 the refresh token is refused | AADSTS700081 AADSTS700082
    Workflows/forgotten-consent.yaml | Consent that was taken back
      3 never given | AADSTS65004 access_denied
      6 she consented again on another device | consentRevoked wait.success
      5 graph wants a newer token | assert.holds
      16 nobody gets in | AADSTS50034 AADSTS53000 AADSTS53003 interactive.serverDeclinedScopes message_only
        userDeleted userDisabled
    Workflows/incremental-consent.yaml | Ask when needed
      7 consent comes in two steps | AADSTS65001 consent_required
      6 the calendar was granted before | consentGranted
      7 only an administrator may grant it | AADSTS90094
      1 the user does not even sign in | interactive.userCanceled
      3 graph says no | callGraph.notFound fault
      4 the cache breaks | signout.unexpected
    Workflows/me.yaml | Read my profile
      28 the service wants to see the user | AADSTS50076 AADSTS50125 AADSTS50158 AADSTS70043 consentRevoked
        token_expired
      20 nobody gets in | AADSTS7000112 appDisabled unauthorized_client user_account_deleted
      4 the second factor is denied | AADSTS500121 invalid_grant
      2 nobody picks up the phone | loadAccount.notFound
      2 the consent is declined in part | interactive.serverDeclinedScopes
      4 only an administrator may consent | AADSTS90094 consent_required
      4 the password is wrong | AADSTS50126
      4 the account is disabled at the first sign-in | AADSTS50057
      13 graph wants a second factor | AADSTS50079 basic_action
      13 graph says no | otherStatus unauthorized
      8 graph is busy for good | serviceUnavailable throttled
      5 the token endpoint is down | silent.unhandledResponse wait
      8 the signing key is a new one | keysRotated
      7 the clock is set back | clock
      10 the cache cannot be read | cacheCorrupted
    Workflows/multi-account.yaml | Two accounts, one app
      6 two were signed in before | listAccounts.found
      5 the first cancels | browserSignedOut
      4 graph wants a newer token | callGraph.claimsChallenge fault
    Workflows/national-cloud.yaml | Other clouds
      1 the page is closed | interactive.userCanceled
      3 the cloud's graph is away | callGraph.serviceUnavailable fault
      4 the cache breaks before the other cloud is asked | silent.unexpected
      3 signed out in another process | silent.interactionRequired
      8 the refresh token is refused | AADSTS50173 AADSTS700081 AADSTS700082
      5 the clock, the keys and the cache | violated
      5 graph says no | callGraph.forbidden
    Workflows/outage.yaml | The service is down
      6 the token endpoint answers 503 | wait.success
      1 the page is closed | interactive.userCanceled
    Workflows/shared-device.yaml | One device, many shifts
      4 nobody begins the shift | signedOut simulate.success
      2 an ordinary device | deviceInfo.success violated
      4 mail signs out in the background | loadAccount.found
      4 notes was used before | interactive.skipped
    Workflows/sign-out.plist | Sign out for good
      3 first run | signout.success
      2 somebody else is left | loadAccount.ambiguousAccount signedIn
      11 the password was changed | passwordChanged
      4 no network | loadAccount.found offline
      4 at the sign-in page | policyAdded
    Workflows/throttled.yaml | Asked too often
      7 half a minute later | wait.success
      5 the clock is set back | MSALInternalErrorUnhandledResponse silent.unhandledResponse
    """#
}
