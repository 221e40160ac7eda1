import Directory
import Documents
import Effects
import GraphEmulator
import HTTPTypes

extension ControlRequest {
  static let signIns = ControlRequest(
    method: .get, path: "sign-ins", summary: "list sign-ins whose pages are open in a browser"
  ) { call in call.signIns }

  static let signIn = ControlRequest(
    method: .get, path: "sign-ins/{id}", summary: "show whether a sign-in is waiting, approved, or declined",
    isForSignInPages: true
  ) { call throws(ControlError) in
    guard let signIn = call.platform.withState({ $0.waitingSignIns[call.values[0]] }) else {
      throw call.unknownSignIn
    }
    return ["version": 1, "outcome": .string(signIn.outcome.name)]
  }

  static let resolveSignIn = ControlRequest(
    method: .post, path: "sign-ins/{id}/{approve or decline}",
    summary: "approve or decline a sign-in whose page is open; `approve` accepts `{\"user\": USERNAME}`"
  ) { call throws(ControlError) in
    let outcome: WaitingSignIn.Outcome
    switch call.values[1].lowercased() {
    case "approve":
      let body = try call.optionalBody()
      try call.members(["user"], of: body)
      outcome = .approved(accountID: try call.account(named: body["user"]?.string).user.id.lowercased())
    case "decline": outcome = .declined
    default: throw ControlError("unknown action; the path must end in `approve` or `decline`")
    }
    guard call.platform.withState({ $0.waitingSignIns.decide(call.values[0], outcome) }) else {
      throw call.unknownSignIn
    }
    return call.signIns
  }

  static let addLink = ControlRequest(
    method: .post, path: "links", summary: "create a link that opens the start page in one browser"
  ) { call in
    let link = call.platform.startPageAccess.newLink(call.platform.randomness)
    return ["version": 1, "url": .string(call.exchange.base + link)]
  }
}

extension ControlCall {
  fileprivate var unknownSignIn: ControlError {
    ControlError(
      "unknown sign-in `\(values[0].prefix(60))`; `GET /_authflow/sign-ins` lists all open sign-ins",
      status: .notFound)
  }

  fileprivate var signIns: JSON {
    let now = platform.now
    return platform.withState { state in
      [
        "version": 1,
        "signIns": .array(
          state.waitingSignIns.current(at: now).map { signIn in
            [
              "id": .string(signIn.id), "client": .string(signIn.clientID), "app": .string(signIn.appName),
              "scopes": .string(signIn.scope), "page": signIn.screen.map { .string($0.rawValue) } ?? .null,
              "user": signIn.username.map { .string($0) } ?? .null, "started": .string(signIn.startedAt.rfc3339()),
              "outcome": .string(signIn.outcome.name),
            ]
          }),
      ]
    }
  }
}

extension WaitingSignIn.Outcome {
  fileprivate var name: String {
    switch self {
    case .waiting: "waiting"
    case .approved: "approved"
    case .declined: "declined"
    }
  }
}
