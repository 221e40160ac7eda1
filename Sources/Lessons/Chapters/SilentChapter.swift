extension Chapter {
  static let silent = Chapter(
    number: 2, name: "silent", title: "Nobody is asked", summary: "the token cache, expiry, and the refresh token",
    workflow: """
      steps:
        - loadAccount
        - silent
        - interactive-fallback

      scenarios:
        a minute later:
          given: [signedIn: megan@contoso.com, wait: 1m]
          expect:
            path: [loadAccount.found, silent.success, interactive-fallback.skipped]
            silent.tokenSource: cache
            requests: { token: 0 }
        two hours later:
          given: [signedIn: megan@contoso.com, wait: 2h]
          expect:
            path: [loadAccount.found, silent.success, interactive-fallback.skipped]
            silent.tokenSource: refreshToken
            requests: { token: 1 }
            interactions: 0
        three months later:
          given: [signedIn: megan@contoso.com, wait: 91d]
          expect:
            path: [loadAccount.found, silent.interactionRequired, interactive-fallback.success]
            silent.error.code: AADSTS700082
            interactions: 1
      """,
    parts: [
      .text(
        """
        `silent` is the step that runs most often in the life of an app: `acquireTokenSilentWithParameters:completionBlock:`. \
        It gives a token without showing anything, or says why it cannot. It has two ways to do so, and tries them in order.

        First the cache. MSAL looks for an access token of this account, this tenant and this app whose scopes hold all that \
        was asked for, and that is good for five more minutes at least. If there is one, nothing leaves the device. Megan signed \
        in a minute ago:
        """),
      .demonstration("a minute later"),
      .text(
        """
        Second the refresh token. Two hours later the access token has ended. MSAL redeems the refresh token at the token \
        endpoint, keeps what comes back, and still nobody sees anything. That took no two hours here: scenarios have a clock \
        of their own.
        """),
      .demonstration("two hours later"),
      .text(
        """
        A refresh token that nobody uses for ninety days is worth nothing any more. Then silence is not enough, and MSAL says \
        `interactionRequired`. Read the code behind it: it tells people why. An app needs only the word.
        """),
      .demonstration("three months later"),
      .text(
        """
        So an app never looks at expiry dates, and never keeps tokens itself. Before each call of an API it asks MSAL silently; \
        nearly always the cache answers, in a millisecond.
        """),
    ],
    exercise: Exercise(
      task: """
        Somebody has read that tokens expire, and wanted to be safe: `forceRefresh` passes the cache over every time. Now each \
        start costs a round trip to the token endpoint, and the app is slow where the network is. Repair it: a minute after \
        the sign-in the cache answers, two hours later the refresh token does.
        """,
      broken: """
        steps:
          - loadAccount
          - silent: { forceRefresh: true }
          - interactive-fallback
          - callGraph: /me
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
          a minute later:
            given: [signedIn: megan@contoso.com, wait: 1m]
            expect:
              path: [loadAccount.found, silent.success, interactive-fallback.skipped, callGraph.success]
              silent.tokenSource: cache
              requests: { token: 0 }
          two hours later:
            given: [signedIn: megan@contoso.com, wait: 2h]
            expect:
              path: [loadAccount.found, silent.success, interactive-fallback.skipped, callGraph.success]
              silent.tokenSource: refreshToken
              requests: { token: 1 }
        """,
      hints: [
        "The path is right. What differs is where the token came from: `silent.tokenSource`.",
        "MSAL finds out by itself when a token has ended. Take `forceRefresh` away.",
      ],
      failures: ["a minute later": "silent.tokenSource"]))
}
