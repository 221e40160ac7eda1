import Documents

/// libFuzzer's own byte mutation (FuzzerInterface.h).
@_silgen_name("LLVMFuzzerMutate")
private func mutateBytes(_ data: UnsafeMutablePointer<UInt8>, _ size: Int, _ most: Int) -> Int

/// Mutates the values of an input. Decoders reject most inputs with mutated bytes.
enum Mutator {
  /// The maximum growth of a string in one mutation, in bytes.
  private static let growth = 32
  /// The maximum number of attempts if mutated trees are too large.
  private static let attempts = 8

  fileprivate static func mutate(_ input: [UInt8], most: Int, seed: UInt32) -> [UInt8] {
    guard let tree = try? JSON(parsing: input) else { return Array("{}".utf8.prefix(most)) }
    for attempt in 0..<UInt32(attempts) {
      var mutation = TreeMutation(seed: seed &+ attempt, pool: .shared) { text in
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: text.count + growth) { buffer in
          guard let start = buffer.baseAddress else { return text }
          _ = buffer.initialize(from: text + Array(repeating: 0, count: growth))
          return Array(buffer.prefix(mutateBytes(start, text.count, text.count + growth)))
        }
      }
      let text = mutation.mutate(tree).utf8(sortedKeys: false)
      if text.count <= most, text != input { return text }
    }
    return input
  }
}

/// libFuzzer calls this function to mutate an input in its buffer. The inputs of `diagnosis` can have any format.
@_cdecl("LLVMFuzzerCustomMutator")
public func mutateInput(_ data: UnsafeMutablePointer<UInt8>, _ size: Int, _ most: Int, _ seed: UInt32) -> Int {
  if CommandLine.arguments.dropFirst().first == "diagnosis" { return mutateBytes(data, size, most) }
  let output = Mutator.mutate(Array(UnsafeBufferPointer(start: data, count: size)), most: most, seed: seed)
  _ = UnsafeMutableBufferPointer(start: data, count: most).update(fromContentsOf: output.prefix(most))
  return min(output.count, most)
}
