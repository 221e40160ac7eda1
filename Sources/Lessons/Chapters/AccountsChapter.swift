extension Chapter {
  static let accounts = Chapter(
    number: 9, name: "accounts", title: "Two people, one app", summary: "several accounts, and signing out",
    workflow: """
      steps:
        - listAccounts
        - id: whichOne
          loadAccount: {}
          on: { ambiguousAccount: next, notFound: end }
        - loadAccount: { username: alex@contoso.com }
        - silent
        - interactive-fallback
        - callGraph: /me
        - signout
        - id: whoIsLeft
          loadAccount: {}
          on: { notFound: end }

      scenarios:
        Megan and Alex:
          given: [signedIn: megan@contoso.com, signedIn: alex@contoso.com]
          expect:
            path:
              - listAccounts.found
              - whichOne.ambiguousAccount
              - loadAccount.found
              - silent.success
              - interactive-fallback.skipped
              - callGraph.success
              - signout.success
              - whoIsLeft.found
            accounts: [megan@contoso.com]
      """,
    parts: [
      .text(
        """
        One device, two people; or one user with two accounts, work and home. MSAL keeps the tokens of each apart, and chooses \
        nobody. Whoever asks for "the" account when there are two gets `ambiguousAccount` (-42102, one of MSAL's internal errors). \
        The app has to say whom it means, by the identifier that it remembered, or ask the user first.
        """),
      .workflow,
      .demonstration("Megan and Alex"),
      .text(
        """
        `signout` forgets one account in this one app: its tokens go, and it is not found any more. It ends nothing at the service. \
        The browser still knows the user, other apps do too, and an access token that somebody has copied stays good until it \
        ends. `signoutFromBrowser` ends the browser's session as well. `wipeAccount` removes the account for all apps of the \
        keychain group, and `wipeCacheForAllAccounts` takes everybody's tokens along.

        That is why Megan is still here at the end: she never signed out.
        """),
    ],
    exercise: Exercise(
      task: """
        Whose turn it is, this app remembered (the input `who`), and then it takes whoever comes first. So Alex reads Megan's \
        profile. When Alex signs out, the app wipes the whole cache, and Megan has to sign in again tomorrow. Repair both: load \
        the one who is meant, and sign out nobody else.
        """,
      broken: """
        inputs:
          who: { type: string, default: alex@contoso.com, description: Whom the app remembered }
        steps:
          - loadAccount: { first: true }
          - silent
          - interactive-fallback
          - callGraph: /me
          - signout: { wipeCacheForAllAccounts: true }
        """,
      solution: """
        inputs:
          who: { type: string, default: alex@contoso.com, description: Whom the app remembered }
        steps:
          - loadAccount: { username: "${who}" }
          - silent
          - interactive-fallback
          - callGraph: /me
          - signout
        """,
      scenarios: """
        scenarios:
          it is Alex's turn:
            given: [signedIn: megan@contoso.com, signedIn: alex@contoso.com]
            expect:
              path: [loadAccount.found, silent.success, interactive-fallback.skipped, callGraph.success, signout.success]
              callGraph.$.userPrincipalName: alex@contoso.com
              accounts: [megan@contoso.com]
          it is Megan's turn:
            given: [signedIn: megan@contoso.com, signedIn: alex@contoso.com]
            inputs: { who: megan@contoso.com }
            expect:
              path: [loadAccount.found, silent.success, interactive-fallback.skipped, callGraph.success, signout.success]
              callGraph.$.userPrincipalName: megan@contoso.com
              accounts: [alex@contoso.com]
        """,
      hints: [
        "The path is right both times; look at who was read, and at who is left.",
        #"Write `loadAccount: { username: "${who}" }`, and a bare `signout`."#,
      ],
      failures: ["it is Alex's turn": "callGraph.$.userPrincipalName", "it is Megan's turn": "accounts"]))
}
