import Documents
import OrderedCollections
import Synchronization

/// Parts of accepted inputs by key. A part can usually replace another part with the same key: a step can replace a
/// step, and a matcher can replace a matcher.
final class TreePool: Sendable {
  static let shared = TreePool()

  private struct State {
    /// The label of a list element is the label of the list, followed by `[]`.
    var values: [String: [JSON]] = [:]
    /// The names of members by the label of their mapping.
    var names: [String: [String]] = [:]
    /// The number of added values, so that each new value replaces the oldest one.
    var count = 0
  }

  private static let mostPerLabel = 64
  /// Larger parts would make inputs too large.
  private static let largestPart = 60
  private let state = Mutex(State())

  func add(_ tree: JSON) { state.withLock { _ = Self.add(tree, "", &$0) } }

  /// - Returns: The number of values in the part.
  private static func add(_ json: JSON, _ label: String, _ state: inout State) -> Int {
    var size = 1
    switch json {
    case .array(let elements): for element in elements { size += add(element, "\(label)[]", &state) }
    case .object(let members):
      for (name, value) in members {
        size += add(value, name, &state)
        keep(name, in: &state.names[label, default: []], state.count)
      }
    default: break
    }
    if size <= largestPart { keep(json, in: &state.values[label, default: []], state.count) }
    state.count += 1
    return size
  }

  private static func keep<Value: Equatable>(_ value: Value, in values: inout [Value], _ turn: Int) {
    guard !values.contains(value) else { return }
    if values.count < mostPerLabel { values.append(value) } else { values[turn % mostPerLabel] = value }
  }

  func value(at label: String, _ random: inout MutationRandom) -> JSON? {
    state.withLock { $0.values[label] }.flatMap { random.element(of: $0) }
  }

  /// Returns a random value.
  func anyValue(_ random: inout MutationRandom) -> JSON? {
    // Sort the labels, so that the same seed results in the same mutation.
    let label = state.withLock { $0.values.keys.sorted() }
    return random.element(of: label).flatMap { value(at: $0, &random) }
  }

  func name(at label: String, _ random: inout MutationRandom) -> String? {
    state.withLock { $0.names[label] }.flatMap { random.element(of: $0) }
  }
}

/// Generates random numbers from a libFuzzer seed (SplitMix64).
struct MutationRandom {
  private var state: UInt64

  init(seed: UInt32) { state = UInt64(seed) }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
    return mixed ^ mixed >> 31
  }

  /// Returns a number from 0 up to, but not including, `bound`, which must be positive.
  mutating func below(_ bound: Int) -> Int { Int(next() % UInt64(bound)) }

  mutating func isOne(in count: Int) -> Bool { below(count) == 0 }

  mutating func element<Element>(of elements: [Element]) -> Element? {
    elements.isEmpty ? nil : elements[below(elements.count)]
  }
}
