import Diagnostics
import Documents
import TestSupport
import Testing

import WorkflowModel

/// Tests the step types of the workflow language.
@Suite struct StepKindTests {
  @Test func everyFileInStepsDefinesAStepType() throws {
    let files = try ProjectFiles.names(in: "Sources/WorkflowModel/Steps").map { $0.dropLast(6).lowercased() }
    #expect(Set(files) == Set(StepKind.all.map { $0.key.lowercased() }))
  }

  /// The outcomes of each step type with their default targets. An exclamation mark indicates an internal error.
  @Test(arguments: [
    ("loadAccount", "found→next notFound→fallback ambiguousAccount! invalidParameter! unexpected!"),
    ("listAccounts", "found→next notFound→next invalidParameter! unexpected!"),
    (
      "silent",
      "success→next interactionRequired→fallback serverDeclinedScopes serverProtectionPoliciesRequired userCanceled serverInvalidRequestResetPasswordRequired invalidScope! invalidClient! invalidParameter! failedAuthorityValidation! invalidResponse! unhandledResponse! unexpected! invalidRequest! invalidGrant! unauthorizedClient! authorizationFailed! serverError! nonHttpsRedirect! offline timedOut"
    ),
    (
      "interactive",
      "success→next userCanceled interactionRequired serverDeclinedScopes serverProtectionPoliciesRequired workplaceJoinRequired serverInvalidRequestResetPasswordRequired invalidScope! invalidClient! invalidParameter! failedAuthorityValidation! invalidResponse! unhandledResponse! unexpected! invalidRequest! invalidGrant! unauthorizedClient! authorizationFailed! serverError! nonHttpsRedirect! invalidState! interactiveSessionAlreadyRunning! noViewController! insufficientDeviceStrength! mdmEnrollmentCompletedNeedsRetry! offline timedOut"
    ),
    (
      "deviceCode",
      "success→next authorizationDeclined expiredToken interactionRequired serverDeclinedScopes serverProtectionPoliciesRequired userCanceled serverInvalidRequestResetPasswordRequired invalidScope! invalidClient! invalidParameter! failedAuthorityValidation! invalidResponse! unhandledResponse! unexpected! invalidRequest! invalidGrant! unauthorizedClient! authorizationFailed! serverError! nonHttpsRedirect! offline timedOut"
    ),
    (
      "callGraph",
      "success→next claimsChallenge→detour unauthorized forbidden notFound throttled serviceUnavailable otherStatus invalidParameter! offline timedOut"
    ),
    (
      "callAPI",
      "success→next claimsChallenge→detour unauthorized forbidden notFound throttled serviceUnavailable otherStatus invalidParameter! offline timedOut"
    ),
    (
      "signout",
      "success→next notFound→next interactionRequired serverProtectionPoliciesRequired userCanceled serverInvalidRequestResetPasswordRequired invalidScope! invalidClient! invalidParameter! failedAuthorityValidation! invalidResponse! unhandledResponse! unexpected! invalidRequest! invalidGrant! unauthorizedClient! authorizationFailed! serverError! nonHttpsRedirect! invalidState! interactiveSessionAlreadyRunning! noViewController! offline timedOut"
    ),
    ("deviceInfo", "success→next brokerNotAvailable! invalidParameter!"),
    ("assert", "holds→next violated"),
    ("wait", "success→next invalidParameter!"),
    ("simulate", "success→next invalidParameter!"),
    ("use", "success→next"),
    ("parallel", "success→next"),
  ])
  func outcomes(_ key: String, _ table: String) throws {
    let kind = try #require(StepKind.named(key))
    let actual = kind.outcomes.map { outcome in
      outcome.name.rawValue + (outcome.isInternal ? "!" : "")
        + (outcome.standard == .fail ? "" : "→\(outcome.standard.rawValue)")
    }
    #expect(actual.joined(separator: " ") == table + " skipped→next exhausted")
  }

  @Test(arguments: StepKind.all.map(\.key))
  func everyStepTypeHasADescription(_ key: String) throws {
    let kind = try #require(StepKind.named(key))
    #expect(!kind.summary.isEmpty)
    #expect(kind.outcomes.allSatisfy { !$0.summary.isEmpty })
    #expect(Set(kind.outcomes.map(\.name)).count == kind.outcomes.count)
  }

  /// Every outcome of every step type has a target, even in the last step of a workflow.
  @Test(arguments: [
    #""loadAccount""#, #""listAccounts""#, #""silent""#, #""interactive""#, #""interactive-fallback""#,
    #""deviceCode""#,
    #"{"callGraph": "/me"}"#, #"{"callAPI": "https://a.b"}"#, #""signout""#, #""deviceInfo""#, #"{"wait": "1s"}"#,
    #"{"simulate": ["keysRotated"]}"#, #"{"parallel": ["silent", "signout"]}"#, #"{"assert": {"x": 1}}"#,
  ])
  func everyOutcomeHasADefault(_ step: String) throws {
    let flow = try workflow("[\(step), {\"id\": \"last\", \"wait\": \"1s\"}]")
    let transitions = Transitions(flow.steps)
    for outcome in flow.steps[0].outcomes {
      let (to, rule) = transitions.leave(0, outcome: outcome.name)
      switch outcome.standard {
      case .next: #expect(to == .step(1))
      case .fail, .fallback, .detour: #expect(to == .failure)
      }
      #expect(rule.description.hasPrefix("default of "))
    }
  }

  @Test func parallelHasTheOutcomesOfItsMembers() throws {
    let flow = try workflow(#"[{"parallel": ["silent", "signout"]}]"#)
    let names = flow.steps[0].outcomes.map(\.name)
    #expect(names.contains(.interactionRequired))
    #expect(names.contains(.invalidParameter))
    #expect(!names.contains(.notFound))
    #expect(flow.steps[0].outcome(named: .interactionRequired)?.standard == .fail)
  }
}
