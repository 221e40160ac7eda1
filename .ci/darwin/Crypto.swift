// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

// The declarations from swift-crypto's `Crypto` module that the package uses. On Apple platforms the module is
// CryptoKit.

public protocol Digest: Sequence, Sendable where Element == UInt8 {}
public protocol HashFunction: Sendable {
  associatedtype Digest: Crypto.Digest
  init()
  mutating func update(data: some Sequence<UInt8>)
  func finalize() -> Digest
}
extension HashFunction {
  public static func hash(data: some Sequence<UInt8>) -> Digest {
    var hash = Self()
    hash.update(data: data)
    return hash.finalize()
  }
}
public struct Bytes: Digest {
  public func makeIterator() -> [UInt8].Iterator { [].makeIterator() }
}
public struct SHA256: HashFunction {
  public init() {}
  public mutating func update(data: some Sequence<UInt8>) {}
  public func finalize() -> Bytes { Bytes() }
}
public enum Insecure {
  public struct SHA1: HashFunction {
    public init() {}
    public mutating func update(data: some Sequence<UInt8>) {}
    public func finalize() -> Bytes { Bytes() }
  }
}
public struct SymmetricKey: Sendable {
  public init(data: some Sequence<UInt8>) {}
}
public enum HMAC<Hash: HashFunction> {
  public static func authenticationCode(for data: some Sequence<UInt8>, using key: SymmetricKey) -> Bytes { Bytes() }
}
public enum AES {
  public enum GCM {
    public struct Nonce: Sendable {
      public init(data: some Sequence<UInt8>) throws {}
    }
    public struct SealedBox: Sendable {
      public init(combined: some Sequence<UInt8>) throws {}
      public var combined: [UInt8]? { nil }
    }
    public static func seal(
      _ message: some Sequence<UInt8>, using key: SymmetricKey, nonce: Nonce? = nil,
      authenticating: some Sequence<UInt8>
    ) throws -> SealedBox { try SealedBox(combined: []) }
    public static func open(
      _ box: SealedBox, using key: SymmetricKey, authenticating: some Sequence<UInt8>
    ) throws -> [UInt8] { [] }
  }
}
public enum P256 {
  public enum Signing {
    public struct ECDSASignature: Sendable {
      public init(rawRepresentation: some Sequence<UInt8>) throws {}
      public var rawRepresentation: [UInt8] { [] }
    }
    public struct PublicKey: Sendable {
      public init(rawRepresentation: some Sequence<UInt8>) throws {}
      public var rawRepresentation: [UInt8] { [] }
      public func isValidSignature(_ signature: ECDSASignature, for digest: some Digest) -> Bool { false }
    }
    public struct PrivateKey: Sendable {
      public init(compactRepresentable: Bool = true) {}
      public init(rawRepresentation: some Sequence<UInt8>) throws {}
      public init(pemRepresentation: String) throws {}
      public var publicKey: PublicKey { fatalError() }
      public func signature(for digest: some Digest) throws -> ECDSASignature {
        try ECDSASignature(rawRepresentation: [])
      }
    }
  }
}
