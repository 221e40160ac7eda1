extension Chapter {
  static let conditionalAccess = Chapter(
    number: 6, name: "rules", title: "Rules of the organization", summary: "conditional access and the second factor",
    workflow: """
      steps:
        - loadAccount
        - silent
        - interactive-fallback
        - callGraph: /me

      scenarios:
        a second factor from now on:
          given: [signedIn: megan@contoso.com, wait: 2h, policyAdded: { name: Everybody, require: mfa }]
          user: { mfa: approve }
          expect:
            path: [loadAccount.found, silent.interactionRequired, interactive-fallback.success, callGraph.success]
            interactive-fallback.screens: { contains: mfa }
        she denies it:
          given: [signedIn: megan@contoso.com, wait: 2h, policyAdded: { name: Everybody, require: mfa }]
          user: { mfa: deny }
          expect:
            outcome: userCanceled
            path: [loadAccount.found, silent.interactionRequired, interactive-fallback.userCanceled]
            interactive-fallback.error.code: AADSTS500121
        only managed devices:
          given: [signedIn: megan@contoso.com, wait: 2h, policyAdded: { name: Managed, require: compliantDevice }]
          expect:
            outcome: userCanceled
            path: [loadAccount.found, silent.interactionRequired, interactive-fallback.userCanceled]
            interactive-fallback.error.code: AADSTS53000
      """,
    parts: [
      .text(
        """
        An organization has rules of its own for who gets in, from where, on which device: conditional access. An administrator \
        may change them at any hour, and no app is told. What the app sees is a refresh token that worked this morning and is \
        refused in the afternoon, with `interactionRequired` and the suberror `basic_action`: the page has something to ask.

        From now on everybody needs a second factor. The app has not changed a line:
        """),
      .demonstration("a second factor from now on"),
      .text(
        """
        That is why the fallback pattern is worth so much: the service asks on its page for whatever the rules want, today's and \
        next year's. The app need not know them. The user may still deny it:
        """),
      .demonstration("she denies it"),
      .text(
        """
        Some rules no page can satisfy. If only managed devices get in, the page says so, and all that is left is to close it. \
        Do not try again in a loop; tell the user, and keep the code for the people who can help.
        """),
      .demonstration("only managed devices"),
    ],
    exercise: Exercise(
      task: """
        "No pop-ups!", somebody said, and so this app asks with `prompt: never`. The service then may not show anything; it cannot \
        ask for a second factor, and answers `interactionRequired` once more. Repair it: where a rule asks for more, the user \
        gets to see it, and may approve or deny.
        """,
      broken: """
        steps:
          - loadAccount
          - silent
          - interactive-fallback: { prompt: never }
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
          a second factor from now on:
            given: [signedIn: megan@contoso.com, wait: 2h, policyAdded: { name: Everybody, require: mfa }]
            user: { mfa: approve }
            expect:
              path: [loadAccount.found, silent.interactionRequired, interactive-fallback.success, callGraph.success]
              interactive-fallback.screens: { contains: mfa }
              interactions: 1
          she denies it:
            given: [signedIn: megan@contoso.com, wait: 2h, policyAdded: { name: Everybody, require: mfa }]
            user: { mfa: deny }
            expect:
              outcome: userCanceled
              path: [loadAccount.found, silent.interactionRequired, interactive-fallback.userCanceled]
          the rule does not concern her:
            given: [signedIn: megan@contoso.com, wait: 2h]
            expect:
              path: [loadAccount.found, silent.success, interactive-fallback.skipped, callGraph.success]
              interactions: 0
        """,
      hints: [
        "`interactive-fallback` came out as `interactionRequired`: the service was not allowed to show its page. Who forbade it?",
        "Take `prompt: never` away.",
      ],
      failures: [
        "a second factor from now on": "interactive-fallback.interactionRequired",
        "she denies it": "interactive-fallback.interactionRequired",
      ]))
}
