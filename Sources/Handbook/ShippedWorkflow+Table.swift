extension ShippedWorkflow {
  /// What the files under `Workflows/` show, so that a program without them can point there. A test writes it anew
  /// (UPDATE_GOLDEN=1) and holds it to the files.
  static let table = #"""
    Workflows/adal-migration.yaml | From names to identifiers
      a name changes | happens.success interactive.success loadAccount.found loadAccount.notFound
        signout.success silent.success usernameChanged
      MSAL knows her already | happens.success interactive.skipped loadAccount.found loadAccount.notFound
        signedIn signout.success silent.success usernameChanged
      the name was given up | AADSTS50034 bad_token happens.skipped interactive.userCanceled invalid_grant
        loadAccount.notFound signout.notFound usernameChanged
      the person cancels | happens.skipped interactive.userCanceled loadAccount.notFound signout.notFound
      no network | happens.skipped loadAccount.found offline signedIn signout.success silent.offline wait
      the network goes | happens.skipped happens.success interactive.offline interactive.success
        loadAccount.found loadAccount.notFound signout.notFound signout.success silent.offline silent.success
        usernameChanged
      her sessions are revoked before the second start | AADSTS50173 bad_token interactive.success
        invalid_grant loadAccount.found sessionsRevoked signedIn silent.interactionRequired silent.success
        wait
      signed out in another process | happens.skipped interactive.success loadAccount.notFound
        signout.notFound silent.interactionRequired
      somebody gets the old name | happens.invalidParameter happens.success interactive.success
        loadAccount.found loadAccount.notFound signout.success silent.success usernameChanged
      the cache breaks | MSALInternalErrorUnexpected happens.success interactive.success loadAccount.notFound
        loadAccount.unexpected signout.unexpected silent.success usernameChanged
      signed out before the new name is fetched | happens.success interactive.success loadAccount.notFound
        signout.notFound silent.interactionRequired silent.success usernameChanged
      at the sign-in page | happens.success interactive.success loadAccount.found loadAccount.notFound
        policyAdded signout.success silent.success usernameChanged
      nobody gets in | AADSTS500121 AADSTS50034 AADSTS50057 AADSTS53000 AADSTS53003 AADSTS65004 AADSTS90094
        access_denied bad_token consent_required happens.skipped interaction_required
        interactive.serverDeclinedScopes interactive.userCanceled invalid_grant loadAccount.notFound
        message_only policyAdded signout.notFound signout.success userDeleted userDisabled
      the refresh token is refused | AADSTS50173 AADSTS700081 AADSTS700082 bad_token happens.success
        interactive.success invalid_grant loadAccount.found loadAccount.notFound passwordChanged signedIn
        signout.success silent.interactionRequired silent.success usernameChanged wait
      the clock, the keys and the cache | accessTokenExpired clock happens.success interactive.skipped
        keysRotated loadAccount.found loadAccount.notFound signedIn signout.success silent.success
        usernameChanged
      signed out before she is looked up by identifier | happens.success interactive.success
        loadAccount.notFound signout.notFound silent.success usernameChanged
      the cache cannot be read when the app starts | cacheCorrupted happens.skipped loadAccount.unexpected
        signedIn signout.unexpected
    Workflows/b2b-guest.yaml | A guest in another tenant
      the guest's tenant is named | browserSignedOut callGraph.success happens.success interactive.success
        listAccounts.found signedOut signout.success silent.success
      nobody invited her | AADSTS50020 browserSignedOut happens.success interactive.success invalid_grant
        signedOut signout.success silent.interactionRequired
      the inviting tenant wants more than the home tenant | AADSTS50079 basic_action browserSignedOut
        happens.success interactive.success invalid_grant signedOut signout.success
        silent.interactionRequired
      a second factor everywhere | happens.success interactive.success policyAdded signedOut silent.success
      she cancels at home | browserSignedOut happens.success interactive.userCanceled signedOut
        signout.notFound
      a personal account comes to /organizations | AADSTS50020 browserSignedOut happens.success
        interactive.userCanceled invalid_grant signedOut signout.notFound
      the sessions are revoked at home | AADSTS50173 bad_token browserSignedOut callGraph.success
        happens.success interactive.success invalid_grant signedOut signout.success
        silent.interactionRequired silent.success
      signed out in another process | browserSignedOut callGraph.success happens.success interactive.success
        signedOut signout.notFound silent.interactionRequired silent.success
      graph wants a newer token of the guest | callGraph.claimsChallenge callGraph.success fault
        happens.success interactive.success signedOut silent.success
      the network goes | browserSignedOut callGraph.offline callGraph.success happens.success
        interactive.offline interactive.success listAccounts.found signedOut signout.notFound signout.success
        silent.offline silent.success
      somebody was here before | browserSignedOut callGraph.success happens.success interactive.success
        listAccounts.found signedIn signedOut signout.success silent.success
      nobody gets in | AADSTS500121 AADSTS50034 AADSTS50057 AADSTS53000 AADSTS53003 AADSTS65004 AADSTS90094
        access_denied bad_token browserSignedOut consent_required happens.invalidParameter happens.success
        interaction_required interactive.userCanceled invalid_grant message_only policyAdded signedOut
        signout.notFound userDeleted userDisabled
      the refresh token is refused | AADSTS50173 AADSTS700081 AADSTS700082 bad_token browserSignedOut
        happens.success interactive.success invalid_grant signedOut signout.success
        silent.interactionRequired
      the clock, the keys and the cache | broken browserSignedOut callGraph.success happens.success
        interactive.success signedOut signout.success signout.unexpected silent.success silent.unexpected
      graph says no | browserSignedOut callGraph.forbidden callGraph.notFound fault happens.success
        interactive.success signedOut signout.success silent.success
      graph is busy for a moment | browserSignedOut callGraph.success fault happens.success
        interactive.success listAccounts.found signedOut signout.success silent.success
      the cache breaks | browserSignedOut callGraph.success happens.success interactive.success
        listAccounts.unexpected signedOut signout.unexpected silent.success
    Workflows/b2c.yaml | Customers sign in
      a customer signs in | callAPI.success interactive.success loadAccount.notFound
      a customer comes back | callAPI.success interactive.skipped loadAccount.found signedIn silent.success
      the access token expired | callAPI.success interactive.skipped loadAccount.found signedIn
        silent.success wait
      the refresh token expired | callAPI.success interactive.success invalid_grant loadAccount.found
        signedIn silent.interactionRequired wait
      the password is forgotten | AADB2C90118 interactive.success interactive.userCanceled
        loadAccount.notFound
      the password is forgotten, and the new one is not set either | AADB2C90118 interactive.userCanceled
        loadAccount.notFound
      the customer cancels | interactive.skipped interactive.userCanceled loadAccount.notFound
      the account is disabled | AADSTS50057 interactive.skipped interactive.userCanceled invalid_grant
        loadAccount.found signedIn silent.interactionRequired userDisabled wait
      the API refuses | callAPI.forbidden fault interactive.skipped loadAccount.found signedIn silent.success
      offline at the first sign-in | interactive.offline interactive.skipped loadAccount.notFound offline
      offline with a fresh token | callAPI.offline interactive.skipped loadAccount.found offline signedIn
        silent.success
      the token endpoint is down | fault loadAccount.found signedIn silent.unhandledResponse wait
      at the sign-in page | callAPI.success interactive.success loadAccount.notFound policyAdded
      nobody gets in | AADSTS500121 AADSTS50034 AADSTS53000 AADSTS53003 bad_token interaction_required
        interactive.skipped interactive.userCanceled invalid_grant loadAccount.found loadAccount.notFound
        message_only policyAdded signedIn silent.interactionRequired userDeleted wait
      the refresh token is refused | AADSTS50173 AADSTS700081 bad_token callAPI.success interactive.success
        invalid_grant loadAccount.found passwordChanged sessionsRevoked signedIn silent.interactionRequired
        wait
      the clock, the keys and the cache | accessTokenExpired cacheCorrupted callAPI.success clock
        interactive.skipped interactive.success keysRotated loadAccount.found loadAccount.unexpected signedIn
        silent.interactionRequired silent.success
      the API says no | callAPI.claimsChallenge callAPI.notFound callAPI.success fault interactive.skipped
        loadAccount.found signedIn silent.success
      the API is busy for a moment | callAPI.success fault interactive.skipped loadAccount.found signedIn
        silent.success
      the network goes | AADB2C90118 interactive.offline interactive.userCanceled loadAccount.found
        loadAccount.notFound signedIn silent.offline wait
      two customers share the device | MSALInternalErrorAmbiguousAccount browserSignedOut
        loadAccount.ambiguousAccount signedIn
    Workflows/calendar.json | What is on this week
      first run | callGraph.success interactive.success loadAccount.notFound
      every page is followed | callGraph.success interactive.skipped loadAccount.found signedIn
        silent.success
      a time zone that nobody knows | callGraph.otherStatus interactive.skipped loadAccount.found signedIn
        silent.success
      the calendar was not consented to | AADSTS65001 callGraph.success consent_required interactive.success
        invalid_grant loadAccount.found signedIn silent.interactionRequired
      calendar consent declined | AADSTS65004 access_denied interactive.userCanceled loadAccount.notFound
      the second page fails | callGraph.notFound fault interactive.skipped loadAccount.found signedIn
        silent.success
      two people on the device | loadAccount.ambiguousAccount signedIn
      no network | loadAccount.found offline signedIn silent.offline wait
      at the sign-in page | callGraph.success interactive.success loadAccount.notFound policyAdded
      nobody gets in | AADSTS500121 AADSTS50034 AADSTS50057 AADSTS53000 AADSTS53003 AADSTS90094 bad_token
        consent_required interaction_required interactive.serverDeclinedScopes interactive.userCanceled
        invalid_grant loadAccount.notFound message_only policyAdded userDeleted userDisabled
      the refresh token is refused | AADSTS50173 AADSTS700081 AADSTS700082 bad_token callGraph.success
        interactive.success invalid_grant loadAccount.found passwordChanged sessionsRevoked signedIn
        silent.interactionRequired wait
      the clock, the keys and the cache | accessTokenExpired cacheCorrupted callGraph.success clock
        interactive.skipped interactive.success keysRotated loadAccount.found loadAccount.unexpected signedIn
        silent.interactionRequired silent.success
      graph says no | callGraph.claimsChallenge callGraph.forbidden callGraph.success fault
        interactive.skipped loadAccount.found signedIn silent.success
      graph is busy for a moment | callGraph.success fault interactive.skipped loadAccount.found signedIn
        silent.success
      the network goes | callGraph.offline interactive.offline interactive.skipped loadAccount.found
        loadAccount.notFound signedIn silent.success
    Workflows/claims-challenge.yaml | The token is refused in the middle
      revoked while in use | assert.holds callGraph.claimsChallenge callGraph.success happens.success
        interactive.success loadAccount.notFound sessionsRevoked signedOut signout.success
        silent.interactionRequired
      the person does not come back | AADSTS50173 bad_token callGraph.claimsChallenge callGraph.success
        happens.success interactive.success interactive.userCanceled invalid_grant loadAccount.notFound
        sessionsRevoked signedOut silent.interactionRequired
      the first sign-in is canceled | happens.success interactive.userCanceled loadAccount.notFound signedOut
      graph is away before anything is revoked | callGraph.serviceUnavailable fault happens.success
        interactive.success loadAccount.notFound signedOut
      the network goes | assert.holds callGraph.claimsChallenge callGraph.offline callGraph.success
        happens.success interactive.offline interactive.success loadAccount.notFound sessionsRevoked
        signedOut signout.success silent.interactionRequired silent.offline
      somebody was here before | assert.holds callGraph.claimsChallenge callGraph.success happens.success
        interactive.success loadAccount.notFound sessionsRevoked signedIn signedOut signout.success
        silent.interactionRequired
      at the sign-in page | assert.holds callGraph.claimsChallenge callGraph.success happens.success
        interactive.success loadAccount.notFound policyAdded sessionsRevoked signedOut signout.success
        silent.interactionRequired
      nobody gets in | AADSTS500121 AADSTS50034 AADSTS50057 AADSTS53000 AADSTS53003 AADSTS65004 AADSTS90094
        access_denied bad_token consent_required happens.success interaction_required
        interactive.userCanceled invalid_grant loadAccount.notFound message_only policyAdded signedOut
        userDeleted userDisabled
      the refresh token is refused | AADSTS50173 AADSTS700081 AADSTS700082 assert.holds bad_token
        callGraph.claimsChallenge callGraph.success happens.success interactive.skipped interactive.success
        invalid_grant loadAccount.found sessionsRevoked signedOut signout.success silent.interactionRequired
        silent.success
      the clock, the keys and the cache | assert.holds callGraph.claimsChallenge callGraph.success
        happens.success interactive.skipped interactive.success loadAccount.found loadAccount.unexpected
        sessionsRevoked signedOut signout.success silent.interactionRequired silent.success
      graph says no | callGraph.forbidden callGraph.notFound fault happens.success interactive.success
        loadAccount.notFound signedOut
      graph is busy for a moment | assert.holds callGraph.claimsChallenge callGraph.success fault
        happens.success interactive.success loadAccount.notFound sessionsRevoked signedOut signout.success
        silent.interactionRequired
      the cache breaks | assert.holds callGraph.claimsChallenge callGraph.success happens.success
        interactive.success loadAccount.notFound sessionsRevoked signedOut signout.unexpected
        silent.interactionRequired
      two people are signed in | MSALInternalErrorAmbiguousAccount happens.success
        loadAccount.ambiguousAccount signedOut
    Workflows/conformance/base.yaml | Conformance: base
      a plain OpenID provider | happens.success interactive.success listAccounts.found signedOut
      no network | happens.success interactive.offline signedOut
      the cache cannot be read | happens.success interactive.success listAccounts.unexpected signedOut
    Workflows/conformance/code-injection-unchecked.yaml | Conformance: code-injection-unchecked
      a plain OpenID provider | happens.success injected-code interactive.invalidResponse
        listAccounts.notFound misbehaves signedOut unchecked-challenge
      no network | happens.success injected-code interactive.offline misbehaves signedOut unchecked-challenge
      the cache cannot be read | happens.success injected-code interactive.invalidResponse
        listAccounts.unexpected misbehaves signedOut unchecked-challenge
    Workflows/conformance/code-injection.yaml | Conformance: code-injection
      a plain OpenID provider | AADSTS501481 happens.success injected-code interactive.invalidGrant
        invalid_grant listAccounts.notFound misbehaves signedOut
      no network | AADSTS501481 happens.success injected-code interactive.offline invalid_grant misbehaves
        signedOut
      the cache cannot be read | AADSTS501481 happens.success injected-code interactive.invalidGrant
        invalid_grant listAccounts.unexpected misbehaves signedOut
    Workflows/conformance/crit-unknown.yaml | Conformance: crit-unknown
      a plain OpenID provider | critical-extension happens.success interactive.invalidResponse
        listAccounts.notFound misbehaves signedOut
      no network | critical-extension happens.success interactive.offline misbehaves signedOut
      the cache cannot be read | critical-extension happens.success interactive.invalidResponse
        listAccounts.unexpected misbehaves signedOut
    Workflows/conformance/discovery-endless.yaml | Conformance: discovery-endless
      a plain OpenID provider | endless-metadata happens.success interactive.invalidResponse
        listAccounts.notFound misbehaves signedOut
      no network | endless-metadata happens.success interactive.offline misbehaves signedOut
      the cache cannot be read | endless-metadata happens.success interactive.invalidResponse
        listAccounts.unexpected misbehaves signedOut
    Workflows/conformance/discovery-incomplete.yaml | Conformance: discovery-incomplete
      a plain OpenID provider | happens.success incomplete-metadata interactive.invalidResponse
        listAccounts.notFound misbehaves signedOut
      no network | happens.success incomplete-metadata interactive.offline misbehaves signedOut
      the cache cannot be read | happens.success incomplete-metadata interactive.invalidResponse
        listAccounts.unexpected misbehaves signedOut
    Workflows/conformance/discovery-insecure-endpoints.yaml | Conformance: discovery-insecure-endpoints
      a plain OpenID provider | happens.success insecure-endpoints interactive.nonHttpsRedirect
        listAccounts.notFound misbehaves signedOut
      no network | happens.success insecure-endpoints interactive.offline misbehaves signedOut
      the cache cannot be read | happens.success insecure-endpoints interactive.nonHttpsRedirect
        listAccounts.unexpected misbehaves signedOut
    Workflows/conformance/discovery-issuer-mismatch.yaml | Conformance: discovery-issuer-mismatch
      a plain OpenID provider | happens.success interactive.failedAuthorityValidation listAccounts.notFound
        misbehaves signedOut wrong-metadata-issuer
      no network | happens.success interactive.offline misbehaves signedOut wrong-metadata-issuer
      the cache cannot be read | happens.success interactive.failedAuthorityValidation
        listAccounts.unexpected misbehaves signedOut wrong-metadata-issuer
    Workflows/conformance/discovery-jwks-uri-keys.yaml | Conformance: discovery-jwks-uri-keys
      a plain OpenID provider | happens.success interactive.success listAccounts.found misbehaves odd-keys
        signedOut
      no network | happens.success interactive.offline misbehaves odd-keys signedOut
      the cache cannot be read | happens.success interactive.success listAccounts.unexpected misbehaves
        odd-keys signedOut
    Workflows/conformance/discovery-openid-config.yaml | Conformance: discovery-openid-config
      a plain OpenID provider | happens.success interactive.success listAccounts.found misbehaves
        moved-endpoints signedOut
      no network | happens.success interactive.offline misbehaves moved-endpoints signedOut
      the cache cannot be read | happens.success interactive.success listAccounts.unexpected misbehaves
        moved-endpoints signedOut
    Workflows/conformance/discovery-oversized.yaml | Conformance: discovery-oversized
      a plain OpenID provider | happens.success interactive.invalidResponse listAccounts.notFound misbehaves
        oversized-metadata signedOut
      no network | happens.success interactive.offline misbehaves oversized-metadata signedOut
      the cache cannot be read | happens.success interactive.invalidResponse listAccounts.unexpected
        misbehaves oversized-metadata signedOut
    Workflows/conformance/expired.yaml | Conformance: expired
      a plain OpenID provider | expired-token happens.success interactive.invalidResponse
        listAccounts.notFound misbehaves signedOut
      no network | expired-token happens.success interactive.offline misbehaves signedOut
      the cache cannot be read | expired-token happens.success interactive.invalidResponse
        listAccounts.unexpected misbehaves signedOut
    Workflows/conformance/idtoken-sig-es256.yaml | Conformance: idtoken-sig-es256
      a plain OpenID provider | elliptic-signature happens.success interactive.success listAccounts.found
        misbehaves signedOut
      no network | elliptic-signature happens.success interactive.offline misbehaves signedOut
      the cache cannot be read | elliptic-signature happens.success interactive.success
        listAccounts.unexpected misbehaves signedOut
    Workflows/conformance/idtoken-sig-none.yaml | Conformance: idtoken-sig-none
      a plain OpenID provider | happens.success interactive.invalidResponse listAccounts.notFound misbehaves
        signedOut unsigned-token
      no network | happens.success interactive.offline misbehaves signedOut unsigned-token
      the cache cannot be read | happens.success interactive.invalidResponse listAccounts.unexpected
        misbehaves signedOut unsigned-token
    Workflows/conformance/idtoken-sig-rs256.yaml | Conformance: idtoken-sig-rs256
      a plain OpenID provider | happens.success interactive.success listAccounts.found signedOut
      no network | happens.success interactive.offline signedOut
      the cache cannot be read | happens.success interactive.success listAccounts.unexpected signedOut
    Workflows/conformance/invalid-at-hash.yaml | Conformance: invalid-at-hash
      a plain OpenID provider | happens.success interactive.invalidResponse listAccounts.notFound misbehaves
        signedOut wrong-token-hash
      no network | happens.success interactive.offline misbehaves signedOut wrong-token-hash
      the cache cannot be read | happens.success interactive.invalidResponse listAccounts.unexpected
        misbehaves signedOut wrong-token-hash
    Workflows/conformance/invalid-aud.yaml | Conformance: invalid-aud
      a plain OpenID provider | happens.success interactive.invalidResponse listAccounts.notFound misbehaves
        signedOut wrong-audience
      no network | happens.success interactive.offline misbehaves signedOut wrong-audience
      the cache cannot be read | happens.success interactive.invalidResponse listAccounts.unexpected
        misbehaves signedOut wrong-audience
    Workflows/conformance/invalid-iss.yaml | Conformance: invalid-iss
      a plain OpenID provider | happens.success interactive.invalidResponse listAccounts.notFound misbehaves
        signedOut wrong-issuer
      no network | happens.success interactive.offline misbehaves signedOut wrong-issuer
      the cache cannot be read | happens.success interactive.invalidResponse listAccounts.unexpected
        misbehaves signedOut wrong-issuer
    Workflows/conformance/invalid-sig-es256.yaml | Conformance: invalid-sig-es256
      a plain OpenID provider | elliptic-signature happens.success interactive.invalidResponse
        listAccounts.notFound misbehaves signedOut wrong-signature
      no network | elliptic-signature happens.success interactive.offline misbehaves signedOut
        wrong-signature
      the cache cannot be read | elliptic-signature happens.success interactive.invalidResponse
        listAccounts.unexpected misbehaves signedOut wrong-signature
    Workflows/conformance/invalid-sig-hs256.yaml | Conformance: invalid-sig-hs256
      a plain OpenID provider | happens.success interactive.invalidResponse listAccounts.notFound misbehaves
        shared-secret-signature signedOut
      no network | happens.success interactive.offline misbehaves shared-secret-signature signedOut
      the cache cannot be read | happens.success interactive.invalidResponse listAccounts.unexpected
        misbehaves shared-secret-signature signedOut
    Workflows/conformance/invalid-sig-rs256.yaml | Conformance: invalid-sig-rs256
      a plain OpenID provider | happens.success interactive.invalidResponse listAccounts.notFound misbehaves
        signedOut wrong-signature
      no network | happens.success interactive.offline misbehaves signedOut wrong-signature
      the cache cannot be read | happens.success interactive.invalidResponse listAccounts.unexpected
        misbehaves signedOut wrong-signature
    Workflows/conformance/issuer-in-response.yaml | Conformance: issuer-in-response
      a plain OpenID provider | announced-issuer happens.success interactive.success listAccounts.found
        misbehaves signedOut
      no network | announced-issuer happens.success interactive.offline misbehaves signedOut
      the cache cannot be read | announced-issuer happens.success interactive.success listAccounts.unexpected
        misbehaves signedOut
    Workflows/conformance/keys-endless.yaml | Conformance: keys-endless
      a plain OpenID provider | endless-keys happens.success interactive.invalidResponse
        listAccounts.notFound misbehaves signedOut
      no network | endless-keys happens.success interactive.offline misbehaves signedOut
      the cache cannot be read | endless-keys happens.success interactive.invalidResponse
        listAccounts.unexpected misbehaves signedOut
    Workflows/conformance/keys-oversized.yaml | Conformance: keys-oversized
      a plain OpenID provider | happens.success interactive.invalidResponse listAccounts.notFound misbehaves
        oversized-keys signedOut
      no network | happens.success interactive.offline misbehaves oversized-keys signedOut
      the cache cannot be read | happens.success interactive.invalidResponse listAccounts.unexpected
        misbehaves oversized-keys signedOut
    Workflows/conformance/kid-absent-multiple-jwks.yaml | Conformance: kid-absent-multiple-jwks
      a plain OpenID provider | happens.success interactive.invalidResponse listAccounts.notFound misbehaves
        missing-key-id several-keys signedOut
      no network | happens.success interactive.offline misbehaves missing-key-id several-keys signedOut
      the cache cannot be read | happens.success interactive.invalidResponse listAccounts.unexpected
        misbehaves missing-key-id several-keys signedOut
    Workflows/conformance/kid-absent-single-jwks.yaml | Conformance: kid-absent-single-jwks
      a plain OpenID provider | happens.success interactive.success listAccounts.found misbehaves
        missing-key-id signedOut single-key
      no network | happens.success interactive.offline misbehaves missing-key-id signedOut single-key
      the cache cannot be read | happens.success interactive.success listAccounts.unexpected misbehaves
        missing-key-id signedOut single-key
    Workflows/conformance/kid-unknown.yaml | Conformance: kid-unknown
      a plain OpenID provider | happens.success interactive.invalidResponse listAccounts.notFound misbehaves
        signedOut unknown-key
      no network | happens.success interactive.offline misbehaves signedOut unknown-key
      the cache cannot be read | happens.success interactive.invalidResponse listAccounts.unexpected
        misbehaves signedOut unknown-key
    Workflows/conformance/missing-access-token.yaml | Conformance: missing-access-token
      a plain OpenID provider | callGraph.unauthorized happens.success interactive.success misbehaves
        missing-access-token signedOut
      no network | happens.success interactive.offline misbehaves missing-access-token signedOut
      no network for the call | callGraph.offline happens.success interactive.success misbehaves
        missing-access-token signedOut
    Workflows/conformance/missing-aud.yaml | Conformance: missing-aud
      a plain OpenID provider | happens.success interactive.invalidResponse listAccounts.notFound misbehaves
        missing-audience signedOut
      no network | happens.success interactive.offline misbehaves missing-audience signedOut
      the cache cannot be read | happens.success interactive.invalidResponse listAccounts.unexpected
        misbehaves missing-audience signedOut
    Workflows/conformance/missing-client-info.yaml | Conformance: missing-client-info
      the Microsoft identity platform | happens.success interactive.unexpected listAccounts.notFound
        misbehaves missing-client-info signedOut
      no network | happens.success interactive.offline misbehaves missing-client-info signedOut
      the cache cannot be read | happens.success interactive.unexpected listAccounts.unexpected misbehaves
        missing-client-info signedOut
    Workflows/conformance/missing-iat.yaml | Conformance: missing-iat
      a plain OpenID provider | happens.success interactive.invalidResponse listAccounts.notFound misbehaves
        missing-issued-at signedOut
      no network | happens.success interactive.offline misbehaves missing-issued-at signedOut
      the cache cannot be read | happens.success interactive.invalidResponse listAccounts.unexpected
        misbehaves missing-issued-at signedOut
    Workflows/conformance/missing-id-token.yaml | Conformance: missing-id-token
      a plain OpenID provider | happens.success interactive.invalidResponse listAccounts.notFound misbehaves
        missing-id-token signedOut
      no network | happens.success interactive.offline misbehaves missing-id-token signedOut
      the cache cannot be read | happens.success interactive.invalidResponse listAccounts.unexpected
        misbehaves missing-id-token signedOut
    Workflows/conformance/missing-sub.yaml | Conformance: missing-sub
      a plain OpenID provider | happens.success interactive.invalidResponse listAccounts.notFound misbehaves
        missing-subject signedOut
      no network | happens.success interactive.offline misbehaves missing-subject signedOut
      the cache cannot be read | happens.success interactive.invalidResponse listAccounts.unexpected
        misbehaves missing-subject signedOut
    Workflows/conformance/mix-up-issuer-missing.yaml | Conformance: mix-up-issuer-missing
      a plain OpenID provider | happens.success interactive.invalidResponse listAccounts.notFound misbehaves
        missing-response-issuer signedOut
      no network | happens.success interactive.offline misbehaves missing-response-issuer signedOut
      the cache cannot be read | happens.success interactive.invalidResponse listAccounts.unexpected
        misbehaves missing-response-issuer signedOut
    Workflows/conformance/mix-up-unannounced.yaml | Conformance: mix-up-unannounced
      a plain OpenID provider | happens.success interactive.invalidResponse listAccounts.notFound misbehaves
        signedOut wrong-response-issuer
      no network | happens.success interactive.offline misbehaves signedOut wrong-response-issuer
      the cache cannot be read | happens.success interactive.invalidResponse listAccounts.unexpected
        misbehaves signedOut wrong-response-issuer
    Workflows/conformance/mix-up.yaml | Conformance: mix-up
      a plain OpenID provider | announced-issuer happens.success interactive.invalidResponse
        listAccounts.notFound misbehaves signedOut wrong-response-issuer
      no network | announced-issuer happens.success interactive.offline misbehaves signedOut
        wrong-response-issuer
      the cache cannot be read | announced-issuer happens.success interactive.invalidResponse
        listAccounts.unexpected misbehaves signedOut wrong-response-issuer
    Workflows/conformance/no-keys.yaml | Conformance: no-keys
      a plain OpenID provider | happens.success interactive.invalidResponse listAccounts.notFound misbehaves
        no-keys signedOut
      no network | happens.success interactive.offline misbehaves no-keys signedOut
      the cache cannot be read | happens.success interactive.invalidResponse listAccounts.unexpected
        misbehaves no-keys signedOut
    Workflows/conformance/nonce-invalid.yaml | Conformance: nonce-invalid
      a plain OpenID provider | happens.success interactive.invalidResponse listAccounts.notFound misbehaves
        signedOut wrong-nonce
      no network | happens.success interactive.offline misbehaves signedOut wrong-nonce
      the cache cannot be read | happens.success interactive.invalidResponse listAccounts.unexpected
        misbehaves signedOut wrong-nonce
    Workflows/conformance/nonce-missing.yaml | Conformance: nonce-missing
      a plain OpenID provider | happens.success interactive.invalidResponse listAccounts.notFound misbehaves
        missing-nonce signedOut
      no network | happens.success interactive.offline misbehaves missing-nonce signedOut
      the cache cannot be read | happens.success interactive.invalidResponse listAccounts.unexpected
        misbehaves missing-nonce signedOut
    Workflows/conformance/not-yet-valid.yaml | Conformance: not-yet-valid
      a plain OpenID provider | future-token happens.success interactive.invalidResponse
        listAccounts.notFound misbehaves signedOut
      no network | future-token happens.success interactive.offline misbehaves signedOut
      the cache cannot be read | future-token happens.success interactive.invalidResponse
        listAccounts.unexpected misbehaves signedOut
    Workflows/conformance/pkce-downgrade.yaml | Conformance: pkce-downgrade
      a plain OpenID provider | AADSTS501481 happens.success interactive.invalidGrant invalid_grant
        listAccounts.notFound lost-challenge misbehaves signedOut
      no network | AADSTS501481 happens.success interactive.offline invalid_grant lost-challenge misbehaves
        signedOut
      the cache cannot be read | AADSTS501481 happens.success interactive.invalidGrant invalid_grant
        listAccounts.unexpected lost-challenge misbehaves signedOut
    Workflows/conformance/pkce-plain-only.yaml | Conformance: pkce-plain-only
      a plain OpenID provider | happens.success interactive.success listAccounts.found misbehaves
        plain-challenge-only signedOut
      no network | happens.success interactive.offline misbehaves plain-challenge-only signedOut
      the cache cannot be read | happens.success interactive.success listAccounts.unexpected misbehaves
        plain-challenge-only signedOut
    Workflows/conformance/refresh-token-fewer-scopes.yaml | Conformance: refresh-token-fewer-scopes
      the Microsoft identity platform | fewer-scopes happens.success interactive.success misbehaves signedOut
        silent.serverDeclinedScopes
      no network | happens.success interactive.offline signedOut
      no network at the refresh | fewer-scopes happens.success interactive.success misbehaves signedOut
        silent.offline
    Workflows/conformance/refresh-token-invalid-issuer.yaml | Conformance: refresh-token-invalid-issuer
      a plain OpenID provider | happens.success interactive.success misbehaves signedOut
        silent.invalidResponse silent.success wrong-issuer
      no network | happens.success interactive.offline signedOut
      no network at the refresh | happens.success interactive.success misbehaves signedOut silent.offline
        wrong-issuer
      no network afterwards | happens.success interactive.success misbehaves signedOut silent.invalidResponse
        silent.offline wrong-issuer
    Workflows/conformance/refresh-token-invalid-sub.yaml | Conformance: refresh-token-invalid-sub
      a plain OpenID provider | happens.success interactive.success misbehaves signedOut
        silent.invalidResponse silent.success wrong-account
      no network | happens.success interactive.offline signedOut
      no network at the refresh | happens.success interactive.success misbehaves signedOut silent.offline
        wrong-account
      no network afterwards | happens.success interactive.success misbehaves signedOut silent.invalidResponse
        silent.offline wrong-account
    Workflows/conformance/refresh-token.yaml | Conformance: refresh-token
      a plain OpenID provider | happens.success interactive.success signedOut silent.success
      no network | happens.success interactive.offline signedOut
      no network at the refresh | happens.success interactive.success signedOut silent.offline
    Workflows/conformance/rp-init-logout-no-state.yaml | Conformance: rp-init-logout-no-state
      a plain OpenID provider | happens.success interactive.success listAccounts.notFound misbehaves
        missing-logout-state signedOut signout.invalidState
      no network | happens.success interactive.offline misbehaves missing-logout-state signedOut
      no network at the end | happens.success interactive.success misbehaves missing-logout-state signedOut
        signout.offline
      the cache cannot be read | happens.success interactive.success listAccounts.unexpected misbehaves
        missing-logout-state signedOut signout.invalidState
    Workflows/conformance/rp-init-logout-other-state.yaml | Conformance: rp-init-logout-other-state
      a plain OpenID provider | happens.success interactive.success listAccounts.notFound misbehaves
        signedOut signout.invalidState wrong-logout-state
      no network | happens.success interactive.offline misbehaves signedOut wrong-logout-state
      no network at the end | happens.success interactive.success misbehaves signedOut signout.offline
        wrong-logout-state
      the cache cannot be read | happens.success interactive.success listAccounts.unexpected misbehaves
        signedOut signout.invalidState wrong-logout-state
    Workflows/conformance/rp-init-logout.yaml | Conformance: rp-init-logout
      a plain OpenID provider | happens.success interactive.success listAccounts.notFound signedOut
        signout.success
      no network | happens.success interactive.offline signedOut
      no network at the end | happens.success interactive.success signedOut signout.offline
      the cache cannot be read | happens.success interactive.success listAccounts.unexpected signedOut
        signout.success
    Workflows/conformance/signing-key-rotation-just-before-signing.yaml | Conformance: signing-key-rotation-just-before-signing
      a plain OpenID provider | happens.success interactive.success late-key-rotation misbehaves signedOut
        silent.success
      no network | happens.success interactive.offline late-key-rotation misbehaves signedOut
      no network at the refresh | happens.success interactive.success late-key-rotation misbehaves signedOut
        silent.offline
    Workflows/conformance/signing-key-rotation.yaml | Conformance: signing-key-rotation
      a plain OpenID provider | happens.success interactive.success keysRotated signedOut silent.success
      no network | happens.success interactive.offline signedOut
      no network at the refresh | happens.success interactive.success keysRotated signedOut silent.offline
    Workflows/conformance/state-invalid.yaml | Conformance: state-invalid
      a plain OpenID provider | happens.success interactive.invalidState listAccounts.notFound misbehaves
        signedOut wrong-state
      no network | happens.success interactive.offline misbehaves signedOut wrong-state
      the cache cannot be read | happens.success interactive.invalidState listAccounts.unexpected misbehaves
        signedOut wrong-state
    Workflows/conformance/state-missing.yaml | Conformance: state-missing
      a plain OpenID provider | happens.success interactive.invalidState listAccounts.notFound misbehaves
        missing-state signedOut
      no network | happens.success interactive.offline misbehaves missing-state signedOut
      the cache cannot be read | happens.success interactive.invalidState listAccounts.unexpected misbehaves
        missing-state signedOut
    Workflows/conformance/token-endless.yaml | Conformance: token-endless
      a plain OpenID provider | endless-tokens happens.success interactive.invalidResponse
        listAccounts.notFound misbehaves signedOut
      no network | endless-tokens happens.success interactive.offline misbehaves signedOut
      the cache cannot be read | endless-tokens happens.success interactive.invalidResponse
        listAccounts.unexpected misbehaves signedOut
    Workflows/conformance/token-endpoint-redirect.yaml | Conformance: token-endpoint-redirect
      a plain OpenID provider | happens.success interactive.unhandledResponse listAccounts.notFound
        misbehaves redirecting-token-endpoint signedOut
      no network | happens.success interactive.offline misbehaves redirecting-token-endpoint signedOut
      the cache cannot be read | happens.success interactive.unhandledResponse listAccounts.unexpected
        misbehaves redirecting-token-endpoint signedOut
    Workflows/conformance/token-oversized.yaml | Conformance: token-oversized
      a plain OpenID provider | happens.success interactive.invalidResponse listAccounts.notFound misbehaves
        oversized-tokens signedOut
      no network | happens.success interactive.offline misbehaves oversized-tokens signedOut
      the cache cannot be read | happens.success interactive.invalidResponse listAccounts.unexpected
        misbehaves oversized-tokens signedOut
    Workflows/conformance/userinfo-endless.yaml | Conformance: userinfo-endless
      a plain OpenID provider | endless-userinfo happens.success interactive.invalidResponse
        listAccounts.notFound misbehaves signedOut
      no network | endless-userinfo happens.success interactive.offline misbehaves signedOut
      the cache cannot be read | endless-userinfo happens.success interactive.invalidResponse
        listAccounts.unexpected misbehaves signedOut
    Workflows/conformance/userinfo-invalid-sub.yaml | Conformance: userinfo-invalid-sub
      a plain OpenID provider | happens.success interactive.invalidResponse listAccounts.notFound misbehaves
        signedOut wrong-userinfo-subject
      no network | happens.success interactive.offline misbehaves signedOut wrong-userinfo-subject
      the cache cannot be read | happens.success interactive.invalidResponse listAccounts.unexpected
        misbehaves signedOut wrong-userinfo-subject
    Workflows/conformance/userinfo-oversized.yaml | Conformance: userinfo-oversized
      a plain OpenID provider | happens.success interactive.invalidResponse listAccounts.notFound misbehaves
        oversized-userinfo signedOut
      no network | happens.success interactive.offline misbehaves oversized-userinfo signedOut
      the cache cannot be read | happens.success interactive.invalidResponse listAccounts.unexpected
        misbehaves oversized-userinfo signedOut
    Workflows/conformance/userinfo.yaml | Conformance: userinfo
      a plain OpenID provider | happens.success interactive.success listAccounts.found signedOut
      no network | happens.success interactive.offline signedOut
      the cache cannot be read | happens.success interactive.success listAccounts.unexpected signedOut
    Workflows/conformance/wrong-token-type.yaml | Conformance: wrong-token-type
      a plain OpenID provider | happens.success interactive.invalidResponse listAccounts.notFound misbehaves
        signedOut wrong-token-type
      no network | happens.success interactive.offline misbehaves signedOut wrong-token-type
      the cache cannot be read | happens.success interactive.invalidResponse listAccounts.unexpected
        misbehaves signedOut wrong-token-type
    Workflows/declined-scopes.yaml | Less than was asked for
      the calendar stays private | AADSTS65001 MSALErrorServerDeclinedScopes callGraph.success consentRevoked
        consent_required happens.success interactive.serverDeclinedScopes invalid_grant signedOut
        silent.interactionRequired silent.success
      the person closes the window | MSALErrorServerDeclinedScopes consentRevoked happens.success
        interactive.userCanceled signedOut
      she consents to the rest on another device | MSALErrorServerDeclinedScopes callGraph.success
        consentRevoked happens.success interactive.serverDeclinedScopes signedOut silent.success
      graph wants a newer token | MSALErrorServerDeclinedScopes callGraph.claimsChallenge callGraph.success
        consentRevoked fault happens.success interactive.serverDeclinedScopes signedOut
        silent.interactionRequired silent.success
      the network goes | MSALErrorServerDeclinedScopes callGraph.offline callGraph.success consentRevoked
        happens.success interactive.offline interactive.serverDeclinedScopes signedOut silent.offline
        silent.success
      somebody was here before | MSALErrorServerDeclinedScopes browserSignedOut callGraph.success
        consentRevoked happens.success interactive.serverDeclinedScopes signedIn signedOut
        silent.interactionRequired silent.success
      at the sign-in page | MSALErrorServerDeclinedScopes callGraph.success consentRevoked happens.success
        interactive.serverDeclinedScopes policyAdded signedOut silent.interactionRequired silent.success
      nobody gets in | AADSTS500121 AADSTS50034 AADSTS50057 AADSTS53000 AADSTS53003 AADSTS90094
        MSALErrorServerDeclinedScopes bad_token consentRevoked consent_required happens.success
        interaction_required interactive.userCanceled invalid_grant message_only policyAdded signedOut
        userDeleted userDisabled
      the refresh token is refused | AADSTS50173 AADSTS700081 AADSTS700082 MSALErrorServerDeclinedScopes
        bad_token consentRevoked happens.success interactive.serverDeclinedScopes invalid_grant signedOut
        silent.interactionRequired
      the clock, the keys and the cache | MSALErrorServerDeclinedScopes broken consentRevoked happens.success
        interactive.serverDeclinedScopes signedOut silent.interactionRequired silent.success
      graph says no | MSALErrorServerDeclinedScopes callGraph.forbidden callGraph.notFound consentRevoked
        fault happens.success interactive.serverDeclinedScopes signedOut silent.success
      graph is busy for a moment | MSALErrorServerDeclinedScopes callGraph.success consentRevoked fault
        happens.success interactive.serverDeclinedScopes signedOut silent.interactionRequired silent.success
    Workflows/default-scope.yaml | Everything that was registered
      both resources | AADSTS65001 callGraph.success consent_required interactive.success invalid_grant
        signout.success silent.interactionRequired silent.success
      the administrator consented for everybody | callGraph.success consentGranted interactive.skipped
        interactive.success signout.success silent.success
      graph alone | callGraph.success interactive.success interactive.userCanceled silent.interactionRequired
      nothing at all | AADSTS65004 access_denied interactive.userCanceled
      signed out in another process | callGraph.success interactive.success silent.interactionRequired
      the network goes | callGraph.offline callGraph.success interactive.offline interactive.success
        signout.success silent.interactionRequired silent.offline silent.success
      somebody was here before | browserSignedOut callGraph.success interactive.success signedIn
        signout.success silent.interactionRequired silent.success
      at the sign-in page | callGraph.success interactive.success policyAdded signout.success
        silent.interactionRequired silent.success
      nobody gets in | AADSTS500121 AADSTS50034 AADSTS50057 AADSTS53000 AADSTS53003 AADSTS90094 bad_token
        consent_required interaction_required interactive.userCanceled invalid_grant message_only policyAdded
        userDeleted userDisabled
      the refresh token is refused | AADSTS50173 AADSTS700081 AADSTS700082 bad_token callGraph.success
        interactive.success invalid_grant silent.interactionRequired
      the clock, the keys and the cache | broken callGraph.success interactive.success
        silent.interactionRequired silent.success silent.unexpected
      graph says no | callGraph.claimsChallenge callGraph.forbidden callGraph.notFound fault
        interactive.success
      graph is busy for a moment | callGraph.success fault interactive.success signout.success
        silent.interactionRequired silent.success
      the cache breaks | callGraph.success interactive.success signout.unexpected silent.interactionRequired
        silent.success
    Workflows/device-code.yaml | Sign in on another device
      the code is typed in | callGraph.success deviceCode.success loadAccount.notFound signout.success
        silent.success
      again the same evening | callGraph.success deviceCode.skipped loadAccount.found signedIn
        signout.success silent.success
      the next evening | callGraph.success deviceCode.skipped loadAccount.found signedIn signout.success
        silent.success wait
      three months unused | AADSTS700082 callGraph.success deviceCode.success invalid_grant loadAccount.found
        signedIn signout.success silent.interactionRequired silent.success wait
      somebody slower | deviceCode.expiredToken loadAccount.notFound
      the person declines | deviceCode.authorizationDeclined loadAccount.notFound
      two people at one television | loadAccount.ambiguousAccount signedIn
      graph wants a newer token | callGraph.claimsChallenge callGraph.success deviceCode.skipped fault
        loadAccount.found signedIn signout.success silent.success
      signed out in another process | callGraph.success deviceCode.success loadAccount.notFound
        silent.interactionRequired
      the network goes | callGraph.offline callGraph.success deviceCode.offline deviceCode.success
        loadAccount.found loadAccount.notFound signedIn signout.success silent.offline silent.success
      the cache breaks | MSALInternalErrorUnexpected callGraph.success deviceCode.success
        loadAccount.notFound silent.unexpected
      the television's clock is set back | callGraph.success clock deviceCode.skipped loadAccount.found
        signedIn signout.success silent.success
      nobody gets in | AADSTS50034 AADSTS50057 AADSTS53000 AADSTS53003 bad_token deviceCode.expiredToken
        deviceCode.serverDeclinedScopes interaction_required invalid_grant loadAccount.found
        loadAccount.notFound message_only policyAdded signedIn silent.interactionRequired userDeleted
        userDisabled wait
      the refresh token is refused | AADSTS50173 AADSTS700081 bad_token callGraph.success deviceCode.success
        invalid_grant loadAccount.found passwordChanged sessionsRevoked signedIn signout.success
        silent.interactionRequired silent.success wait
      the clock, the keys and the cache | accessTokenExpired callGraph.success deviceCode.skipped keysRotated
        loadAccount.found signedIn signout.success silent.success
      graph says no | callGraph.forbidden callGraph.notFound deviceCode.skipped fault loadAccount.found
        signedIn silent.success
      graph is busy for a moment | callGraph.success deviceCode.skipped fault loadAccount.found signedIn
        signout.success silent.success
      the cache breaks before signing out | callGraph.success deviceCode.success loadAccount.notFound
        signout.unexpected silent.success
    Workflows/errors/interaction-required.yaml | The service wants to see the person
      a new password is wanted | AADSTS50125 assert.holds basic_action happens.success interaction_required
        interactive.success passwordChanged policyAdded policyRemoved signout.success
        silent.interactionRequired silent.success
      the new password is too short | AADSTS50126 happens.success interactive.success
        interactive.userCanceled invalid_grant passwordChanged policyAdded policyRemoved signout.success
        silent.interactionRequired
      the page is closed | happens.success interactive.success interactive.userCanceled passwordChanged
        policyAdded policyRemoved signout.success silent.interactionRequired
      nobody signs in to begin with | happens.invalidParameter interactive.userCanceled passwordChanged
        policyRemoved signout.notFound
      signed out in another process | assert.holds happens.success interactive.success passwordChanged
        policyAdded policyRemoved signout.notFound silent.interactionRequired
      the rule is gone before it mattered | assert.broken happens.success interactive.skipped
        interactive.success passwordChanged policyAdded policyRemoved signout.success silent.success
      the network goes | happens.success interactive.success passwordChanged policyAdded policyRemoved
        signout.success silent.offline
      somebody was here before | assert.holds happens.success interactive.success passwordChanged policyAdded
        policyRemoved signedIn signout.success silent.interactionRequired silent.success
      at the sign-in page | assert.holds happens.success interactive.success passwordChanged policyAdded
        policyRemoved signout.success silent.interactionRequired silent.success
      nobody gets in | AADSTS500121 AADSTS50034 AADSTS50057 AADSTS53000 AADSTS53003 AADSTS65004 AADSTS90094
        access_denied bad_token consent_required happens.invalidParameter interaction_required
        interactive.serverDeclinedScopes interactive.userCanceled invalid_grant message_only passwordChanged
        policyAdded policyRemoved signout.notFound signout.success userDeleted userDisabled
      the refresh token is refused | AADSTS50173 AADSTS700081 AADSTS700082 assert.broken bad_token
        happens.success interactive.success invalid_grant passwordChanged policyAdded policyRemoved
        signout.success silent.interactionRequired
      the clock, the keys and the cache | assert.holds happens.success interactive.success passwordChanged
        policyAdded policyRemoved signout.success signout.unexpected silent.interactionRequired
        silent.success silent.unexpected
      the network goes at another step | assert.holds happens.invalidParameter happens.success
        interactive.offline interactive.success passwordChanged policyAdded policyRemoved signout.notFound
        signout.success silent.interactionRequired silent.offline silent.success
    Workflows/family.yaml | One sign-in for a family of apps
      the second app asks nobody | callGraph.success interactive.success loadAccount.found
        loadAccount.notFound signout.success silent.success
      nobody signs in to the first | interactive.userCanceled signout.notFound
      notes is no member of the family | interactive.success loadAccount.notFound signout.success
      graph wants a newer token | callGraph.claimsChallenge callGraph.success fault interactive.success
        loadAccount.found silent.success
      her password is changed before notes begins | AADSTS50173 bad_token interactive.success invalid_grant
        loadAccount.found signout.success silent.interactionRequired
      somebody signs in to notes again | callGraph.success interactive.success loadAccount.found
        signout.success silent.success
      mail is signed out in another process | interactive.success silent.interactionRequired
      the network goes before the call | callGraph.offline interactive.success loadAccount.found
        signout.success silent.success
      somebody was here before | callGraph.success interactive.success loadAccount.ambiguousAccount
        loadAccount.found loadAccount.notFound signedIn signout.success silent.success
      at the sign-in page | broken callGraph.success interactive.success loadAccount.found
        loadAccount.notFound policyAdded signout.success silent.success
      nobody gets in | AADSTS500121 AADSTS50034 AADSTS50057 AADSTS53000 AADSTS53003 AADSTS65004 AADSTS90094
        access_denied bad_token consent_required interaction_required interactive.success
        interactive.userCanceled invalid_grant message_only policyAdded signout.notFound signout.success
        userDeleted userDisabled
      the refresh token is refused | AADSTS50173 AADSTS700081 AADSTS700082 bad_token interactive.success
        invalid_grant loadAccount.found signout.success silent.interactionRequired
      the clock, the keys and the cache | broken callGraph.success interactive.success loadAccount.found
        loadAccount.notFound signout.success signout.unexpected silent.success silent.unexpected
      graph says no | callGraph.forbidden callGraph.notFound fault interactive.success loadAccount.found
        signout.success silent.success
      graph is busy for a moment | callGraph.success fault interactive.success loadAccount.found
        loadAccount.notFound signout.success silent.success
      the network goes | callGraph.success interactive.offline interactive.success loadAccount.found
        loadAccount.notFound signout.notFound signout.success silent.offline silent.success
      the cache breaks | callGraph.success interactive.success loadAccount.found loadAccount.unexpected
        signout.success signout.unexpected silent.success
    Workflows/forgotten-consent.yaml | Consent that was taken back
      asked once more | assert.holds callGraph.success consentRevoked happens.success interactive.success
        silent.interactionRequired silent.success wait.success
      and declined | AADSTS65004 access_denied consentRevoked happens.success interactive.success
        interactive.userCanceled silent.interactionRequired silent.success wait.success
      never given | AADSTS65004 access_denied interactive.userCanceled
      the access token ends as well | AADSTS65001 assert.broken consentRevoked consent_required
        happens.success interactive.success invalid_grant silent.interactionRequired
      she consented again on another device | broken consentRevoked happens.success interactive.success
        silent.success wait.success
      graph wants a newer token | assert.holds callGraph.claimsChallenge callGraph.success fault
        silent.success
      the network goes | assert.holds callGraph.offline consentRevoked happens.success interactive.offline
        interactive.success silent.interactionRequired silent.offline silent.success wait.success
      signed out in another process | assert.broken consentRevoked happens.success interactive.success
        silent.interactionRequired silent.success wait.success
      somebody was here before | assert.holds callGraph.success consentRevoked happens.success
        interactive.success signedIn silent.interactionRequired silent.success wait.success
      at the sign-in page | assert.holds callGraph.success consentRevoked happens.success interactive.success
        policyAdded silent.interactionRequired silent.success wait.success
      nobody gets in | AADSTS500121 AADSTS50034 AADSTS50057 AADSTS53000 AADSTS53003 AADSTS90094 bad_token
        consent_required interaction_required interactive.serverDeclinedScopes interactive.userCanceled
        invalid_grant message_only policyAdded userDeleted userDisabled
      the refresh token is refused | AADSTS50173 AADSTS700081 AADSTS700082 assert.broken bad_token
        consentRevoked happens.success interactive.success invalid_grant silent.interactionRequired
      the clock, the keys and the cache | assert.broken consentRevoked happens.success interactive.success
        silent.interactionRequired silent.unexpected
      graph says no | assert.holds callGraph.forbidden callGraph.notFound consentRevoked fault
        happens.success interactive.success silent.interactionRequired silent.success wait.success
      graph is busy for a moment | assert.holds callGraph.success consentRevoked fault happens.success
        interactive.success silent.interactionRequired silent.success wait.success
      tokens that live for a day | assert.broken consentRevoked happens.success interactive.skipped
        interactive.success silent.success wait.success
    Workflows/incremental-consent.yaml | Ask when needed
      consent comes in two steps | AADSTS65001 callGraph.success consent_required interactive.success
        invalid_grant signout.success silent.interactionRequired
      the calendar was granted before | callGraph.success consentGranted interactive.skipped
        interactive.success signout.success silent.success
      the calendar is declined | AADSTS65004 access_denied callGraph.success interactive.success
        interactive.userCanceled silent.interactionRequired
      only an administrator may grant it | AADSTS90094 callGraph.success consentGranted consent_required
        interactive.success interactive.userCanceled silent.interactionRequired
      the person does not even sign in | interactive.userCanceled
      graph may read the calendar of nobody | ErrorAccessDenied callGraph.forbidden callGraph.success fault
        interactive.success silent.interactionRequired
      graph wants a newer token | callGraph.claimsChallenge callGraph.success fault interactive.success
        signout.success silent.interactionRequired silent.success
      the network goes | callGraph.offline callGraph.success interactive.offline interactive.success
        signout.success silent.interactionRequired silent.offline
      signed out in another process | callGraph.success interactive.success signout.success
        silent.interactionRequired
      somebody was here before | browserSignedOut callGraph.success interactive.skipped interactive.success
        signedIn signout.success silent.interactionRequired silent.success
      at the sign-in page | callGraph.success interactive.success policyAdded signout.success
        silent.interactionRequired
      nobody gets in | AADSTS500121 AADSTS50034 AADSTS50057 AADSTS53000 AADSTS53003 bad_token
        callGraph.success interaction_required interactive.serverDeclinedScopes interactive.success
        interactive.userCanceled invalid_grant message_only policyAdded silent.interactionRequired
        userDeleted userDisabled
      the refresh token is refused | AADSTS50173 AADSTS700081 AADSTS700082 bad_token callGraph.success
        interactive.success invalid_grant signout.success silent.interactionRequired
      the clock, the keys and the cache | callGraph.success consentGranted interactive.skipped
        interactive.success signout.success silent.interactionRequired silent.success silent.unexpected
      graph says no | callGraph.notFound fault interactive.success
      graph is busy for a moment | callGraph.success fault interactive.success signout.success
        silent.interactionRequired
      the cache breaks | callGraph.success interactive.success signout.unexpected silent.interactionRequired
    Workflows/me.yaml | Read my profile
      first run | callGraph.success interactive.success loadAccount.notFound signout.success
      returning user | callGraph.success interactive.skipped loadAccount.found signedIn signout.success
        silent.success
      back after lunch | callGraph.success interactive.skipped loadAccount.found signedIn signout.success
        silent.success wait
      signed out the day before | callGraph.success interactive.success loadAccount.notFound signedIn
        signedOut signout.success wait
      the service wants to see the person | AADSTS50076 AADSTS50079 AADSTS50125 AADSTS50158 AADSTS50173
        AADSTS65001 AADSTS700081 AADSTS700082 AADSTS70043 MSALErrorInteractionRequired bad_token basic_action
        callGraph.success consentRevoked consent_required fault interaction_required interactive.success
        invalid_grant loadAccount.found passwordChanged policyAdded sessionsRevoked signedIn signout.success
        silent.interactionRequired token_expired wait
      nobody gets in | AADSTS50034 AADSTS50057 AADSTS53000 AADSTS53003 AADSTS7000112 appDisabled bad_token
        interaction_required interactive.userCanceled invalid_grant loadAccount.found message_only
        policyAdded signedIn silent.interactionRequired unauthorized_client userDeleted userDisabled
        user_account_deleted wait
      the second factor is denied | AADSTS500121 interactive.userCanceled invalid_grant loadAccount.notFound
      nobody picks up the phone | interactive.userCanceled loadAccount.notFound
      the consent is declined | AADSTS65004 access_denied interactive.userCanceled loadAccount.notFound
      the consent is declined in part | interactive.serverDeclinedScopes loadAccount.notFound
      only an administrator may consent | AADSTS90094 consent_required interactive.userCanceled
        loadAccount.notFound
      the window is closed | MSALErrorUserCanceled interactive.userCanceled loadAccount.notFound
      the password is wrong | AADSTS50126 interactive.userCanceled invalid_grant loadAccount.notFound
      the account is disabled at the first sign-in | AADSTS50057 interactive.userCanceled invalid_grant
        loadAccount.notFound
      a second account | MSALInternalErrorAmbiguousAccount loadAccount.ambiguousAccount signedIn
      graph wants a newer token | callGraph.claimsChallenge callGraph.success fault interactive.skipped
        loadAccount.found signedIn signout.success silent.success
      graph wants a second factor | AADSTS50079 basic_action callGraph.claimsChallenge callGraph.success
        interactive.skipped interactive.success invalid_grant loadAccount.found policyAdded signedIn
        signout.success silent.interactionRequired silent.success
      graph is never content | callGraph.claimsChallenge fault interactive.skipped loadAccount.found signedIn
        silent.success
      graph says no | Authorization_RequestDenied InvalidAuthenticationToken Request_ResourceNotFound fault
        forbidden interactive.skipped loadAccount.found notFound otherStatus serviceUnavailable signedIn
        silent.success unauthorized
      graph is busy for a moment | callGraph.success fault interactive.skipped loadAccount.found signedIn
        signout.success silent.success
      graph is busy for good | TooManyRequests fault interactive.skipped loadAccount.found serviceUnavailable
        signedIn silent.success throttled
      the token endpoint stumbles | callGraph.success fault interactive.skipped loadAccount.found signedIn
        signout.success silent.success wait
      the token endpoint is down | fault loadAccount.found signedIn silent.unhandledResponse wait
      the signing key is a new one | callGraph.success interactive.skipped keysRotated loadAccount.found
        signedIn signout.success silent.success wait
      the clock is set back | callGraph.success clock interactive.skipped loadAccount.found signedIn
        signout.success silent.success
      the cache cannot be read | MSALInternalErrorUnexpected cacheCorrupted callGraph.success
        interactive.skipped loadAccount.found loadAccount.unexpected signedIn signout.unexpected
        silent.success silent.unexpected
      offline from the start | interactive.offline loadAccount.found loadAccount.notFound offline signedIn
        silent.offline wait
      offline at once | callGraph.offline callGraph.success interactive.offline interactive.skipped
        loadAccount.found loadAccount.notFound sessionsRevoked signedIn signout.success
        silent.interactionRequired silent.offline silent.success wait
      offline for a moment | callGraph.success interactive.skipped loadAccount.found offline signedIn
        signout.success silent.success wait
      signed out in another process | callGraph.success interactive.success loadAccount.found signedIn
        signout.success silent.interactionRequired
      one of two signs out | callGraph.success interactive.skipped loadAccount.found signedIn signedOut
        signout.success silent.success
    Workflows/multi-account.yaml | Two accounts, one app
      both are kept apart | browserSignedOut callGraph.success happens.success interactive.success
        listAccounts.found loadAccount.ambiguousAccount loadAccount.found signedOut signout.success
        silent.success
      two were signed in before | browserSignedOut happens.success interactive.success listAccounts.found
        signedIn signedOut
      the first cancels | browserSignedOut happens.success interactive.userCanceled signedOut
        signout.notFound
      the network goes before the second page | browserSignedOut happens.success interactive.offline
        interactive.success signedOut signout.success
      everybody leaves in another process | browserSignedOut happens.success interactive.success
        listAccounts.found loadAccount.ambiguousAccount loadAccount.found loadAccount.notFound signedOut
        signout.notFound silent.interactionRequired
      graph wants a newer token | callGraph.claimsChallenge callGraph.success fault silent.success
      the network goes before the call | browserSignedOut callGraph.offline happens.success signout.success
        silent.success
      Megan leaves in another process | browserSignedOut happens.success interactive.success
        listAccounts.found loadAccount.ambiguousAccount loadAccount.found signedOut signout.success
        silent.interactionRequired
      Alex leaves in another process | browserSignedOut callGraph.success happens.success signout.success
        silent.interactionRequired silent.success
      a third signs in meanwhile | broken browserSignedOut happens.success interactive.success
        listAccounts.found signedOut signout.success
      at the sign-in page | browserSignedOut callGraph.success happens.success interactive.success
        listAccounts.found loadAccount.ambiguousAccount loadAccount.found policyAdded signedOut
        signout.success silent.success
      nobody gets in | AADSTS500121 AADSTS50034 AADSTS50057 AADSTS53000 AADSTS53003 AADSTS65004 AADSTS90094
        access_denied bad_token browserSignedOut consent_required happens.success interaction_required
        interactive.serverDeclinedScopes interactive.userCanceled invalid_grant message_only policyAdded
        signedOut signout.notFound signout.success userDeleted userDisabled
      somebody was here before | browserSignedOut callGraph.success happens.success interactive.success
        listAccounts.found loadAccount.ambiguousAccount loadAccount.found signedIn signedOut signout.success
        silent.success
      the refresh token is refused | AADSTS50173 AADSTS700081 AADSTS700082 bad_token browserSignedOut
        happens.success interactive.success invalid_grant listAccounts.found loadAccount.ambiguousAccount
        loadAccount.found signedOut signout.success silent.interactionRequired
      the clock, the keys and the cache | broken browserSignedOut happens.success interactive.success
        listAccounts.found loadAccount.ambiguousAccount loadAccount.found signedOut signout.success
        signout.unexpected silent.success silent.unexpected
      graph says no | browserSignedOut callGraph.forbidden callGraph.notFound fault happens.success
        interactive.success listAccounts.found loadAccount.ambiguousAccount loadAccount.found signedOut
        signout.success silent.success
      graph is busy for a moment | browserSignedOut callGraph.success fault happens.success
        interactive.success listAccounts.found loadAccount.ambiguousAccount loadAccount.found signedOut
        signout.success silent.success
      the network goes | browserSignedOut callGraph.offline callGraph.success happens.success
        interactive.offline interactive.success listAccounts.found loadAccount.ambiguousAccount
        loadAccount.found signedOut signout.notFound signout.success silent.success
      the cache breaks | browserSignedOut happens.success interactive.success listAccounts.unexpected
        signedOut signout.unexpected
      only Megan is left when it is asked | browserSignedOut callGraph.success happens.success
        interactive.success listAccounts.found loadAccount.found signedOut signout.success
        silent.interactionRequired silent.success
      nobody is left when it is asked | browserSignedOut happens.success interactive.success
        listAccounts.found loadAccount.notFound signedOut signout.notFound
    Workflows/national-cloud.yaml | Other clouds
      two apps, two ways | callGraph.success interactive.success silent.interactionRequired silent.success
      the page is closed | interactive.userCanceled
      the cloud's graph is away | callGraph.serviceUnavailable fault interactive.success
      the second sign-in is canceled | callGraph.success interactive.success interactive.userCanceled
      the network goes before the other cloud is asked | callGraph.success interactive.success silent.offline
        silent.success
      signed out in another process | callGraph.success interactive.success silent.interactionRequired
      somebody was here before | callGraph.success interactive.success signedIn silent.interactionRequired
        silent.success
      at the sign-in page | callGraph.success interactive.success policyAdded silent.interactionRequired
        silent.success
      nobody gets in | AADSTS500121 AADSTS50034 AADSTS50057 AADSTS53000 AADSTS53003 AADSTS65004 AADSTS90094
        access_denied bad_token consent_required interaction_required interactive.userCanceled invalid_grant
        message_only policyAdded userDeleted userDisabled
      the refresh token is refused | AADSTS50173 AADSTS700081 AADSTS700082 bad_token callGraph.success
        interactive.success invalid_grant silent.interactionRequired
      the clock, the keys and the cache | broken callGraph.success interactive.success silent.success
        silent.unexpected
      graph says no | callGraph.claimsChallenge callGraph.forbidden callGraph.notFound fault
        interactive.success
      graph is busy for a moment | callGraph.success fault interactive.success silent.interactionRequired
        silent.success
      the network goes | callGraph.offline callGraph.success interactive.offline interactive.success
        silent.offline silent.success
    Workflows/outage.yaml | The service is down
      the token endpoint answers 503 | fault happens.success interactive.success silent.success
        silent.unhandledResponse wait.success
      the page is closed | interactive.userCanceled
      the network goes later | fault happens.success interactive.success silent.offline silent.success
        wait.success
      signed out in another process | fault happens.success interactive.success silent.interactionRequired
        silent.success wait.success
      the cache breaks | MSALInternalErrorUnexpected fault happens.success interactive.success silent.success
        silent.unexpected wait.success
      somebody was here before | fault happens.success interactive.success signedIn silent.success
        silent.unhandledResponse wait.success
      at the sign-in page | fault happens.success interactive.success policyAdded silent.success
        silent.unhandledResponse wait.success
      nobody gets in | AADSTS500121 AADSTS50034 AADSTS50057 AADSTS53000 AADSTS53003 AADSTS65004 AADSTS90094
        access_denied bad_token consent_required interaction_required interactive.userCanceled invalid_grant
        message_only policyAdded userDeleted userDisabled
      the clock, the keys and the cache | broken fault happens.success interactive.success silent.success
        silent.unhandledResponse wait.success
      the network goes | fault happens.success interactive.offline interactive.success silent.offline
        wait.success
    Workflows/shared-device.yaml | One device, many shifts
      two shifts | deviceInfo.success happens.success interactive.success loadAccount.found
        loadAccount.notFound signedOut signout.success silent.interactionRequired
      somebody forgot to sign out | deviceInfo.success happens.success interactive.success signedIn signedOut
      nobody begins the shift | deviceInfo.success happens.success interactive.userCanceled signedOut
      an ordinary device | broken deviceInfo.success
      she declines what notes asks for | deviceInfo.success happens.success interactive.success
        interactive.userCanceled loadAccount.found signedOut silent.interactionRequired
      nobody comes for the next shift | interactive.userCanceled loadAccount.notFound
      mail signs out in the background | interactive.success loadAccount.found signout.success
        silent.interactionRequired
      notes was used before | interactive.skipped loadAccount.found signout.success silent.success
      the network goes | deviceInfo.success happens.success interactive.offline interactive.success
        loadAccount.found loadAccount.notFound signedOut signout.offline signout.success
        silent.interactionRequired silent.offline
      at the sign-in page | broken deviceInfo.success happens.success interactive.success loadAccount.found
        loadAccount.notFound policyAdded signedOut signout.success silent.interactionRequired
      nobody gets in | AADSTS500121 AADSTS50034 AADSTS50057 AADSTS53000 AADSTS53003 AADSTS90094 bad_token
        consent_required deviceInfo.success happens.success interaction_required interactive.userCanceled
        invalid_grant message_only policyAdded signedOut userDeleted userDisabled
      the refresh token is refused | AADSTS50173 AADSTS700081 AADSTS700082 bad_token deviceInfo.success
        happens.success interactive.success invalid_grant loadAccount.found loadAccount.notFound signedOut
        signout.success silent.interactionRequired
      the clock, the keys and the cache | deviceInfo.success happens.success interactive.skipped
        interactive.success loadAccount.found loadAccount.notFound signedOut signout.success silent.success
        silent.unexpected
      the cache breaks | deviceInfo.success happens.success interactive.success loadAccount.found
        loadAccount.notFound loadAccount.unexpected signedOut signout.success signout.unexpected
        silent.interactionRequired
      nobody is there any more when mail looks | broken deviceInfo.success happens.success
        interactive.success loadAccount.notFound signedOut signout.success
      nobody is there any more when notes looks | broken deviceInfo.success happens.success
        interactive.success loadAccount.found loadAccount.notFound signedOut signout.success
      somebody else signs in to notes meanwhile | MSALInternalErrorAmbiguousAccount deviceInfo.success
        happens.success interactive.success loadAccount.ambiguousAccount loadAccount.found signedOut
    Workflows/sign-out.plist | Sign out for good
      first run | interactive.success loadAccount.notFound signout.success
      nobody is left | interactive.skipped loadAccount.found loadAccount.notFound signedIn signout.success
        silent.success
      somebody else is left | loadAccount.ambiguousAccount signedIn
      the password was changed | AADSTS50173 bad_token interactive.success invalid_grant loadAccount.found
        loadAccount.notFound passwordChanged signedIn signout.success silent.interactionRequired wait
      the sign-in is canceled | interactive.userCanceled loadAccount.notFound
      no network | loadAccount.found offline signedIn silent.offline
      at the sign-in page | interactive.success loadAccount.notFound policyAdded signout.success
      nobody gets in | AADSTS500121 AADSTS50034 AADSTS50057 AADSTS53000 AADSTS53003 AADSTS65004 AADSTS90094
        access_denied bad_token consent_required interaction_required interactive.serverDeclinedScopes
        interactive.userCanceled invalid_grant loadAccount.notFound message_only policyAdded userDeleted
        userDisabled
      the refresh token is refused | AADSTS50173 AADSTS700081 AADSTS700082 bad_token interactive.success
        invalid_grant loadAccount.found loadAccount.notFound sessionsRevoked signedIn signout.success
        silent.interactionRequired wait
      the clock, the keys and the cache | accessTokenExpired cacheCorrupted clock interactive.skipped
        interactive.success keysRotated loadAccount.found loadAccount.notFound loadAccount.unexpected
        signedIn signout.success silent.interactionRequired silent.success
      the network goes | interactive.offline interactive.skipped loadAccount.found loadAccount.notFound
        signedIn signout.offline silent.success
      somebody signs in again meanwhile | interactive.skipped loadAccount.found signedIn signout.success
        silent.success
      two people sign in again meanwhile | interactive.skipped loadAccount.ambiguousAccount loadAccount.found
        signedIn signout.success silent.success
    Workflows/throttled.yaml | Asked too often
      half a minute later | MSALInternalErrorUnhandledResponse fault happens.success interactive.success
        silent.success silent.unhandledResponse wait.success
      the person closes the page | interactive.userCanceled
      signed out in another process | MSALInternalErrorUnhandledResponse fault happens.success
        interactive.success silent.interactionRequired silent.unhandledResponse
      no network afterwards | MSALInternalErrorUnhandledResponse fault happens.success interactive.success
        silent.offline silent.success silent.unhandledResponse wait.success
      the clock is set back | MSALInternalErrorUnhandledResponse fault happens.success interactive.success
        silent.unhandledResponse
      somebody was here before | MSALInternalErrorUnhandledResponse fault happens.success interactive.success
        signedIn silent.success silent.unhandledResponse wait.success
      at the sign-in page | MSALInternalErrorUnhandledResponse fault happens.success interactive.success
        policyAdded silent.success silent.unhandledResponse wait.success
      nobody gets in | AADSTS500121 AADSTS50034 AADSTS50057 AADSTS53000 AADSTS53003 AADSTS65004 AADSTS90094
        access_denied bad_token consent_required interaction_required interactive.serverDeclinedScopes
        interactive.userCanceled invalid_grant message_only policyAdded userDeleted userDisabled
      the refresh token is refused | AADSTS50173 AADSTS700081 AADSTS700082 MSALInternalErrorUnhandledResponse
        bad_token fault happens.success interactive.success invalid_grant silent.interactionRequired
        silent.success silent.unhandledResponse wait.success
      the clock, the keys and the cache | MSALInternalErrorUnhandledResponse fault happens.success
        interactive.success silent.success silent.unexpected silent.unhandledResponse wait.success
      the network goes | MSALInternalErrorUnhandledResponse fault happens.success interactive.offline
        interactive.success silent.offline silent.success silent.unhandledResponse wait.success
    """#
}
