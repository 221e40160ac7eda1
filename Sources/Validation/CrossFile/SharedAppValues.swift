import Diagnostics
import Documents

/// A value that must be the same in several of an app's files.
struct SharedAppValue: Sendable {
  var value: String
  /// The location of the value, or nil if it was passed on the command line.
  var place: FileSpan?
}

/// Values of one kind. An index makes the lookup time independent of the number of values.
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

  /// Returns the value that matches the given name, ignoring case.
  func ignoringCase(_ name: String) -> SharedAppValue? { byFoldedName[name.lowercased()] }

  /// Returns whether any value starts with the given text.
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
