import DeclaredFields
import Diagnostics

/// A value that several files of an app should agree on.
struct AppFact: Sendable {
  var value: String
  /// Where it is written; nil where it was given on the command line.
  var place: FileSpan?
}

/// Values of one kind, indexed so that comparing a file with them does not depend on their number.
struct AppFacts: Sendable {
  private(set) var all: [AppFact]
  let names: Set<String>
  private let byFoldedName: [String: AppFact]
  private let sortedNames: [String]

  init(_ all: [AppFact]) {
    self.all = all
    names = Set(all.map(\.value))
    byFoldedName = Dictionary(all.map { ($0.value.lowercased(), $0) }) { first, _ in first }
    sortedNames = names.sorted()
  }

  var first: AppFact? { all.first }

  /// The fact that has the name, compared without regard to case.
  func like(_ name: String) -> AppFact? { byFoldedName[name.lowercased()] }

  /// Whether one of the names begins with a text.
  func holdsName(beginningWith text: String) -> Bool {
    var (low, high) = (0, sortedNames.count)
    while low < high {
      let middle = (low + high) / 2
      if sortedNames[middle] < text { low = middle + 1 } else { high = middle }
    }
    return low < sortedNames.count && sortedNames[low].hasPrefix(text)
  }

  func adding(_ fact: AppFact?) -> AppFacts { fact.map { AppFacts(all + [$0]) } ?? self }
}
