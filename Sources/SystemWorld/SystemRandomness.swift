import Effects

/// The cryptographic random number generator of the system (`getrandom`, `arc4random`).
package struct SystemRandomness: Randomness {
  package init() {}

  package func bytes(_ count: Int) -> [UInt8] {
    var generator = SystemRandomNumberGenerator()
    return [UInt8](unsafeUninitializedCapacity: max(count, 0)) { buffer, filled in
      // Each call to the generator returns eight bytes.
      while filled < count {
        let drawn = generator.next()
        for shift in stride(from: 0, to: 64, by: 8) where filled < count {
          buffer.initializeElement(at: filled, to: UInt8(truncatingIfNeeded: drawn >> UInt64(shift)))
          filled += 1
        }
      }
    }
  }
}
