extension Chapter {
  static let adal = Chapter(
    number: 10, name: "adal", title: "From ADAL to MSAL",
    summary: "from names to identifiers, from resources to scopes",
    workflow: """
      inputs:
        upn: { type: string, default: megan@contoso.com }
      steps:
        - id: byName
          loadAccount: { username: "${upn}" }
        - silent
        - id: signIn
          interactive-fallback: { loginHint: "${upn}" }
          capture: { identifier: $.account.identifier }
        - id: renamed
          simulate: [usernameChanged: { to: megan.bowen@contoso.com }]
        - id: refreshed
          silent: { account: "${identifier}", forceRefresh: true }
        - id: byOldName
          loadAccount: { username: "${upn}" }
          on: { notFound: next }
        - id: byIdentifier
          loadAccount: { identifier: "${identifier}" }
          on: { notFound: fail }

      scenarios:
        the first start with MSAL:
          expect:
            path:
              - byName.notFound
              - signIn.success
              - renamed.success
              - refreshed.success
              - byOldName.notFound
              - byIdentifier.found
            signIn.sent.login_hint: megan@contoso.com
            byIdentifier.$.username: megan.bowen@contoso.com
            interactions: 1
      """,
    parts: [
      .text(
        """
        Before MSAL there was ADAL, and many apps still carry its habits. ADAL asked for a token for a resource; MSAL asks for \
        scopes: `https://graph.microsoft.com` with whatever the registration lists became `User.Read`, and whoever wants the old \
        meaning asks for `https://graph.microsoft.com/.default`. ADAL decided by a prompt behavior whether to show a page; \
        with MSAL the app calls silently, and then interactively. And ADAL knew people by their user name.

        Names change. So the move goes like this: at the first start look for the old name, once. Is nobody found, the name is \
        still good as a hint for the page. From the first token on the app keeps the account's identifier, and never the name.
        """),
      .workflow,
      .demonstration("the first start with MSAL"),
      .text(
        """
        Megan's name changed in the middle. The next token from the service brought the new name along; who looked for the old one \
        found nobody, and the identifier found her.

        The settings of an app move as well: `authflow validate` knows those of ADAL and says what became of each, and \
        `authflow validate --fix` rewrites them.
        """),
    ],
    exercise: Exercise(
      task: """
        This app has moved to MSAL and kept an old habit: at its second start it looks for the name that it knew. Meanwhile Megan has \
        another name, nobody is found, and she has to sign in again. Repair the second start. (The steps `renamed` and `refreshed` \
        are the world's; leave them as they are.)
        """,
      broken: """
        inputs:
          upn: { type: string, default: megan@contoso.com }
        steps:
          - id: firstStart
            interactive: { loginHint: "${upn}" }
            capture: { identifier: $.account.identifier }
          - id: renamed
            simulate: [usernameChanged: { to: megan.bowen@contoso.com }]
          - id: refreshed
            silent: { forceRefresh: true }
          - id: secondStart
            loadAccount: { username: "${upn}" }
          - silent
          - interactive-fallback
          - callGraph: /me
        """,
      solution: """
        inputs:
          upn: { type: string, default: megan@contoso.com }
        steps:
          - id: firstStart
            interactive: { loginHint: "${upn}" }
            capture: { identifier: $.account.identifier }
          - id: renamed
            simulate: [usernameChanged: { to: megan.bowen@contoso.com }]
          - id: refreshed
            silent: { forceRefresh: true }
          - id: secondStart
            loadAccount: { identifier: "${identifier}" }
          - silent
          - interactive-fallback
          - callGraph: /me
        """,
      scenarios: """
        scenarios:
          her name changes:
            expect:
              path:
                - firstStart.success
                - renamed.success
                - refreshed.success
                - secondStart.found
                - silent.success
                - interactive-fallback.skipped
                - callGraph.success
              firstStart.sent.login_hint: megan@contoso.com
              callGraph.$.userPrincipalName: megan.bowen@contoso.com
              interactions: 1
        """,
      hints: [
        "`secondStart` came out as `notFound`. What did the first start keep that never changes?",
        #"Write `loadAccount: { identifier: "${identifier}" }` at `secondStart`."#,
      ],
      failures: ["her name changes": "secondStart.notFound"]))
}
