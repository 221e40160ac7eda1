import Effects
import OAuth
import Testing

@Suite("Forms and URLs")
struct FormCodingTests {
  @Test("serializes a form exactly as MSAL does")
  func serialized() {
    let form: Parameters = [
      "client_id": "8f2c", "scope": "User.Read openid", "redirect_uri": "msauth.com.x://auth",
      "odd": "-._~ !*'()é&=+%",
    ]
    #expect(
      FormCoding.serialize(form)
        == "client_id=8f2c&scope=User.Read+openid&redirect_uri=msauth.com.x%3A%2F%2Fauth"
        + "&odd=-._~+%21%2A%27%28%29%C3%A9%26%3D%2B%25")
    #expect(FormCoding.serializeQuery(["a b": "c+ d"]) == "a%20b=c%2B%20d")
  }

  @Test(
    "parses malformed forms",
    arguments: [
      ("a=1&b=2", [("a", "1"), ("b", "2")]),
      ("a=1&a=2", [("a", "1"), ("a", "2")]),
      ("a+b=c%20d%2b", [("a b", "c d+")]),
      ("a", [("a", "")]),
      ("a=&&b=", [("a", ""), ("b", "")]),
      ("a=%zz%4", [("a", "%zz%4")]),
      ("a=b=c", [("a", "b=c")]),
      ("=v", [("", "v")]),
      ("", []),
      ("a=%ff", [("a", "\u{FFFD}")]),
    ])
  func parsed(text: String, expected: [(String, String)]) {
    #expect(FormCoding.parse(text).entries == expected.map { Parameters.Entry($0.0, $0.1) })
  }

  @Test("preserves repeated parameters, and can replace or remove them")
  func repetitions() {
    var form = FormCoding.parse("a=1&b=2&a=3&b=4&c=5")
    #expect(form.repeatedNames == ["a", "b"])
    #expect(form["a"] == "1")
    #expect(form.values(of: "a") == ["1", "3"])
    form.set("a", "9")
    #expect(FormCoding.serialize(form) == "a=9&b=2&b=4&c=5")
    form.remove("b")
    form.appendMissing(["a": "ignored", "d": "6"])
    #expect(FormCoding.serialize(form) == "a=9&c=5&d=6")
  }

  @Test("reads and appends the parameters of a URL")
  func urlParameters() {
    #expect(URLReference("https://host/a?x=1#y").parameters["x"] == "1")
    #expect(URLReference("a?b").appending(["c": "d e"]).text == "a?b&c=d+e")
    #expect(URLReference("a#f").appending(["c": "d"]).text == "a?c=d#f")
  }
}
