import Documents
import OrderedCollections

/// Changes one value in an input's tree, so that most results still match the schema.
struct TreeMutation {
  private var random: MutationRandom
  private let pool: TreePool
  /// Mutates the bytes of a string like libFuzzer.
  private let mutateBytes: ([UInt8]) -> [UInt8]

  init(seed: UInt32, pool: TreePool, mutateBytes: @escaping ([UInt8]) -> [UInt8]) {
    random = MutationRandom(seed: seed)
    self.pool = pool
    self.mutateBytes = mutateBytes
  }

  /// - Parameter tree: The files by name. The mutation does not add or remove files.
  mutating func mutate(_ tree: JSON) -> JSON {
    guard case .object(var files) = tree else { return tree }
    // Weighted by size, so that each value of the project has the same probability.
    var target = random.below(max(Self.size(tree) - 1, 1))
    for (name, file) in files {
      let size = Self.size(file)
      guard target >= size else {
        files[name] = replace(target, in: file, label: name)
        break
      }
      target -= size
    }
    return .object(files)
  }

  static func size(_ json: JSON) -> Int {
    switch json {
    case .array(let elements): elements.reduce(1) { $0 + size($1) }
    case .object(let members): members.values.reduce(1) { $0 + size($1) }
    default: 1
    }
  }

  /// Replaces the value at an index, which counts values in document order.
  private mutating func replace(_ target: Int, in json: JSON, label: String) -> JSON {
    guard target > 0 else { return changed(json, label: label) }
    var target = target - 1
    switch json {
    case .array(var elements):
      for index in elements.indices {
        let size = Self.size(elements[index])
        guard target >= size else {
          elements[index] = replace(target, in: elements[index], label: "\(label)[]")
          return .array(elements)
        }
        target -= size
      }
    case .object(var members):
      for (name, value) in members {
        let size = Self.size(value)
        guard target >= size else {
          members[name] = replace(target, in: value, label: name)
          return .object(members)
        }
        target -= size
      }
    default: break
    }
    return json
  }

  private mutating func changed(_ json: JSON, label: String) -> JSON {
    // A value of the same key elsewhere is most likely valid.
    if random.isOne(in: 2), let other = pool.value(at: label, &random) { return other }
    if random.isOne(in: 40) { return pool.anyValue(&random) ?? json }
    switch json {
    case .array(let elements): return changed(elements, label: label)
    case .object(let members): return changed(members, label: label)
    case .string(let text): return changed(text)
    case .integer(let number) where random.isOne(in: 2):
      return .integer(random.isOne(in: 2) ? number &+ 1 : 0 &- number)
    case .integer, .real: return random.element(of: InterestingValues.numbers) ?? json
    case .bool(let value): return random.isOne(in: 4) ? InterestingValues.value(&random) : .bool(!value)
    case .null: return InterestingValues.value(&random)
    }
  }

  private mutating func changed(_ text: String) -> JSON {
    switch random.below(8) {
    case 0: return InterestingValues.value(&random)
    case 1, 2: return .string(random.element(of: InterestingValues.texts) ?? text)
    case 3: return .string(text + (random.element(of: InterestingValues.texts) ?? ""))
    case 4: return .string((random.element(of: InterestingValues.texts) ?? "") + text)
    case 5:
      // Insert in the middle of the string, so that a URL stays a URL.
      let cut = text.index(text.startIndex, offsetBy: random.below(text.count + 1))
      return .string(text[..<cut] + (random.element(of: InterestingValues.texts) ?? "") + text[cut...])
    default: return .string(String(decoding: mutateBytes(Array(text.utf8)), as: UTF8.self))
    }
  }

  private mutating func changed(_ elements: [JSON], label: String) -> JSON {
    var elements = elements
    guard !elements.isEmpty else { return .array(pool.value(at: "\(label)[]", &random).map { [$0] } ?? [.null]) }
    let index = random.below(elements.count)
    switch random.below(6) {
    case 0: elements.remove(at: index)
    case 1: elements.insert(elements[index], at: random.below(elements.count + 1))
    case 2: elements.swapAt(index, random.below(elements.count))
    case 3: elements[index] = pool.value(at: "\(label)[]", &random) ?? InterestingValues.value(&random)
    case 4 where elements.count == 1: return elements[0]
    default:
      let other = pool.value(at: "\(label)[]", &random) ?? elements[index]
      elements.insert(other, at: random.below(elements.count + 1))
    }
    return .array(elements)
  }

  private mutating func changed(_ members: JSON.Members, label: String) -> JSON {
    var members = members
    let names = Array(members.keys)
    guard let name = random.element(of: names), let value = members[name] else {
      guard let name = pool.name(at: label, &random) else { return [InterestingValues.value(&random)] }
      return .object([name: pool.value(at: name, &random) ?? .null])
    }
    switch random.below(7) {
    case 0: members[name] = nil
    case 1:
      let other = random.element(of: names) ?? name
      members[name] = members[other]
      members[other] = value
    case 2:
      // Use another step, outcome, or key of the same mapping.
      members[name] = nil
      members[pool.name(at: label, &random) ?? random.element(of: InterestingValues.texts) ?? name] = value
    case 3 where random.isOne(in: 4): members[random.element(of: InterestingValues.texts) ?? name] = value
    case 4:
      members[name] = nil
      members[name] = value
    case 5 where members.count == 1: return value
    default:
      guard let added = pool.name(at: label, &random) else { return .object(members) }
      members[added] = pool.value(at: added, &random) ?? InterestingValues.value(&random)
    }
    return .object(members)
  }
}
