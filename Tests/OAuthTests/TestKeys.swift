import Documents
import OAuth

/// Fixed signing keys for tests. The keys are public, so they are not secret.
enum TestKeys {
  static let rsaPEM = """
    -----BEGIN PRIVATE KEY-----
    MIIEvwIBADANBgkqhkiG9w0BAQEFAASCBKkwggSlAgEAAoIBAQDN3beidew/e1BW
    G9uFwGU/vdh+e57e7wLlzZoaw9SMQAIuIj9a8A8DNV0JQnAe/aw0shs3jWYpnrP+
    0kvPA3xWEAOikrNDC5a8D95lZrV4V2hdZdCtiyhwUJqGOao1GJskVIIzRyiHo6hB
    /HKoUfcVvTPVTg+mlr4f6Uf3YaOBN2ro++P9gofi7EzTXrmHm0OKUPjeB+G0VCm0
    lF8Ul8psuardBNXOYDeyvAwym1jTZa9azkIV/nKtN19GmXGmjtE8dc7Ts1UaTKtm
    r8zBvYrr37K++0dP5Wb6TCsA2gSqQD9JXCBKQ7bt8Eif+yx84wJnIGbmNOgBDtdA
    ZFzpYsO1AgMBAAECggEAPYaGg9DPbveJPnrr5DDocaDo64BBrmnrSUflxxsA0nus
    yyHkImb9bZ2MtSA8hx6UUVlrhfJF9qleLQmnq3JkvgniNDu4xJBZl9H8SvzjvlgN
    MmCj+cHNr6d/Tx87zcuRTk3NbcrWA5e3SSVMFR8OA9q8e4LtbYG+x6W+IuJ07cBa
    12OEH+iOWVTueU+RXmmIGG1zdz9Ni3L7tvXVytqrlbT8MUNZ/lVQivf7DKn4wD/8
    bxNAt0H8r29BRFDPUBWoodSle7y8YasVXrv9K9f2YnEQN3CAV1OwrJYpvdvNApN4
    s9WsVWy8iax1xk7D5PP8q23tc5g+rMzIZEw1nWXenwKBgQD9gdPDGYXG+MlXU/hL
    TP7pH6iTefO+Yx35ZNPPs6cJWcYGhZ61naUimm3w3CNOF9Lq4HD8Nk1i3gdYnZG5
    IHjNcVBIUHmKlEHmmnwO5bCXoOhGHnE608YQ8b8NNdkWcG+03/7gSVJgEcCEVG18
    +uE2VXX8LAXZYTKRjUscD+OOswKBgQDP4/WtXs/6Z8vtR6RZMv+ndamN3ejGDtCG
    vuTrC1MMtN1iei9MoHAgUzmyiEJ5hrAlnyQ7DS+7i+3Sm2+lo4A71RAw02Hw+I6s
    R8G+jfKcYjS/bU0V53lsLw7pmnDOkJg5VTzcG03xPYHtSVFj1byHpcAGBwVnw0gD
    oOj8cfYX9wKBgQDNEvFTqpnl0+xMkMkTYT31KH8ejlD3ewcMcNxH8XT2w4DGVeGF
    2fl0fKjjZ7HHws4E43uDDAqeKC6ZKR5xPCt9RmVDmpY33KdS/TXOd1Db2HcOAiJn
    DFn16xo6fY0X8ezrzShKGAZjYPj0E7hemjUF1yySyqoQp+hYhox0LwZOsQKBgQCH
    NtvaUaqwUcafpFNO+Q6zWqJXdZgrCgOzQIIgJpNz1keP/6y4CDolrDwA1QN3i5US
    QzoLdn4vW8npi9PIRlnnkKMhPrubQe96OonXaPf9oxpvz6Wts4qURN9MLXllwUJh
    OAGHn/LID5tsPJ3Fc4VWLQaCZRqs7KTwRz6Cw5Su7QKBgQCUtpqwZjL2ULWq+uj7
    kPRrE3v52jQOkq479hL0cZxtspy/LzKzo5KVV4doXCRNSzyZ3x/POsxEUsKynks2
    XDGwoiAHj8gjwmd38AZLF5NAlP1ppddm7eNSwj7n1G7gV/TBqLiASpp42YDBj3AR
    yxFpSyRguwPKOnd34hzgTnNo8g==
    -----END PRIVATE KEY-----
    """

  static func rsa(_ keyID: String? = "rsa-1", issuer: String? = nil) throws -> SigningKey {
    try SigningKey(rsaPEM: rsaPEM, keyID: keyID, issuer: issuer)
  }

  /// Returns the key from RFC 7515, appendix A.3.
  static func p256(_ keyID: String? = "ec-1") throws -> SigningKey {
    try SigningKey(p256: Base64URL.decode("jpsQnnGQmL-YBIffH1136cspYG6-0iY7X1fCE9-E9LI"), keyID: keyID)
  }
}
