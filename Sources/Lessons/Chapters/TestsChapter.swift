extension Chapter {
  static let tests = Chapter(
    number: 11, name: "tests", title: "Tests without a tenant", summary: "scenarios, and all of it once more",
    workflow: """
      steps:
        - loadAccount
        - silent
        - interactive-fallback
        - callGraph: /me

      scenarios:
        a bad day:
          given:
            - signedIn: megan@contoso.com
            - wait: 2d
            - passwordChanged
            - fault: { at: graph, response: { status: 503 }, times: 1 }
          before: { interactive-fallback: [policyAdded: { name: Everybody, require: mfa }] }
          user: { mfa: approve }
          expect:
            path: [loadAccount.found, silent.interactionRequired, interactive-fallback.success, callGraph.success]
            interactive-fallback.screens: { contains: mfa }
            requests: { graph: 2 }
            interactions: 1
      """,
    parts: [
      .text(
        """
        Everything that you have watched was a scenario: what was so before the first step, who sits there, and what must then \
        happen. That is all that a test of a sign-in needs, and it needs no tenant, no test account and no luck. Two days pass, a \
        password changes, a rule is added while the page is about to open, Graph stumbles; and every time it goes the same way.
        """),
      .demonstration("a bad day"),
      .text(
        """
        `authflow test` runs all scenarios of a folder, for a build as for you. `authflow explore` walks every outcome of every step, \
        finds what nobody handles, and writes the scenario that forces it. `authflow explain` tells a whole workflow as a lesson. And \
        `authflow explain silent --code kotlin` shows a step in the code of an app.

        An app's own tests can do the same: the library AuthflowTesting holds the platform in the test's process, and \
        `authflow emulator` serves it to any client.
        """),
    ],
    exercise: Exercise(
      task: """
        The last one has it all: Megan's name is wired in, the cache is passed over, `interactionRequired` ends in silence, Graph gets \
        no second chance, and at the end the app signs people out whom nobody asked. Today Alex sits there. Repair it with what you \
        know.
        """,
      broken: """
        steps:
          - loadAccount: { username: megan@contoso.com }
          - silent: { forceRefresh: true }
            on: { interactionRequired: end }
          - interactive-fallback
          - callGraph: /me
            retry: none
          - signout
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
          an ordinary morning:
            given: [signedIn: alex@contoso.com, wait: 10m]
            user: alex@contoso.com
            expect:
              path: [loadAccount.found, silent.success, interactive-fallback.skipped, callGraph.success]
              requests: { token: 0 }
              accounts: 1
          the day after the password changed:
            given: [signedIn: alex@contoso.com, wait: 2d, passwordChanged]
            user: alex@contoso.com
            expect:
              path: [loadAccount.found, silent.interactionRequired, interactive-fallback.success, callGraph.success]
              interactions: 1
              accounts: 1
          Graph takes a breath:
            given: [signedIn: alex@contoso.com, wait: 10m, fault: { at: graph, response: { status: 503 }, times: 1 }]
            user: alex@contoso.com
            expect:
              path: [loadAccount.found, silent.success, interactive-fallback.skipped, callGraph.success]
              requests: { graph: 2 }
        """,
      hints: [
        "Take one scenario at a time, and begin where its two paths part. Chapters 1, 2, 5 and 8 had each of these.",
        "Five things go: the `username`, `forceRefresh`, the `on` of `silent`, `retry: none`, and `signout`.",
      ],
      failures: [
        "an ordinary morning": "loadAccount.notFound", "the day after the password changed": "loadAccount.notFound",
        "Graph takes a breath": "callGraph.serviceUnavailable",
      ]))
}
