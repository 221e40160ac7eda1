import Crypto
import Documents
import OAuth

/// A client certificate and private key for tests.
enum TestCertificate {
  /// Signs a client assertion's claims.
  static func sign(_ claims: JSON, header: JSON = [:]) throws -> String {
    try SigningKey(rsaPEM: key, keyID: nil).token(claims, header: header)
  }

  /// Returns the base64url-encoded SHA-1 thumbprint of the certificate.
  static func thumbprint() throws -> String { Base64URL.encode(Insecure.SHA1.hash(data: try der())) }

  static func der() throws -> [UInt8] {
    try Base64.decode(pem.split(separator: "\n").filter { !$0.hasPrefix("-----") }.joined())
  }

  static let pem = """
    -----BEGIN CERTIFICATE-----
    MIIDIzCCAgugAwIBAgIUa7w0uCWHQFYo7Inm1CHVDzz/cuUwDQYJKoZIhvcNAQEL
    BQAwIDEeMBwGA1UEAwwVd29ydGhsZXNzIHRlc3QgY2xpZW50MCAXDTI2MTEyMTE5
    NTczM1oYDzIxMjYxMDI4MTk1NzMzWjAgMR4wHAYDVQQDDBV3b3J0aGxlc3MgdGVz
    dCBjbGllbnQwggEiMA0GCSqGSIb3DQEBAQUAA4IBDwAwggEKAoIBAQC7LMh0umxG
    Voe71iRt5lWigB6AQhN1/VkQtjHs7ojVK+HIdtF5HIWly7ZRCm8incXrlyFvZ3rq
    CCIbzNfTng8pbFe+hHAADKozylmveCTcezZpYk5IOyeiccwyNPkCFviWC5L734FD
    Tjocb+XcstaIjfKkc/Eflabr+AFjAZghZpACX4X93orzpT7AqpWc670UWiiecBGM
    yFvfFDHRyPJ49oAB4V0kbHopgZHFEE4U3eDZ5Wti6k97qZT6NFw7A3/1HjW6Muin
    /Q3mGMI8zNyckojiXG4n9F7t4NpPXR/6HAz8sJICqSaocQnabxcxDDAnwEYZJdp1
    y3/0a2EZVtFPAgMBAAGjUzBRMB0GA1UdDgQWBBRuPwJaCuNv4VW9GLlukihWGxCV
    jjAfBgNVHSMEGDAWgBRuPwJaCuNv4VW9GLlukihWGxCVjjAPBgNVHRMBAf8EBTAD
    AQH/MA0GCSqGSIb3DQEBCwUAA4IBAQAyYXOSWuxW+hKrjaWl+4NDT3H8ohfrVVmV
    KTbN0ccvT+OpFmy4by6e0EYuV5de7pkTzPwhAfvceLbledZsow8au9XWGXq3Up0T
    qIv2HqkPvL0IuYQzz5IpMETyzHg20wynSkWgl3ZvMZsHVmxwyvO6TS90HN3gdZML
    /8irQEvwIcgDMXk0txEF6ep5CTUJtEVdRHE0aMo+bbzGDHxX9HoqDNdkOmhUFDfF
    MVEw5sJlSpmdWWzgnHxz6pudahYjFaEBvGObFo7s80GB8XxQ42GS9AWLyzOXT31U
    wX60KvB1A4G39ZzIW+6jbeRtm1uc7bKVlEJanVS80fGH2D7JEQHr
    -----END CERTIFICATE-----
    """

  static let key = """
    -----BEGIN PRIVATE KEY-----
    MIIEvAIBADANBgkqhkiG9w0BAQEFAASCBKYwggSiAgEAAoIBAQC7LMh0umxGVoe7
    1iRt5lWigB6AQhN1/VkQtjHs7ojVK+HIdtF5HIWly7ZRCm8incXrlyFvZ3rqCCIb
    zNfTng8pbFe+hHAADKozylmveCTcezZpYk5IOyeiccwyNPkCFviWC5L734FDTjoc
    b+XcstaIjfKkc/Eflabr+AFjAZghZpACX4X93orzpT7AqpWc670UWiiecBGMyFvf
    FDHRyPJ49oAB4V0kbHopgZHFEE4U3eDZ5Wti6k97qZT6NFw7A3/1HjW6Muin/Q3m
    GMI8zNyckojiXG4n9F7t4NpPXR/6HAz8sJICqSaocQnabxcxDDAnwEYZJdp1y3/0
    a2EZVtFPAgMBAAECggEAJ9R9y6koBUfAlo4ZLnHHY08ULoLhFUiWPWIn+Z1A7Ovr
    nfb62GTjY8aXw2MPBzS/u0RrzwMcOtUEPRo4C0YlP9FYUqhoFPqc9Wxn7VkJrwlh
    KMfMlL5RztWceEqhenpc58EKxCJppWLuJsMBDRfZYzGhorExbGEyJiCeWu0p7GFD
    ShCslm5InQnoRZ5niPiHBx0W/MOZA5BVWSp9oGh/MWaxfznm3KJc4rQvI4jdvAGJ
    DIiNfHNkemDUUbhL/O2xvGbyTyq8M4wLu82abBc/Gq/EQ67OgqyYwx42gU82d0gr
    RsWGae/TQzJG2QEXUrd3nC72tWqRznlXeSK9vXL2UQKBgQDwwMn8MtJ7x2b/6IOg
    7TPmjKdZ/MrUW3HCCGQhnmVF2cBKHafCyJ/hMxiNJ9ggafGO0JCv6n/wqtOI6Zrm
    dH0v4NZKcRQpA317/ulLFiIo5vfMZLr+yV9pP+aNYcNkspzvn3EbQpwlrEDlJchf
    e/5WNLjCn8PBIb1mOlelGyfYIwKBgQDHB1uhO4UVPi+u3VD4luYiF5MfOB8X+ylt
    WgNjJ9v0GqSgeI6EwvC7YTm8CaIJFeGw5tP6tWE2NyGgYBvL9IgsSEEKaovodlhy
    cVlHBp9V8g4I08bExgTVq8s0YDlKYKuG+GtQboG6spY91KEhl1a4gpp/Bl/fq3Kf
    K4Q0/t4+5QKBgFXefWx9eAN8EKmv9drdH8jYXAxFlNZ/Myjgs04mX7q1Otd0klRw
    GE5LWjNmhbix8N1eWGzWOAHP/Bj2MTCHVetQxz3P7T/fpc8nEXCdmVt7XeDCAMxF
    aMlyaDn/J6Dv7/erp7zwWh85u/+/JSOhZwq6TTflof1tmk8u+fnCoMh/AoGAIsNn
    Ps89nItDGuDvPqxkv/msKdzMmYy2HLKHOu+AXK+2p4zHH+tIzwHZar2n/rxCsnpu
    9jBuLWENz4xZ7pLkog9wxNf9Xfol0r93n49Jj2J7DxGme0I3H/ckxB42g4ZFD4se
    e2sB39FHqr8T8eEUNaAiSiOb5V5149Ve/z6xJP0CgYBIVICc7Ah8oifwWPWjGM7t
    VmT6cJgEYzr7Kvf8EQqo+zdu1PCaKthdDa+aZxnsheQ6xg92DG2zZN/iK/EsuNQL
    q+yQox6ZRftQ7SQhd+9PqVuEGPSl9PjzUdvGUi+VlxBDFag7oDUuLrgeY/FslM9Q
    IsSA5Wc++VfpQQQRYIUchA==
    -----END PRIVATE KEY-----
    """
}
