import AppRegistration
import Diagnostics
import Documents
import Effects
import HTTPTypes
import IdentityPlatform
import OrderedCollections
import Synchronization

/// The faults and request counts at the start of a run, for comparison with the end of the run.
final class PlatformBaseline: Sendable {
  private let state = Mutex<(faults: [FileSpan], before: [String: Int])>(([], [:]))

  /// Adds the location of a fault. The platform lists its faults in the order of these locations.
  func fault(at place: FileSpan) { state.withLock { $0.faults.append(place) } }

  var faults: [FileSpan] { state.withLock { $0.faults } }

  /// Excludes all previous requests from the counts.
  func start(at counts: [String: Int]) { leaveOut(counts) }

  /// Excludes requests from the counts.
  func leaveOut(_ counts: [String: Int]) {
    state.withLock { $0.before.merge(counts) { $0 + $1 } }
  }

  /// Returns the counts since the start.
  func since(_ counts: [String: Int]) -> [String: Int] {
    let before = state.withLock { $0.before }
    return counts.reduce(into: [:]) { $0[$1.key] = $1.value - before[$1.key, default: 0] }
  }
}

extension StepPerformer {
  /// Returns the platform's state, or nil if there is no control interface.
  func platformState() async -> JSON? {
    guard setup.hasControl, let host = apps.values.first?.settings.authority.environment else { return nil }
    return await PlatformDirectory.response("state", of: host) { try? await setup.world.http.send($0) }
  }

  /// Returns the platform's directory, or nil if there is no control interface.
  func platformDirectory() async -> JSON? {
    guard setup.hasControl, let host = apps.values.first?.settings.authority.environment else { return nil }
    return await PlatformDirectory.json(of: host) { try? await setup.world.http.send($0) }
  }

  /// Returns the faults that no request triggered.
  func unmetFaults(reportedBy platform: JSON?) -> [FileSpan] {
    let faults = platform?["faults"]?.array ?? []
    return zip(baseline.faults, faults.suffix(baseline.faults.count)).filter { $0.1["fired"]?.integer == 0 }.map(\.0)
  }
}
