import AppRegistration
import Diagnostics
import Documents
import Effects
import HTTPTypes
import IdentityPlatform
import OrderedCollections
import Synchronization

/// What happened to the platform in a run, to be compared with what the platform tells at its end.
final class PlatformBaseline: Sendable {
  private let state = Mutex<(faults: [FileSpan], before: [String: Int])>(([], [:]))

  /// A fault was laid; the platform keeps them in this order.
  func fault(at place: FileSpan) { state.withLock { $0.faults.append(place) } }

  var faults: [FileSpan] { state.withLock { $0.faults } }

  /// The run begins: so much was counted since what is left out already.
  func start(at counts: [String: Int]) { leaveOut(counts) }

  /// Of what is counted from now on, so much is none of the run's.
  func leaveOut(_ counts: [String: Int]) {
    state.withLock { $0.before.merge(counts) { $0 + $1 } }
  }

  /// What was counted since the start.
  func since(_ counts: [String: Int]) -> [String: Int] {
    let before = state.withLock { $0.before }
    return counts.reduce(into: [:]) { $0[$1.key] = $1.value - before[$1.key, default: 0] }
  }
}

extension StepPerformer {
  /// What the platform tells of itself; nil where it has no control interface.
  func platformState() async -> JSON? {
    guard setup.hasControl, let host = apps.values.first?.settings.authority.environment,
      let request = RequestMessage(url: "https://\(host)/_authflow/state"),
      let response = try? await setup.world.http.send(request), response.head.status.code == 200
    else { return nil }
    return try? JSON(parsing: response.body)
  }

  /// The faults that nothing ran into.
  func unmetFaults(toldBy platform: JSON?) -> [FileSpan] {
    let told = platform?["faults"]?.array ?? []
    return zip(chronicle.faults, told.suffix(chronicle.faults.count)).filter { $0.1["fired"]?.integer == 0 }.map(\.0)
  }
}
