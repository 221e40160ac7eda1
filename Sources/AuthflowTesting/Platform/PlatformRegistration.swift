import Foundation
import Synchronization

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The registration of a platform, through which the platform's `URLProtocol` class finds the platform.
///
/// The URL loading system creates instances of a class without passing any information about the session, and Swift
/// cannot create classes at run time. Each platform therefore uses its own specialization of a generic class. The type
/// parameter of the class encodes the platform's number in binary.
struct PlatformRegistration: Sendable {
  private struct Registry {
    var next = 1
    var platforms: [Int: Reference] = [:]
  }

  private struct Reference {
    weak var platform: EmulatedPlatform?
  }

  private static let registry = Mutex(Registry())

  private let number: Int

  init() {
    number = Self.registry.withLock { registry in
      defer { registry.next += 1 }
      return registry.next
    }
  }

  func register(_ platform: EmulatedPlatform) {
    Self.registry.withLock { $0.platforms[number] = Reference(platform: platform) }
  }

  func end() {
    Self.registry.withLock { $0.platforms[number] = nil }
  }

  static func platform(_ number: Int) -> EmulatedPlatform? {
    registry.withLock { $0.platforms[number]?.platform }
  }

  var urlProtocolClass: AnyClass { Self.urlProtocolClass(number, NoDigits.self) }

  /// - Parameter digits: The type that encodes the lower digits of the number.
  private static func urlProtocolClass<Digits: PlatformTypeNumber>(_ rest: Int, _ digits: Digits.Type) -> AnyClass {
    guard rest > 0 else { return EmulatedPlatformURLProtocol<Digits>.self }
    return rest % 2 == 0
      ? urlProtocolClass(rest / 2, Zero<Digits>.self) : urlProtocolClass(rest / 2, One<Digits>.self)
  }
}

/// A type that represents a number by its binary digits. The highest digit is the innermost type.
protocol PlatformTypeNumber: SendableMetatype {
  /// The value of the number, and the weight of the next higher digit.
  static var value: (number: Int, weight: Int) { get }
}

enum NoDigits: PlatformTypeNumber {
  static var value: (number: Int, weight: Int) { (0, 1) }
}

enum Zero<Lower: PlatformTypeNumber>: PlatformTypeNumber {
  static var value: (number: Int, weight: Int) { (Lower.value.number, Lower.value.weight * 2) }
}

enum One<Lower: PlatformTypeNumber>: PlatformTypeNumber {
  static var value: (number: Int, weight: Int) { (Lower.value.number + Lower.value.weight, Lower.value.weight * 2) }
}
