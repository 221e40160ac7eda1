import Handbook
import IdentityEmulator
import IdentityPlatform

extension ErrorExplanation {
  /// Creates the explanation that `authflow explain` prints for a code. Returns nil if the code is not listed.
  init?(code: String) {
    guard case .known(let entries) = Glossary.lookUp(code), let entry = entries.first else { return nil }
    let meaning = [entry.meaning, entry.cause].compactMap { $0 }.joined(separator: " ")
    self.init(meaning: meaning, fix: entry.advice)
  }
}
