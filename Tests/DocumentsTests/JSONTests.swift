import Documents
import Testing

struct JSONTests {
  @Test func readsValues() throws {
    let json = try JSON(parsing: #"{"a":[1,-2.5,"x\né\ud83d\ude00",true,null],"b":{}}"#)
    #expect(json.text() == #"{"a":[1,-2.5,"x\né😀",true,null],"b":{}}"#)
  }
}
