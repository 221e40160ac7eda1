import AuthflowTesting
import IdentityPlatform
import Testing

@Suite struct CodeTests {
  /// MSAL's public codes are the same here as in the client, by name and by number.
  @Test func codesAreMSALs() {
    let codes = Dictionary(uniqueKeysWithValues: EmulatedMSALError.Code.allCases.map { ("\($0)", $0.rawValue) })
    let known = Dictionary(uniqueKeysWithValues: MSALErrorCode.allCases.map { ("\($0)", $0.rawValue) })
    #expect(codes == known)
  }
}
