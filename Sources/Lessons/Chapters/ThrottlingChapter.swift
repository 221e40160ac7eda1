extension Chapter {
  static let throttling = Chapter(
    number: 8, name: "throttling", title: "Busy, down, gone", summary: "Retry-After, outages, and no network",
    workflow: """
      steps:
        - loadAccount
        - silent
        - interactive-fallback
        - callGraph: /me

      scenarios:
        Graph is busy:
          given: [signedIn: megan@contoso.com, fault: { at: graph, response: { status: 429, retryAfter: 10s }, times: 2 }]
          expect:
            path: [loadAccount.found, silent.success, interactive-fallback.skipped, callGraph.success]
            requests: { graph: 3 }
        the token endpoint is busy:
          given:
            - signedIn: megan@contoso.com
            - wait: 2h
            - fault: { at: token, response: { status: 429, retryAfter: 30s }, times: always }
          expect:
            outcome: unhandledResponse
            path: [loadAccount.found, silent.unhandledResponse]
            silent.error.httpStatus: 429
        no network:
          given: [signedIn: megan@contoso.com, wait: 2h, offline]
          expect:
            outcome: offline
            path: [loadAccount.found, silent.offline]
      """,
    parts: [
      .text(
        """
        Services have bad moments. They say so in the language of HTTP: 429, too many requests; 503, come back later; and often \
        `Retry-After`, how much later. Whoever waits that long is served. Whoever asks at once makes it worse.

        The call of an API is yours to repeat. `callGraph` does what Graph's own libraries do: three more tries, and it waits as \
        long as it is told.
        """),
      .demonstration("Graph is busy"),
      .text(
        """
        At the token endpoint MSAL keeps watch itself. A 5xx it tries once more, after half a second. A 429 it remembers: for as \
        long as Retry-After says, the same silent request gets the same error from MSAL's memory, and nothing is sent. That error \
        is `unhandledResponse`, one of MSAL's internal ones, with the status beside it.
        """),
      .demonstration("the token endpoint is busy"),
      .text(
        """
        And sometimes there is no network. `offline` is not the service's word, it is the device's. An app keeps what it has, says \
        so, and tries again when there is a network.
        """),
      .demonstration("no network"),
      .text(
        """
        In all three cases the sign-in page would be wrong: it belongs to the same service, and needs the same network. Only \
        `interactionRequired` asks for the user.
        """),
    ],
    exercise: Exercise(
      task: """
        This app is impatient twice. Any trouble of the silent call sends the user to the sign-in page, also when it is the \
        service that is down. And a Graph that is busy for a moment is given up at once. Repair both: wait where waiting helps, \
        ask where asking helps, and tell the truth in all other cases.
        """,
      broken: """
        steps:
          - loadAccount
          - silent:
            on: { error: signInAgain }
          - id: signInAgain
            interactive-fallback: {}
          - callGraph: /me
            retry: none
        """,
      solution: """
        steps:
          - loadAccount
          - silent
          - id: signInAgain
            interactive-fallback: {}
          - callGraph: /me
        """,
      scenarios: """
        scenarios:
          Graph is busy for a moment:
            given: [signedIn: megan@contoso.com, fault: { at: graph, response: { status: 429, retryAfter: 10s }, times: 2 }]
            expect:
              path: [loadAccount.found, silent.success, signInAgain.skipped, callGraph.success]
              requests: { graph: 3 }
          the token endpoint is down:
            given: [signedIn: megan@contoso.com, wait: 2h, fault: { at: token, response: { status: 503 }, times: always }]
            expect:
              outcome: unhandledResponse
              path: [loadAccount.found, silent.unhandledResponse]
              interactions: 0
          Graph is busy for good:
            given: [signedIn: megan@contoso.com, fault: { at: graph, response: { status: 429, retryAfter: 10s }, times: always }]
            expect:
              outcome: throttled
              path: [loadAccount.found, silent.success, signInAgain.skipped, callGraph.throttled]
              requests: { graph: 4 }
        """,
      hints: [
        "Two lines say more than the language's own defaults, and both say it wrong.",
        "Take `retry: none` away, and the `on` of `silent`: only `interactionRequired` falls back by itself.",
      ],
      failures: [
        "Graph is busy for a moment": "callGraph.throttled", "the token endpoint is down": "interactions",
        "Graph is busy for good": "requests.graph",
      ]))
}
