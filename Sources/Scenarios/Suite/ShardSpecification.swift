import Effects
import Reports

/// Parses the shard of a suite from an option or a CI system.
package enum ShardSpecification {
  package enum Mistake: Error, Hashable, Sendable {
    /// The text is not `I/N`.
    case unreadable(String)
    /// The index is not between 1 and N.
    case outside(index: Int, total: Int)
    /// A variable is missing or is not a number.
    case variables(String)

    package var message: String {
      switch self {
      case .unreadable(let text): "`\(text)` is not a shard such as `2/3`"
      case .outside(let index, let total): "shard \(index) is not between 1 and \(total)"
      case .variables(let words): words
      }
    }
  }

  /// Parses `2/3`.
  package static func parse(_ text: String) throws(Mistake) -> SuiteResult.Shard {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, let index = Int(parts[0]), let total = Int(parts[1]) else { throw .unreadable(text) }
    return try shard(index, of: total)
  }

  /// Reads `AUTHFLOW_SHARD`, which a job matrix can set to a value such as `2/3`, or GitLab's `CI_NODE_INDEX`, which
  /// counts from 1, and `CI_NODE_TOTAL`.
  /// - Returns: The shard and the name of the variable, or nil if the suite is not sharded.
  package static func found(in environment: Environment) throws(Mistake) -> (shard: SuiteResult.Shard, source: String)?
  {
    if let text = environment["AUTHFLOW_SHARD"] { return (try parse(text), "AUTHFLOW_SHARD") }
    guard let total = environment["CI_NODE_TOTAL"] else { return nil }
    guard let total = Int(total), total > 0 else {
      throw .variables("CI_NODE_TOTAL is `\(total)`, not a number")
    }
    // For jobs without `parallel`, GitLab sets a total of 1 and no index.
    guard total > 1 else { return nil }
    guard let text = environment["CI_NODE_INDEX"], let index = Int(text) else {
      throw .variables("CI_NODE_TOTAL is \(total), and CI_NODE_INDEX is missing")
    }
    return (try shard(index, of: total), "CI_NODE_INDEX")
  }

  private static func shard(_ index: Int, of total: Int) throws(Mistake) -> SuiteResult.Shard {
    guard total > 0, (1...total).contains(index) else { throw .outside(index: index, total: total) }
    return SuiteResult.Shard(index: index, total: total)
  }
}
