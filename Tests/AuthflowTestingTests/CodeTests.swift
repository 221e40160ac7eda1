import AuthflowTesting
import IdentityPlatform
import Testing

@Suite struct CodeTests {
  @Test func codesMatchMSAL() {
    let codes = Dictionary(uniqueKeysWithValues: EmulatedMSALError.Code.allCases.map { ("\($0)", $0.rawValue) })
    let known = Dictionary(uniqueKeysWithValues: MSALErrorCode.allCases.map { ("\($0)", $0.rawValue) })
    #expect(codes == known)
  }
}
