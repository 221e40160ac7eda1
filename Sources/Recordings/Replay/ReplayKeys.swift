import Documents
import OAuth

/// Keys for signing replayed tokens. The keys are public, and providers do not use them.
enum ReplayKeys {
  /// The key for RS256, which creates deterministic signatures.
  static let signingRSA = try? SigningKey(rsaPEM: samplePEM, keyID: nil)

  /// The key for ES256.
  static let signingP256 = try? SigningKey(
    p256: Array("sample P-256 key for replaying recordings".utf8.prefix(32)), keyID: nil)

  /// Returns a member of the public key (`n`, `e`, `x`, or `y`), which recordings omit.
  static func member(_ name: String, keyType: String) -> String? {
    (keyType == "EC" ? ec : modulus)[name]
  }

  private static let modulus: [String: String] = members(signingRSA, ["n", "e"])
  private static let ec: [String: String] = members(signingP256, ["x", "y"])

  private static func members(_ key: SigningKey?, _ names: [String]) -> [String: String] {
    let json = key?.publicKey.json
    return names.reduce(into: [:]) { $0[$1] = json?[$1]?.string }
  }

  private static let samplePEM = """
    -----BEGIN PRIVATE KEY-----
    MIIEvAIBADANBgkqhkiG9w0BAQEFAASCBKYwggSiAgEAAoIBAQDCx099ZaVkZOEC
    tg7FmRKYYH3KfAtCjM1XJY5BaQZ30f5nBj1if4QdQQDKgpGkMuUd130gjfLhSAVP
    oNOGmtR7HMO/C+XVYx6dnPcbwkOuxGFbuqaKobp+NoQOLpY7wzUcQDI4V3Ag3RYQ
    kuNPXAsVRfDy7lqieROKrLp9kHp5OlACCxQ6GNiQekmoaOT0Gq7JTOKzy31JU2Li
    YTA/9KMZrF+13Jbm7n5vNpiHJB2bC+a+AjAWGlYVU09gpzlO5+ZT+/K/iav8heb+
    tngydGogMy5oIXyn0cXgEBKjdfBGh+zNkho/glurph+llBfGjGNzRKxRuUY2hDZP
    VLnLAPIJAgMBAAECggEACgmmMKzINBcoSuDZvEhmD0z6spCHroVt0BnG/ds1Gn/r
    i8DkMTMn2m+XBDisG4GFce8g20iBbadt4aOEvx0zycfq1Qm+jYuDAIWeLPOrFAK6
    DzV8X2zT/Ozfi5EOTDRkRGlRBTsJU+I84LwHI5f3WMBu2UAcEt8pOQZrgmzLiPt3
    q6hnuWnet1W/7cU0t01C5kPrIN2io+HjZcdo7ISHi4L45y4UKrREvRb4ibsEdopL
    nYIbgdGDiF7hNKOVPt0KkP/w7+62gE0/xIBzj59lOJntwtX6SYcEd5ll+FEkkvcM
    DkCTEg+QT7o2x8NEhRqa0UOoI4HT5jNN9z4dLglakQKBgQDn5D9CSuJ3eSczBFsi
    6B/V+80imVo0gm0ATmNOj1uclD0lJe3wy7o1Cphjd+K8k6kP4P0dxGCzhZ5EnPms
    XLxcTizOYSlGjgb50R+1DUAY0c2OOhulcmaiIbdxgJPjudV6hvMr0IwfrbGemwLC
    /nn2sCAbcIkoy/a5kjy411cuuQKBgQDXB06D3cCuybp6AG60kETZT/ZJ05uWwNpU
    sb0AbBHo7aMeiwtqoV9dEGPVLZvF5LK6h5P4M+pxC5Zp5klYHlRS9iC0vvhqSBgo
    Spf60r0nvZAmTdvqLUaHg5McunZFlG3FeHBitSQe/veLfmc0JBw/KRMomM2LyUQ0
    t43u4aO10QKBgAgkRmhQcsUZFtw+seh21+9OaPRnB/jB/4u8NNZkSCYmOkNcoo8K
    yB3molUTt31BffUVxC1QYMjMzzK/hDCeDOr8v6v7U1Sr1ejdg8x6i56TdzEgLypO
    6vWUU3mDty2Or8Ueidkm+FSAZ7UW4jDweF3F70qnV9l718zKKqGexevZAoGAZivO
    ntGrUGIB/R5fe+RhEnDwMbweXc9c7olVqPGwwODJdSXUUuJCkdHL3etB7RHx6rep
    E3J3nydGXSNTDk+6+YCBoeBr4PRIpjxrYn7n6g4khE7Sg77nmFRofmoK8JzKW94S
    aJRxiVjU/q8dEqVl1o0J0WxpnlYP1oyxICSOyUECgYAa0SwUmonJ417YlctL9ZNm
    EdTbIhg+opjmwekYm5KtRuj0GEHF+H/+VrFsj407ZdHCY4yKOMdMgaiabfvKqa4A
    yGyt8kN9pA9TEQyjg6kVlqIh3TM93iAFu2kWk7KOjKD/D86MUP8OwOwagoaVGuOu
    n7lnCkML5rIHiRWJIKomgg==
    -----END PRIVATE KEY-----
    """
}
