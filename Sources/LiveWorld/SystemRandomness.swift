import Effects

/// The system's cryptographic generator (`getrandom`, `arc4random`).
package struct SystemRandomness: Randomness {
  package init() {}

  package func bytes(_ count: Int) -> [UInt8] {
    var generator = SystemRandomNumberGenerator()
    return (0..<max(count, 0)).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
  }
}
