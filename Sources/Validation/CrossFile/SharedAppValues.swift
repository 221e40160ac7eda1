import Diagnostics
import Documents

/// A value that several files of an app should agree on.
struct SharedAppValue: Sendable {
  var value: String
  /// The place of the value; nil if it was passed on the command line.
  var place: FileSpan?
}

/// Values of one kind, indexed so that the time of a comparison does not depend on their number.
struct SharedAppValues: Sendable {
  private(set) var all: [SharedAppValue]
  let names: Set<String>
  private let byFoldedName: [String: SharedAppValue]
  private let sortedNames: [String]

  init(_ all: [SharedAppValue]) {
    self.all = all
    names = Set(all.map(\.value))
    byFoldedName = Dictionary(all.map { ($0.value.lowercased(), $0) }) { first, _ in first }
    sortedNames = names.sorted()
  }

  var first: SharedAppValue? { all.first }

  /// The value that equals a name without regard to case.
  func ignoringCase(_ name: String) -> SharedAppValue? { byFoldedName[name.lowercased()] }

  /// Whether one of the values starts with a text.
  func containsName(withPrefix text: String) -> Bool {
    var (low, high) = (0, sortedNames.count)
    while low < high {
      let middle = (low + high) / 2
      if sortedNames[middle] < text { low = middle + 1 } else { high = middle }
    }
    return low < sortedNames.count && sortedNames[low].hasPrefix(text)
  }

  func adding(_ value: SharedAppValue?) -> SharedAppValues { value.map { SharedAppValues(all + [$0]) } ?? self }
}
