extension Chapter {
  static let interactive = Chapter(
    number: 3, name: "interactive", title: "The sign-in page", summary: "showing it, and only when it is needed",
    workflow: """
      steps:
        - loadAccount
        - silent
        - interactive-fallback
        - callGraph: /me

      scenarios:
        the page:
          expect:
            path: [loadAccount.notFound, interactive-fallback.success, callGraph.success]
            interactive-fallback.screens: [username, password, consent]
            interactive-fallback.tokenSource: authorizationCode
        the browser knows her:
          given: [signedIn: megan@contoso.com, signedOut, wait: 12h]
          expect:
            path: [loadAccount.notFound, interactive-fallback.success, callGraph.success]
            interactive-fallback.screens: []
        she closes the window:
          user: { cancels: true }
          expect:
            outcome: userCanceled
            path: [loadAccount.notFound, interactive-fallback.userCanceled]
      """,
    parts: [
      .text(
        """
        When silence is not enough, the user is asked: `acquireTokenWithParameters:completionBlock:`, here the step \
        `interactive`. MSAL opens the service's own page in a browser; the app never sees a password. The page leads back to \
        the app's redirect URI with a code, and MSAL exchanges it for tokens. Only who began can do that: the request carried \
        the hash of a secret (PKCE), and the exchange shows the secret.
        """),
      .demonstration("the page"),
      .text(
        """
        `interactive-fallback` is the same step with a condition: it runs only where an earlier step fell back on it. \
        `loadAccount` does so with `notFound`, `silent` with `interactionRequired`. Everywhere else it is skipped.

        The page belongs to the service, and the browser remembers too. Megan signed out of the app yesterday, but not of the \
        browser, so the page opens and closes by itself:
        """),
      .demonstration("the browser knows her"),
      .text(
        """
        And people change their minds. Whoever closes the window gives `userCanceled`. That is an answer, not a breakdown: an app \
        stays as it was, and does not open the page again by itself.
        """),
      .demonstration("she closes the window"),
    ],
    exercise: Exercise(
      task: """
        This app shows the sign-in page every single day, with `prompt: login` on top, so that even the browser's memory does \
        not help. Repair it: the page comes on the first run, and never again while the tokens last.
        """,
      broken: """
        steps:
          - loadAccount
          - silent
          - interactive: { prompt: login }
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
          first run:
            expect:
              path: [loadAccount.notFound, interactive-fallback.success, callGraph.success]
              interactions: 1
          every day after it:
            given: [signedIn: megan@contoso.com, wait: 1d]
            expect:
              path: [loadAccount.found, silent.success, interactive-fallback.skipped, callGraph.success]
              interactions: 0
          the browser knows her:
            given: [signedIn: megan@contoso.com, signedOut, wait: 12h]
            expect:
              path: [loadAccount.notFound, interactive-fallback.success, callGraph.success]
              interactive-fallback.screens: []
        """,
      hints: [
        "A step without a condition runs every time. Which form of `interactive` has one?",
        "Write `- interactive-fallback`, without `prompt`: then the service asks for as little as it needs.",
      ],
      failures: ["every day after it": "interactions"]))
}
