extension Chapter {
  static let claims = Chapter(
    number: 7, name: "claims", title: "The token is refused in the middle",
    summary: "claims challenges and continuous access evaluation", handlesChallenges: true,
    workflow: """
      steps:
        - loadAccount
        - silent
        - interactive-fallback
        - callGraph: /me

      scenarios:
        her sessions are revoked:
          given: [signedIn: megan@contoso.com, wait: 10m, sessionsRevoked]
          expect:
            path:
              - loadAccount.found
              - silent.success
              - interactive-fallback.skipped
              - callGraph.claimsChallenge
              - silent.interactionRequired
              - interactive-fallback.success
              - callGraph.success
            requests: { graph: 2 }
            interactions: 1
      """,
    parts: [
      .text(
        """
        An access token is good until it ends, even if the account was closed a minute ago. An hour of that is long, so some APIs, \
        Graph among them, look more closely: continuous access evaluation. An app that says it can handle it (`CP1` under \
        `ClientCapabilities`) gets tokens that live for a day, and in return the API may refuse one at any moment.

        It refuses with 401 and a challenge: the claims that the next token must have. The app asks for a token with just these \
        claims, silently if that is enough, with the page if not, and calls again. Once. In a workflow that is a detour, \
        `claimsChallenge`, and it is built in. An administrator has just ended all of Megan's sessions:
        """),
      .demonstration("her sessions are revoked"),
      .text(
        """
        Read it from above. The cache still gave the token, since by its date it was good. Graph refused it. The second `silent` had \
        the claims with it, so it passed the cache over; but the refresh token had gone with the sessions. So the page came, and \
        the same call was made again.

        In an app the challenge stands in the header `WWW-Authenticate`, as base64 behind `claims=`. Decode it, hand it to \
        MSAL as the `claimsRequest` of the next request, and do not keep it for later ones.
        """),
    ],
    exercise: Exercise(
      task: """
        When Graph refuses the token, this app asks MSAL for another one, and leaves out the claims. MSAL looks into the cache, \
        finds the same token, good by its date, and returns it. And so they go round, until `maxRuns` makes an end of it. Repair it, \
        so that the claims come along.
        """,
      broken: """
        steps:
          - loadAccount
          - silent
          - interactive-fallback
          - callGraph: /me
            maxRuns: 3
            on: { claimsChallenge: silent }
        """,
      solution: """
        steps:
          - loadAccount
          - silent
          - interactive-fallback
          - callGraph: /me
        """,
      scenarios: """
        scenarios:
          her sessions are revoked:
            given: [signedIn: megan@contoso.com, wait: 10m, sessionsRevoked]
            expect:
              path:
                - loadAccount.found
                - silent.success
                - interactive-fallback.skipped
                - callGraph.claimsChallenge
                - silent.interactionRequired
                - interactive-fallback.success
                - callGraph.success
              interactions: 1
          an ordinary day:
            given: [signedIn: megan@contoso.com, wait: 10m]
            expect:
              path: [loadAccount.found, silent.success, interactive-fallback.skipped, callGraph.success]
              silent.tokenSource: cache
              interactions: 0
        """,
      hints: [
        "The cache gave the refused token again. A jump by `on` carries no claims; what does, without a word from you?",
        "Take the `on` away (and `maxRuns` with it): the detour of `claimsChallenge` asks `silent` again with the claims.",
      ],
      failures: ["her sessions are revoked": "callGraph.exhausted"]))
}
