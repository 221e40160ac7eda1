import Documents
import Testing

struct SyntaxTests {
  @Test(
    arguments: [
      ("{}", "a", .json), ("{\"a\": 1}", "<stdin>", .json), ("[1]", "<stdin>", .json), ("{a: 1}", "<stdin>", .yaml),
      ("{'a': 1}", "<stdin>", .yaml), ("[a, b]", "<stdin>", .yaml), ("a: 1", "<stdin>", .yaml),
      ("---\n{}", "<stdin>", .yaml),
      ("- a", "<stdin>", .yaml), ("true", "<stdin>", .json), ("-1.5", "<stdin>", .json), ("hello", "<stdin>", .yaml),
      ("\"x\"", "<stdin>", .json), ("\"x\": 1", "<stdin>", .yaml), ("{ a = 1; }", "<stdin>", .openStepPropertyList),
      ("(a, b)", "<stdin>", .openStepPropertyList), ("<0fbd>", "<stdin>", .openStepPropertyList),
      ("a = b;", "<stdin>", .openStepPropertyList), ("<dict/>", "x", .xmlPropertyList),
      ("<plist/>", "x.yaml", .xmlPropertyList),
      ("<?xml version=\"1.0\"?><plist><true/></plist>", "x.json", .xmlPropertyList),
      ("{}", "a.plist", .openStepPropertyList), ("{\"a\": 1}", "a.plist", .json), ("{\"a\": 1}", "a.yaml", .yaml),
      ("nope", "a.json", .json), ("// c\n{\"a\": 1}", "x", .json), ("# c\na: 1", "x", .yaml),
      ("{}", "a.json.example", .json),
      ("<dict/>", "AuthSettings.plist.example", .xmlPropertyList),
      ("\n  <plist><true/></plist>", "x", .xmlPropertyList),
      ("<data>aGk=</data>", "x", .xmlPropertyList), ("<date>2011-10-05T14:48:00Z</date>", "x", .xmlPropertyList),
    ] as [(String, String, DocumentSyntax)]) func detectsTheSyntax(text: String, name: String, syntax: DocumentSyntax)
  {
    let reading = DocumentReader.read(text, named: name)
    #expect(reading.document?.syntax ?? syntax == syntax)
    #expect(reading.document != nil || reading.hasErrors)
  }
}
