extension ShippedWorkflow {
  /// What the files under `Workflows/` show, so that a program without them can point there. A test writes it anew
  /// (UPDATE_GOLDEN=1) and holds it to the files.
  static let table = #"""
    Workflows/adal-migration.yaml | From names to identifiers
      a name changes | happens.success interactive.success loadAccount.found loadAccount.notFound
        signout.success silent.success usernameChanged
    Workflows/b2b-guest.yaml | A guest in another tenant
      the guest's tenant is named | browserSignedOut callGraph.success happens.success interactive.success
        listAccounts.found signedOut signout.success silent.success
    Workflows/b2c.yaml | Customers sign in
      a customer signs in | callAPI.success interactive.success loadAccount.notFound
      the password is forgotten | AADB2C90118 interactive.success interactive.userCanceled
        loadAccount.notFound
    Workflows/calendar.json | What is on this week
      every page is followed | callGraph.success interactive.skipped loadAccount.found signedIn
        silent.success
      calendar consent declined | interactive.userCanceled loadAccount.notFound
    Workflows/claims-challenge.yaml | The token is refused in the middle
      revoked while in use | assert.holds callGraph.claimsChallenge callGraph.success happens.success
        interactive.success loadAccount.notFound sessionsRevoked signedOut signout.success
        silent.interactionRequired
    Workflows/conformance/base.yaml | Conformance: base
      a plain OpenID provider | happens.success interactive.success listAccounts.found signedOut
    Workflows/conformance/code-injection-unchecked.yaml | Conformance: code-injection-unchecked
      a plain OpenID provider | happens.success injected-code interactive.invalidResponse
        listAccounts.notFound misbehaves signedOut unchecked-challenge
    Workflows/conformance/code-injection.yaml | Conformance: code-injection
      a plain OpenID provider | AADSTS501481 happens.success injected-code interactive.invalidGrant
        invalid_grant listAccounts.notFound misbehaves signedOut
    Workflows/conformance/crit-unknown.yaml | Conformance: crit-unknown
      a plain OpenID provider | critical-extension happens.success interactive.invalidResponse
        listAccounts.notFound misbehaves signedOut
    Workflows/conformance/discovery-endless.yaml | Conformance: discovery-endless
      a plain OpenID provider | endless-metadata happens.success interactive.invalidResponse
        listAccounts.notFound misbehaves signedOut
    Workflows/conformance/discovery-incomplete.yaml | Conformance: discovery-incomplete
      a plain OpenID provider | happens.success incomplete-metadata interactive.invalidResponse
        listAccounts.notFound misbehaves signedOut
    Workflows/conformance/discovery-insecure-endpoints.yaml | Conformance: discovery-insecure-endpoints
      a plain OpenID provider | happens.success insecure-endpoints interactive.nonHttpsRedirect
        listAccounts.notFound misbehaves signedOut
    Workflows/conformance/discovery-issuer-mismatch.yaml | Conformance: discovery-issuer-mismatch
      a plain OpenID provider | happens.success interactive.failedAuthorityValidation listAccounts.notFound
        misbehaves signedOut wrong-metadata-issuer
    Workflows/conformance/discovery-jwks-uri-keys.yaml | Conformance: discovery-jwks-uri-keys
      a plain OpenID provider | happens.success interactive.success listAccounts.found misbehaves odd-keys
        signedOut
    Workflows/conformance/discovery-openid-config.yaml | Conformance: discovery-openid-config
      a plain OpenID provider | happens.success interactive.success listAccounts.found misbehaves
        moved-endpoints signedOut
    Workflows/conformance/discovery-oversized.yaml | Conformance: discovery-oversized
      a plain OpenID provider | happens.success interactive.invalidResponse listAccounts.notFound misbehaves
        oversized-metadata signedOut
    Workflows/conformance/expired.yaml | Conformance: expired
      a plain OpenID provider | expired-token happens.success interactive.invalidResponse
        listAccounts.notFound misbehaves signedOut
    Workflows/conformance/idtoken-sig-es256.yaml | Conformance: idtoken-sig-es256
      a plain OpenID provider | elliptic-signature happens.success interactive.success listAccounts.found
        misbehaves signedOut
    Workflows/conformance/idtoken-sig-none.yaml | Conformance: idtoken-sig-none
      a plain OpenID provider | happens.success interactive.invalidResponse listAccounts.notFound misbehaves
        signedOut unsigned-token
    Workflows/conformance/idtoken-sig-rs256.yaml | Conformance: idtoken-sig-rs256
      a plain OpenID provider | happens.success interactive.success listAccounts.found signedOut
    Workflows/conformance/invalid-at-hash.yaml | Conformance: invalid-at-hash
      a plain OpenID provider | happens.success interactive.invalidResponse listAccounts.notFound misbehaves
        signedOut wrong-token-hash
    Workflows/conformance/invalid-aud.yaml | Conformance: invalid-aud
      a plain OpenID provider | happens.success interactive.invalidResponse listAccounts.notFound misbehaves
        signedOut wrong-audience
    Workflows/conformance/invalid-iss.yaml | Conformance: invalid-iss
      a plain OpenID provider | happens.success interactive.invalidResponse listAccounts.notFound misbehaves
        signedOut wrong-issuer
    Workflows/conformance/invalid-sig-es256.yaml | Conformance: invalid-sig-es256
      a plain OpenID provider | elliptic-signature happens.success interactive.invalidResponse
        listAccounts.notFound misbehaves signedOut wrong-signature
    Workflows/conformance/invalid-sig-hs256.yaml | Conformance: invalid-sig-hs256
      a plain OpenID provider | happens.success interactive.invalidResponse listAccounts.notFound misbehaves
        shared-secret-signature signedOut
    Workflows/conformance/invalid-sig-rs256.yaml | Conformance: invalid-sig-rs256
      a plain OpenID provider | happens.success interactive.invalidResponse listAccounts.notFound misbehaves
        signedOut wrong-signature
    Workflows/conformance/issuer-in-response.yaml | Conformance: issuer-in-response
      a plain OpenID provider | announced-issuer happens.success interactive.success listAccounts.found
        misbehaves signedOut
    Workflows/conformance/keys-endless.yaml | Conformance: keys-endless
      a plain OpenID provider | endless-keys happens.success interactive.invalidResponse
        listAccounts.notFound misbehaves signedOut
    Workflows/conformance/keys-oversized.yaml | Conformance: keys-oversized
      a plain OpenID provider | happens.success interactive.invalidResponse listAccounts.notFound misbehaves
        oversized-keys signedOut
    Workflows/conformance/kid-absent-multiple-jwks.yaml | Conformance: kid-absent-multiple-jwks
      a plain OpenID provider | happens.success interactive.invalidResponse listAccounts.notFound misbehaves
        missing-key-id several-keys signedOut
    Workflows/conformance/kid-absent-single-jwks.yaml | Conformance: kid-absent-single-jwks
      a plain OpenID provider | happens.success interactive.success listAccounts.found misbehaves
        missing-key-id signedOut single-key
    Workflows/conformance/kid-unknown.yaml | Conformance: kid-unknown
      a plain OpenID provider | happens.success interactive.invalidResponse listAccounts.notFound misbehaves
        signedOut unknown-key
    Workflows/conformance/missing-access-token.yaml | Conformance: missing-access-token
      a plain OpenID provider | callGraph.unauthorized happens.success interactive.success misbehaves
        missing-access-token signedOut
    Workflows/conformance/missing-aud.yaml | Conformance: missing-aud
      a plain OpenID provider | happens.success interactive.invalidResponse listAccounts.notFound misbehaves
        missing-audience signedOut
    Workflows/conformance/missing-client-info.yaml | Conformance: missing-client-info
      the Microsoft identity platform | happens.success interactive.unexpected listAccounts.notFound
        misbehaves missing-client-info signedOut
    Workflows/conformance/missing-iat.yaml | Conformance: missing-iat
      a plain OpenID provider | happens.success interactive.invalidResponse listAccounts.notFound misbehaves
        missing-issued-at signedOut
    Workflows/conformance/missing-id-token.yaml | Conformance: missing-id-token
      a plain OpenID provider | happens.success interactive.invalidResponse listAccounts.notFound misbehaves
        missing-id-token signedOut
    Workflows/conformance/missing-sub.yaml | Conformance: missing-sub
      a plain OpenID provider | happens.success interactive.invalidResponse listAccounts.notFound misbehaves
        missing-subject signedOut
    Workflows/conformance/mix-up-issuer-missing.yaml | Conformance: mix-up-issuer-missing
      a plain OpenID provider | happens.success interactive.invalidResponse listAccounts.notFound misbehaves
        missing-response-issuer signedOut
    Workflows/conformance/mix-up-unannounced.yaml | Conformance: mix-up-unannounced
      a plain OpenID provider | happens.success interactive.invalidResponse listAccounts.notFound misbehaves
        signedOut wrong-response-issuer
    Workflows/conformance/mix-up.yaml | Conformance: mix-up
      a plain OpenID provider | announced-issuer happens.success interactive.invalidResponse
        listAccounts.notFound misbehaves signedOut wrong-response-issuer
    Workflows/conformance/no-keys.yaml | Conformance: no-keys
      a plain OpenID provider | happens.success interactive.invalidResponse listAccounts.notFound misbehaves
        no-keys signedOut
    Workflows/conformance/nonce-invalid.yaml | Conformance: nonce-invalid
      a plain OpenID provider | happens.success interactive.invalidResponse listAccounts.notFound misbehaves
        signedOut wrong-nonce
    Workflows/conformance/nonce-missing.yaml | Conformance: nonce-missing
      a plain OpenID provider | happens.success interactive.invalidResponse listAccounts.notFound misbehaves
        missing-nonce signedOut
    Workflows/conformance/not-yet-valid.yaml | Conformance: not-yet-valid
      a plain OpenID provider | future-token happens.success interactive.invalidResponse
        listAccounts.notFound misbehaves signedOut
    Workflows/conformance/pkce-downgrade.yaml | Conformance: pkce-downgrade
      a plain OpenID provider | AADSTS501481 happens.success interactive.invalidGrant invalid_grant
        listAccounts.notFound lost-challenge misbehaves signedOut
    Workflows/conformance/pkce-plain-only.yaml | Conformance: pkce-plain-only
      a plain OpenID provider | happens.success interactive.success listAccounts.found misbehaves
        plain-challenge-only signedOut
    Workflows/conformance/refresh-token-fewer-scopes.yaml | Conformance: refresh-token-fewer-scopes
      the Microsoft identity platform | fewer-scopes happens.success interactive.success misbehaves signedOut
        silent.serverDeclinedScopes
    Workflows/conformance/refresh-token-invalid-issuer.yaml | Conformance: refresh-token-invalid-issuer
      a plain OpenID provider | happens.success interactive.success misbehaves signedOut
        silent.invalidResponse silent.success wrong-issuer
    Workflows/conformance/refresh-token-invalid-sub.yaml | Conformance: refresh-token-invalid-sub
      a plain OpenID provider | happens.success interactive.success misbehaves signedOut
        silent.invalidResponse silent.success wrong-account
    Workflows/conformance/refresh-token.yaml | Conformance: refresh-token
      a plain OpenID provider | happens.success interactive.success signedOut silent.success
    Workflows/conformance/rp-init-logout-no-state.yaml | Conformance: rp-init-logout-no-state
      a plain OpenID provider | happens.success interactive.success listAccounts.notFound misbehaves
        missing-logout-state signedOut signout.invalidState
    Workflows/conformance/rp-init-logout-other-state.yaml | Conformance: rp-init-logout-other-state
      a plain OpenID provider | happens.success interactive.success listAccounts.notFound misbehaves
        signedOut signout.invalidState wrong-logout-state
    Workflows/conformance/rp-init-logout.yaml | Conformance: rp-init-logout
      a plain OpenID provider | happens.success interactive.success listAccounts.notFound signedOut
        signout.success
    Workflows/conformance/signing-key-rotation-just-before-signing.yaml | Conformance: signing-key-rotation-just-before-signing
      a plain OpenID provider | happens.success interactive.success late-key-rotation misbehaves signedOut
        silent.success
    Workflows/conformance/signing-key-rotation.yaml | Conformance: signing-key-rotation
      a plain OpenID provider | happens.success interactive.success keysRotated signedOut silent.success
    Workflows/conformance/state-invalid.yaml | Conformance: state-invalid
      a plain OpenID provider | happens.success interactive.invalidState listAccounts.notFound misbehaves
        signedOut wrong-state
    Workflows/conformance/state-missing.yaml | Conformance: state-missing
      a plain OpenID provider | happens.success interactive.invalidState listAccounts.notFound misbehaves
        missing-state signedOut
    Workflows/conformance/token-endless.yaml | Conformance: token-endless
      a plain OpenID provider | endless-tokens happens.success interactive.invalidResponse
        listAccounts.notFound misbehaves signedOut
    Workflows/conformance/token-endpoint-redirect.yaml | Conformance: token-endpoint-redirect
      a plain OpenID provider | happens.success interactive.unhandledResponse listAccounts.notFound
        misbehaves redirecting-token-endpoint signedOut
    Workflows/conformance/token-oversized.yaml | Conformance: token-oversized
      a plain OpenID provider | happens.success interactive.invalidResponse listAccounts.notFound misbehaves
        oversized-tokens signedOut
    Workflows/conformance/userinfo-endless.yaml | Conformance: userinfo-endless
      a plain OpenID provider | endless-userinfo happens.success interactive.invalidResponse
        listAccounts.notFound misbehaves signedOut
    Workflows/conformance/userinfo-invalid-sub.yaml | Conformance: userinfo-invalid-sub
      a plain OpenID provider | happens.success interactive.invalidResponse listAccounts.notFound misbehaves
        signedOut wrong-userinfo-subject
    Workflows/conformance/userinfo-oversized.yaml | Conformance: userinfo-oversized
      a plain OpenID provider | happens.success interactive.invalidResponse listAccounts.notFound misbehaves
        oversized-userinfo signedOut
    Workflows/conformance/userinfo.yaml | Conformance: userinfo
      a plain OpenID provider | happens.success interactive.success listAccounts.found signedOut
    Workflows/conformance/wrong-token-type.yaml | Conformance: wrong-token-type
      a plain OpenID provider | happens.success interactive.invalidResponse listAccounts.notFound misbehaves
        signedOut wrong-token-type
    Workflows/declined-scopes.yaml | Less than was asked for
      the calendar stays private | MSALErrorServerDeclinedScopes callGraph.success consentRevoked
        happens.success interactive.serverDeclinedScopes signedOut silent.interactionRequired silent.success
    Workflows/default-scope.yaml | Everything that was registered
      both resources | callGraph.success interactive.success signout.success silent.interactionRequired
        silent.success
    Workflows/device-code.yaml | Sign in on another device
      the code is typed in | callGraph.success deviceCode.success loadAccount.notFound signout.success
        silent.success
      nobody types it | deviceCode.expiredToken loadAccount.notFound
    Workflows/errors/interaction-required.yaml | The service wants to see the person
      a new password is wanted | AADSTS50125 assert.holds basic_action happens.success interaction_required
        interactive.success passwordChanged policyAdded policyRemoved signout.success
        silent.interactionRequired silent.success
    Workflows/family.yaml | One sign-in for a family of apps
      the second app asks nobody | callGraph.success interactive.success loadAccount.found
        loadAccount.notFound signout.success silent.success
    Workflows/forgotten-consent.yaml | Consent that was taken back
      asked once more | assert.holds callGraph.success consentRevoked happens.success interactive.success
        silent.interactionRequired silent.success wait.success
    Workflows/incremental-consent.yaml | Ask when needed
      consent comes in two steps | AADSTS65001 callGraph.success consent_required interactive.success
        invalid_grant signout.success silent.interactionRequired
      the calendar is declined | callGraph.success interactive.success interactive.userCanceled
        silent.interactionRequired
    Workflows/me.yaml | Read my profile
      first run | callGraph.success interactive.success loadAccount.notFound signout.success
      returning user | callGraph.success interactive.skipped loadAccount.found signedIn signout.success
        silent.success
      back after lunch | callGraph.success interactive.skipped loadAccount.found signedIn signout.success
        silent.success wait
    Workflows/multi-account.yaml | Two accounts, one app
      both are kept apart | browserSignedOut callGraph.success happens.success interactive.success
        listAccounts.found loadAccount.ambiguousAccount loadAccount.found signedOut signout.success
        silent.success
    Workflows/national-cloud.yaml | Other clouds
      two apps, two ways | callGraph.success interactive.success silent.interactionRequired silent.success
    Workflows/outage.yaml | The service is down
      the token endpoint answers 503 | fault happens.success interactive.success silent.success
        silent.unhandledResponse wait.success
    Workflows/shared-device.yaml | One device, many shifts
      two shifts | deviceInfo.success happens.success interactive.success loadAccount.found
        loadAccount.notFound signedOut signout.success silent.interactionRequired
    Workflows/sign-out.plist | Sign out for good
      nobody is left | interactive.skipped loadAccount.found loadAccount.notFound signedIn signout.success
        silent.success
    Workflows/throttled.yaml | Asked too often
      half a minute later | MSALInternalErrorUnhandledResponse fault happens.success interactive.success
        silent.success silent.unhandledResponse wait.success
    """#
}
