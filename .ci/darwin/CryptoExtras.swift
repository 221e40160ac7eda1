// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

// The declarations from swift-crypto's `CryptoExtras` module that the package uses.
import Crypto

public enum _RSA {
  public enum Signing {
    public struct Padding: Sendable {
      public static let insecurePKCS1v1_5 = Padding()
      public static let PSS = Padding()
    }
    public struct RSASignature: Sendable {
      public init(rawRepresentation: some Sequence<UInt8>) {}
      public var rawRepresentation: [UInt8] { [] }
    }
    public struct PublicKey: Sendable {
      public init(pemRepresentation: String) throws {}
      public init(derRepresentation: some Sequence<UInt8>) throws {}
      public var pemRepresentation: String { "" }
      public init(n: some Sequence<UInt8>, e: some Sequence<UInt8>) throws {}
      public func isValidSignature(_ signature: RSASignature, for digest: some Digest, padding: Padding = .PSS) -> Bool
      {
        false
      }
      public func getKeyPrimitives() throws -> (modulus: [UInt8], publicExponent: [UInt8]) { ([], []) }
    }
    public struct PrivateKey: Sendable {
      public init(pemRepresentation: String) throws {}
      public var publicKey: PublicKey { fatalError() }
      public func signature(for digest: some Digest, padding: Padding = .PSS) throws -> RSASignature {
        RSASignature(rawRepresentation: [])
      }
    }
  }
}
