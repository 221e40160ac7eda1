import Diagnosis
import Testing

@Suite struct MaskingTests {
  @Test(arguments: [
    ("refresh_token=0.AXkAfake-refresh&scope=x", "0.AXkAfake-refresh"),
    ("\"access_token\": \"opaque-token-value\"", "opaque-token-value"),
    ("Authorization: Bearer abcdefghijklmnop", "abcdefghijklmnop"),
    ("user megan@contoso.example signed in", "megan"),
    ("client_secret: not-a-real-secret", "not-a-real-secret"),
    ("code=0.AVQAfakefakefakefakefakefakefakefake&state=1", "0.AVQAfake"),
    ("connected from 203.0.113.7", "203.0.113.7"),
    ("at /Users/megan/app/main.swift", "megan"),
    ("C:\\Users\\megan\\source\\app.cs", "megan"),
    ("MSALHomeAccountIdKey=11111111-aaaa.22222222-bbbb", "11111111"),
  ]) func `masks secrets and personal data without shifting columns`(text: String, secret: String) {
    let masked = Masking.mask(text)
    #expect(!masked.contains(secret), "\(masked)")
    #expect(masked.count == text.count, "\(masked)")
  }

  @Test(arguments: [
    "AADSTS50011: The redirect URI 'https://x' does not match", "MSAL 4.22.0.0 MSAL.Desktop", "error_code=50011",
    "Code=-50000", "http://127.0.0.1:8080/",
  ]) func `does not change text without secrets`(text: String) {
    #expect(Masking.mask(text) == text)
  }
}
