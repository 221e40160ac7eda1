import MicrosoftGraph
import PublicClient
import WorkflowModel

extension OutcomeName {
  /// The outcome of a step that fails with this error.
  init(_ error: MSALError) { self = OutcomeName(rawValue: error.outcomeName) ?? .unexpected }

  /// The outcome of a call with this result.
  init(_ outcome: APICallResult.Outcome) {
    self =
      switch outcome {
      case .success: .success
      case .claimsChallenge: .claimsChallenge
      case .unauthorized: .unauthorized
      case .forbidden: .forbidden
      case .notFound: .notFound
      case .throttled: .throttled
      case .serviceUnavailable: .serviceUnavailable
      case .otherStatus: .otherStatus
      case .offline: .offline
      case .timedOut: .timedOut
      }
  }
}
