extension Chapter {
  static let scopes = Chapter(
    number: 4, name: "scopes", title: "Calling Graph", summary: "scopes, consent, and asking when it is needed",
    workflow: """
      steps:
        - id: signIn
          interactive: { scopes: [User.Read] }
        - id: hello
          callGraph: /me
        - id: openCalendar
          silent: { scopes: [Calendars.Read] }
        - id: askForCalendar
          interactive-fallback: {}
        - id: calendar
          callGraph: /me/events

      scenarios:
        consent in two steps:
          expect:
            path:
              - signIn.success
              - hello.success
              - openCalendar.interactionRequired
              - askForCalendar.success
              - calendar.success
            openCalendar.error.code: AADSTS65001
            askForCalendar.screens: [consent]
        she declines:
          user: [{}, { consent: decline }]
          expect:
            outcome: userCanceled
            path: [signIn.success, hello.success, openCalendar.interactionRequired, askForCalendar.userCanceled]
      """,
    parts: [
      .text(
        """
        An access token is a key to some doors. Which ones, its scopes say: `User.Read` opens the user's own profile in \
        Microsoft Graph, `Calendars.Read` the calendar. An app asks for scopes, the user (or an administrator) consents, and \
        the API looks whether the token holds what the call needs. If it does not, the answer is 403: `forbidden`.

        It is good manners to ask for a permission when it is needed, not before. The app below says hello with `User.Read` \
        alone, and asks for the calendar when somebody opens it.
        """),
      .workflow,
      .demonstration("consent in two steps"),
      .text(
        """
        `silent` could not get what nobody had consented to: AADSTS65001, `interactionRequired`. So the page came, and showed \
        only the consent for the new permission. What is granted stays granted; from now on the silent call brings it.

        Saying no is always possible. MSAL then gives `userCanceled`. Somebody may also grant a part of what was asked for; that \
        is `serverDeclinedScopes`, with both lists in the error, and the tokens for the granted part are kept.
        """),
      .demonstration("she declines"),
      .text(
        """
        Two rules of thumb. Never ask for `openid`, `profile` or `offline_access`: MSAL adds them by itself. And do not \
        read access tokens: they are written for the API, not for you.
        """),
    ],
    exercise: Exercise(
      task: """
        This app signs in with `User.Read` and then opens the calendar with the same token. Graph answers 403, `forbidden`, and \
        no retry will ever change that. Repair it: ask for `Calendars.Read` when the calendar is opened, silently first. Whoever \
        has consented before sees no page, and whoever declines has at least been greeted.
        """,
      broken: """
        steps:
          - loadAccount
          - silent: { scopes: [User.Read] }
          - interactive-fallback
          - id: hello
            callGraph: /me
          - id: calendar
            callGraph: /me/events
        """,
      solution: """
        steps:
          - loadAccount
          - silent: { scopes: [User.Read] }
          - interactive-fallback
          - id: hello
            callGraph: /me
          - id: openCalendar
            silent: { scopes: [Calendars.Read] }
          - id: askForCalendar
            interactive-fallback: {}
          - id: calendar
            callGraph: /me/events
        """,
      scenarios: """
        scenarios:
          she opens the calendar for the first time:
            given: [signedIn: { user: megan@contoso.com, scopes: [User.Read] }]
            expect:
              path: [loadAccount.found, silent.success, interactive-fallback.skipped, hello.success, ..., calendar.success]
              interactions: 1
          she has opened it before:
            given: [signedIn: { user: megan@contoso.com, scopes: [User.Read, Calendars.Read] }]
            expect:
              path: [loadAccount.found, silent.success, interactive-fallback.skipped, hello.success, ..., calendar.success]
              interactions: 0
          she keeps the calendar to herself:
            given: [signedIn: { user: megan@contoso.com, scopes: [User.Read] }]
            user: { consent: decline }
            expect:
              outcome: userCanceled
              path: [loadAccount.found, silent.success, interactive-fallback.skipped, hello.success, ...]
              hello.status: 200
        """,
      hints: [
        "The calendar needs a token of its own. Which two steps of the demonstration got one?",
        "Before `calendar`, add a `silent` with `scopes: [Calendars.Read]` and an `interactive-fallback`, each with an `id`.",
      ],
      failures: ["she opens the calendar for the first time": "calendar.forbidden"]))
}
