extension Chapter {
  static let account = Chapter(
    number: 1, name: "account", title: "Who is there", summary: "what an account is, and where MSAL keeps it",
    workflow: """
      steps:
        - loadAccount
        - silent
        - interactive-fallback
        - callGraph: /me

      scenarios:
        first run:
          expect:
            path: [loadAccount.notFound, interactive-fallback.success, callGraph.success]
            accounts: 1
        second run:
          given: [signedIn: megan@contoso.com]
          expect:
            path: [loadAccount.found, silent.success, interactive-fallback.skipped, callGraph.success]
            interactions: 0
      """,
    parts: [
      .text(
        """
        Welcome. In a quarter of an hour a chapter you learn how an app signs people in with MSAL, the Microsoft \
        Authentication Library, and what it does when things go wrong. Everything here runs on an identity platform inside \
        this program: no tenant, no secrets, nothing you can break.

        Signing in leaves something behind on the device: an account. MSAL keeps it in a cache, with the tokens that came \
        with it. So an app does not begin with "who are you?". It begins with "who is here?". In a workflow that question is \
        the step `loadAccount`; in an app it is `getCurrentAccountWithParameters:completionBlock:`.

        This is the workflow of the chapter. Four steps, and it is nearly all that most apps ever need.
        """),
      .workflow,
      .text(
        """
        On the first run nobody is here. Watch `loadAccount` come out as `notFound`: that is no mistake, it is the answer. The \
        workflow goes on to the sign-in page, which authflow's simulated user fills in.
        """),
      .demonstration("first run"),
      .text(
        """
        Now the cache holds an account, and three tokens: an access token to call an API with, good for about an hour; a \
        refresh token to get further ones with, good for weeks; and an ID token, which says who signed in. There is no \
        password in it.

        MSAL knows the account by its identifier: the user's object id, a dot, the id of the home tenant. A name may change, \
        the identifier does not. Now the same program, started once more.
        """),
      .demonstration("second run"),
      .text(
        """
        Nobody was asked anything. But look closely: `found` says only that somebody is remembered on this device. Whether the \
        tokens are still good is for the next step to find out, and for the next chapter to tell.
        """),
    ],
    exercise: Exercise(
      task: """
        This app never asks who is here. Its first step wants a token for "the account", there is none that it has loaded, \
        and so Megan sees the sign-in page at every start. Repair it: the first run asks her once, the second not at all.
        """,
      broken: """
        steps:
          - silent
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
          first run:
            expect:
              path: [loadAccount.notFound, interactive-fallback.success, callGraph.success]
              interactions: 1
          second run:
            given: [signedIn: megan@contoso.com]
            expect:
              path: [loadAccount.found, silent.success, interactive-fallback.skipped, callGraph.success]
              interactions: 0
        """,
      hints: [
        "Compare the two paths above: which step is expected first, and which one came?",
        "Somebody has to find the account before `silent` can use it. Add `loadAccount` as the first step.",
      ],
      failures: ["first run": "silent.interactionRequired", "second run": "interactions"]))
}
