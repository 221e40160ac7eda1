/// Functions that match patterns with wildcards, which represent any number of elements.
package enum Wildcards {
  /// Returns whether a pattern matches all elements. The search backtracks only to the last wildcard, so it takes at
  /// most quadratic time.
  /// - Parameters:
  ///   - isAny: A closure that returns whether a part of the pattern matches any number of elements.
  ///   - matchesOne: A closure that returns whether any other part of the pattern matches an element.
  package static func match<Part, Element>(
    _ pattern: [Part], _ elements: [Element], isAny: (Part) -> Bool, matchesOne: (Part, Element) -> Bool
  ) -> Bool {
    var (position, index) = (0, 0)
    var last: (position: Int, index: Int)?
    while index < elements.count {
      if position < pattern.count, isAny(pattern[position]) {
        last = (position, index)
        position += 1
      } else if position < pattern.count, matchesOne(pattern[position], elements[index]) {
        position += 1
        index += 1
      } else if let wildcard = last {
        last = (wildcard.position, wildcard.index + 1)
        position = wildcard.position + 1
        index = wildcard.index + 1
      } else {
        return false
      }
    }
    return pattern[position...].allSatisfy(isAny)
  }

  /// Returns whether a pattern with `*` and `?` matches a string.
  package static func match(_ pattern: some Collection<Unicode.Scalar>, text: some Collection<Unicode.Scalar>) -> Bool {
    match(Array(pattern), Array(text), isAny: { $0 == "*" }, matchesOne: { $0 == "?" || $0 == $1 })
  }
}
