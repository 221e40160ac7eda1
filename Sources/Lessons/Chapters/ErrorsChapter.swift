extension Chapter {
  static let errors = Chapter(
    number: 5, name: "errors", title: "When silence is not enough",
    summary: "what interactionRequired means, and suberrors",
    workflow: """
      steps:
        - loadAccount
        - silent
        - interactive-fallback

      scenarios:
        the password was changed:
          given: [signedIn: megan@contoso.com, wait: 2d, passwordChanged]
          expect:
            path: [loadAccount.found, silent.interactionRequired, interactive-fallback.success]
            silent.error.code: AADSTS50173
            silent.error.suberror: bad_token
        consent was taken back:
          given: [signedIn: megan@contoso.com, wait: 2h, consentRevoked]
          expect:
            path: [loadAccount.found, silent.interactionRequired, interactive-fallback.success]
            silent.error.code: AADSTS65001
            silent.error.suberror: consent_required
        the account is disabled:
          given: [signedIn: megan@contoso.com, wait: 2h, userDisabled]
          expect:
            outcome: userCanceled
            path: [loadAccount.found, silent.interactionRequired, interactive-fallback.userCanceled]
            silent.error.code: AADSTS50057
      """,
    parts: [
      .text(
        """
        Of all errors of MSAL one is worth more attention than the others: `interactionRequired`, -50002. It does not say that \
        something broke. It says: only the user can go on from here. The answer is always the same: show the sign-in page, \
        once, with the same scopes and the same account.

        Why it came stands beside it, on three levels. The OAuth error, `invalid_grant` or `interaction_required`. The \
        suberror, which sorts the reasons: `bad_token` (this refresh token is finished), `consent_required`, `basic_action` \
        (the page has something to ask). And the code of the service, AADSTS and a number, for people and logs. Megan has \
        changed her password:
        """),
      .demonstration("the password was changed"),
      .text(
        """
        `bad_token`: MSAL has thrown that refresh token away. In the next run the token itself is fine, but Megan has taken her \
        consent back. Another code, another suberror, the same way.
        """),
      .demonstration("consent was taken back"),
      .text(
        """
        Sometimes the page cannot help either. It then explains itself to the user, who closes it. For the app that is \
        `userCanceled`; the code of the page goes into the log.
        """),
      .demonstration("the account is disabled"),
      .text(
        """
        Never decide by the number. `authflow explain AADSTS50173` tells what one means; an app decides by the error's name, and by \
        the suberror at most. Paste any error of MSAL into `authflow explain -` and it is taken apart.
        """),
    ],
    exercise: Exercise(
      task: """
        This app takes `interactionRequired` for a failure and gives up: "Something went wrong", says the screen. And it would take \
        a closed window for a failure as well. Repair both. A changed password leads to the sign-in page; a user who closes it \
        ends the workflow in peace, with success; and a missing network stays an error, since no page would help.
        """,
      broken: """
        steps:
          - loadAccount
          - silent:
            on: { interactionRequired: fail }
          - interactive-fallback
          - callGraph: /me
        """,
      solution: """
        steps:
          - loadAccount
          - silent
          - interactive-fallback:
            on: { userCanceled: end }
          - callGraph: /me
        """,
      scenarios: """
        scenarios:
          the password was changed:
            given: [signedIn: megan@contoso.com, wait: 2d, passwordChanged]
            expect:
              path: [loadAccount.found, silent.interactionRequired, interactive-fallback.success, callGraph.success]
              interactions: 1
          she closes the window:
            given: [signedIn: megan@contoso.com, wait: 2d, passwordChanged]
            user: { cancels: true }
            expect:
              outcome: success
              path: [loadAccount.found, silent.interactionRequired, interactive-fallback.userCanceled]
          no network:
            given: [signedIn: megan@contoso.com, wait: 2h, offline]
            expect:
              outcome: offline
              path: [loadAccount.found, silent.offline]
        """,
      hints: [
        "One line says that `interactionRequired` is a failure. What does `silent` do where nothing is said?",
        "Take the `on` away from `silent`, and write `on: { userCanceled: end }` at `interactive-fallback`.",
      ],
      failures: ["the password was changed": "silent.interactionRequired", "she closes the window": "outcome"]))
}
