import JSONPath
import Testing

@Suite("I-Regexp (RFC 9485)")
struct IRegexpTests {
  @Test(
    "matches the entire text",
    arguments: [
      ("", "", true), ("", "a", false), ("a", "a", true), ("a", "b", false), ("abc", "abc", true), ("abc", "ab", false),
      ("a|b", "b", true), ("a|", "", true), ("|a", "a", true), ("ab|cd", "abd", false), ("(ab|cd)e", "cde", true),
      ("()", "", true), ("a()b", "ab", true), ("a*", "", true), ("a*", "aaaa", true), ("a+", "", false),
      ("a+", "aaa", true), ("a?", "a", true), ("a?", "aa", false), ("(a+)+", "aaaa", true), ("(a*)*", "", true),
      ("(a*)*b", "aab", true), ("(a|b)*c", "ababc", true), ("a{2}", "aa", true), ("a{2}", "aaa", false),
      ("a{2,}", "a", false), ("a{2,}", "aaaaa", true), ("a{0,1}", "", true), ("a{1,3}", "aaaa", false),
      ("a{0}", "", true), ("a{0}", "a", false), ("(ab){2}", "abab", true), (".", "x", true), (".", "\n", false),
      (".", "\r", false), (".", "\u{2028}", true), (".", "\u{85}", true), (".", "😀", true), ("..", "é", false),
      ("..", "e\u{301}", true), (".*", "a\nb", false), ("[a-c]", "b", true), ("[a-c]", "d", false),
      ("[^a-c]", "d", true), ("[^a-c]", "a", false), ("[^a]", "\n", true), ("[-a]", "-", true), ("[a-]", "-", true),
      ("[^-a]", "b", true), ("[^-a]", "-", false), ("[a^]", "^", true), ("[\\]]", "]", true), ("[\\-x]", "-", true),
      ("[.]", ".", true), ("[.]", "a", false), ("[()*+?{}|]", "+", true), ("[\\n\\t]", "\t", true),
      ("[a\\-z]", "m", false), ("[\\p{L}0-9]", "ж", true), ("[\\p{L}0-9]", "7", true),
      ("[^\\p{L}]", "ж", false), ("[\\P{L}]", "1", true), ("\\p{L}+", "Grüße", true), ("\\p{Nd}", "٣", true),
      ("\\p{N}", "Ⅷ", true), ("\\p{Lt}", "ǅ", true), ("\\p{Zs}", "\u{A0}", true), ("\\p{Sc}", "€", true),
      ("\\p{P}", "—", true), ("\\p{M}", "\u{301}", true), ("\\p{Co}", "\u{E000}", true), ("\\p{C}", "\u{7}", true),
      ("\\p{So}", "😀", true), ("^a$", "a", true), ("^a$", "^a$", false), ("(^a|b$)", "b", true),
      ("a^b$c", "a^b$c", true),
      ("US$[0-9]", "US$5", true), ("^*", "^^", true), ("\\^a[$]", "^a$", true), ("a$b", "a", false), ("^", "", true),
      ("$", "", true), ("a|^$", "", true), ("[^$]", "$", false), ("/", "/", true), ("a-b", "a-b", true),
      ("a,b", "a,b", true), ("\\.", ".", true), ("\\.", "x", false), ("\\\\", "\\", true), ("\\^", "^", true),
      ("\\(\\)\\*\\+\\?\\[\\]\\{\\}\\|\\-", "()*+?[]{}|-", true), ("\\n", "\n", true), ("\\r\\t", "\r\t", true),
      ("AADSTS[0-9]{5,7}", "AADSTS50076", true), ("AADSTS[0-9]{5,7}", "AADSTS500", false),
      ("[^@]+@contoso\\.com", "megan@contoso.com", true), ("é", "e\u{301}", false), ("☺*", "☺☺", true),
    ] as [(String, String, Bool)])
  func complete(pattern: String, text: String, expected: Bool) throws {
    #expect(try IRegexp(parsing: pattern).matches(text) == expected)
  }

  @Test(
    "finds a match anywhere in the text",
    arguments: [
      ("", "", true), ("", "abc", true), ("b", "abc", true), ("d", "abc", false), ("ab|bc", "xbcx", true),
      ("b+c", "abbbc", true), ("a.c", "xxa\ncxx", false), ("[0-9]{3}", "ab12cd345", true), ("c$", "abc", true),
      ("^b", "abc", false), ("^a", "abc", true), ("b$", "abc", false), ("^$", "a", false),
      ("^$", "", true), ("$", "abc", true),
      ("a{3}", "aabaa", false), ("a*", "b", true), ("b", "b", true), ("abc", "ababc", true),
    ] as [(String, String, Bool)])
  func anywhere(pattern: String, text: String, expected: Bool) throws {
    #expect(try IRegexp(parsing: pattern).occurs(in: text) == expected)
  }

  @Test(
    "rejects invalid regular expressions",
    arguments: [
      "(", ")", "a)", "(a", "[", "]", "a]", "{", "}", "a{", "a{}", "a{,2}", "a{1", "a{1,", "a{2,1}", "a{x}", "*", "+a",
      "?", "a**", "a+?", "a*+", "a??", "a{2}{3}", "a{1,2}?", "|*", "(*a)", "[]", "[^]", "[]a]", "[a-b-c]", "[a--b]",
      "[!--]",
      "[b-a]", "[[a]]", "[a&&[b]]", "[a-z-[aeiou]]", "[a-\\p{L}]", "\\", "\\d", "\\w", "\\s", "\\D", "\\b", "\\1",
      "\\u0041", "\\x41", "\\a", "\\e", "\\$", "\\/", "\\ ", "\\p", "\\p{", "\\p{}", "\\p{l}", "\\p{Cs}", "\\p{Lx}",
      "\\p{Latin}", "\\p{IsBasicLatin}", "\\pL", "\\p{^L}", "(?:a)", "(?i)a", "(?=a)", "(?<n>a)", "[\\d]", "[a", "[a-",
      "a{٣}", "a{100001}",
    ])
  func malformed(pattern: String) {
    #expect(throws: JSONPathSyntaxError.self) { try IRegexp(parsing: pattern) }
  }

  @Test(
    "matches in linear time without backtracking",
    arguments: [
      "(a*)*b", "(a+)+b", "(a|a)*b", "(a|aa)+b", "(.*)*b", "(a?){60}a{60}b", "((a*)*)*b", "(a|b|ab)*c",
    ])
  func linear(pattern: String) throws {
    let text = String(repeating: "a", count: 5_000)
    let expression = try IRegexp(parsing: pattern)
    #expect(try !expression.matches(text))
    #expect(try !expression.occurs(in: text))
  }

  @Test("rejects expressions whose expansion is too large")
  func growth() throws {
    for pattern in ["((a{1000}){1000}){1000}", "((){100000}){100000}", "(((((a{99}){99}){99}){99}){99})"] {
      #expect(throws: JSONPathSyntaxError.self) { try IRegexp(parsing: pattern) }
    }
    #expect(throws: JSONPathSyntaxError.self) { try IRegexp(parsing: String(repeating: "(", count: 100_000)) }
    let nested = String(repeating: "(", count: 100) + "a" + String(repeating: ")+", count: 100)
    #expect(try IRegexp(parsing: nested).matches("aaa"))
    #expect(try IRegexp(parsing: "a{1000}").matches(String(repeating: "a", count: 1000)))
  }

  @Test(
    "suggests equivalents for the syntax of other regular expressions",
    arguments: [
      ("\\d+", "use `[0-9]` or `\\p{Nd}`"), ("\\w", "use `[A-Za-z0-9_]`"),
      ("(?:a)", "use `(…)`"), ("a*?", "remove it: I-Regexp does not support lazy or possessive quantifiers"),
    ])
  func help(pattern: String, help: String) {
    #expect {
      try IRegexp(parsing: pattern)
    } throws: { error in
      (error as? JSONPathSyntaxError)?.help == help
    }
  }
}
