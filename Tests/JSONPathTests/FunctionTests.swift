import JSONPath
import Testing

@Suite("Functions (RFC 9535 §2.4)")
struct FunctionTests {
  @Test(
    "evaluates length",
    arguments: QueryCase.table(
      #"""
      {"s":"$[?length(@.a)>=2]","d":[{"a":"ab"},{"a":"d"}],"r":[{"a":"ab"}]}
      {"s":"$[?length(@)==2]","d":["☺☺",[1,2],{"a":1,"b":2},12,null,true,"abc"],"r":["☺☺",[1,2],{"a":1,"b":2}]}
      {"s":"$[?length(@)==1]","d":["😀","é","e\u0301"],"r":["😀","é"]}
      {"s":"$[?length(@)==0]","d":["",[],{},0,null],"r":["",[],{}]}
      {"s":"$[?length(@.a)==length(@.b)]","d":[{"a":"x","b":"y"},{"a":1,"b":2},{"a":"x"}],"r":[{"a":"x","b":"y"},{"a":1,"b":2}]}
      {"s":"$[?length(@.x)==0]","d":[{}],"r":[]}
      {"s":"$[?length('ab')==2]","d":[1],"r":[1]}
      {"s":"$[?length(1)==length(null)]","d":[1],"r":[1]}
      {"s":"$.values[?length(@.a)==length(value($..c))]","d":{"c":"cd","values":[{"a":"ab"},{"a":"d"}]},"r":[{"a":"ab"}]}
      {"s":"$[?length(value(@.a))>0]","d":[{"b":"ab"},{"c":"d"}],"r":[]}
      """#))
  func length(_ query: QueryCase) throws { try query.check() }

  @Test(
    "evaluates count and value",
    arguments: QueryCase.table(
      #"""
      {"s":"$[?count(@..*)>2]","d":[{"a":[1,2,3]},{"a":[1],"d":"f"},{"a":1,"d":"f"}],"r":[{"a":[1,2,3]},{"a":[1],"d":"f"}]}
      {"s":"$[?count(@.a)>0]","d":[{"a":null},{}],"r":[{"a":null}]}
      {"s":"$[?count(@.*)==0]","d":[[],1,{"a":1}],"r":[[],1]}
      {"s":"$[?count(@['a','d'])>1]","d":[{"a":1,"d":2},{"a":1}],"r":[{"a":1,"d":2}]}
      {"s":"$[?count($.*)==3]","d":[1,2,3],"r":[1,2,3]}
      {"s":"$[?count(@[?@>1])==2]","d":[[1,2,3],[2]],"r":[[1,2,3]]}
      {"s":"$[?value(@.*)==4]","d":[[4],{"foo":4},[5],{"foo":5},4],"r":[[4],{"foo":4}]}
      {"s":"$[?value(@.*)==4]","d":[[4,4],{"foo":4,"bar":4}],"r":[]}
      {"s":"$[?value(@..color)=='red']","d":[{"a":{"color":"red"}},{"color":"red","b":{"color":"red"}}],"r":[{"a":{"color":"red"}}]}
      {"s":"$[?value(@.a)==value(@.b)]","d":[{"c":1}],"r":[{"c":1}]}
      """#))
  func countAndValue(_ query: QueryCase) throws { try query.check() }

  @Test(
    "evaluates match and search",
    arguments: QueryCase.table(
      #"""
      {"s":"$[?match(@.a, 'a.*')]","d":[{"a":"ab"},{"a":"ba"}],"r":[{"a":"ab"}]}
      {"s":"$[?match(@, 'a')]","d":["a","ab","ba",1,null],"r":["a"]}
      {"s":"$[?search(@, 'a')]","d":["a","ab","ba","b",1,["a"]],"r":["a","ab","ba"]}
      {"s":"$[?!match(@.a, 'a.*')]","d":[{"a":"bc"},{"a":"ab"},{}],"r":[{"a":"bc"},{}]}
      {"s":"$[?match(@.a, 'a.*')]","d":[{"a":1},{"b":"ab"}],"r":[]}
      {"s":"$[?match(@.a, 1)]","d":[{"a":"1"}],"r":[]}
      {"s":"$[?match(1, '1')]","d":["1"],"r":[]}
      {"s":"$.values[?match(@, $.regex)]","d":{"regex":"b.?b","values":["abc","bcd","bab","bba","bbab","b",true,[],{}]},"r":["bab"]}
      {"s":"$.values[?search(@, $.regex)]","d":{"regex":"b.?b","values":["abc","bcd","bab","bba","bbab","b",true,[],{}]},"r":["bab","bba","bbab"]}
      {"s":"$.values[?match(@.a, value($..['regex']))]","d":{"regex":"a.*","values":[{"a":"ab"},{"a":"ba"}]},"r":[{"a":"ab"}]}
      {"s":"$.values[?match(@, $.none)]","d":{"values":["x"]},"r":[]}
      {"s":"$.values[?match(@, $.bad)]","d":{"bad":"a(","values":["a"]},"r":[]}
      {"s":"$[?match(@, '(')]","d":["("],"r":[]}
      {"s":"$[?search(@, '\\\\d')]","d":["1","d"],"r":[]}
      {"s":"$[?match(@, 'a.c')]","d":["abc","a\nc","a\rc","a\u2028c","a\u2029c","a😀c","ac"],"r":["abc","a\u2028c","a\u2029c","a😀c"]}
      {"s":"$[?match(@, 'a[.b]c')]","d":["abc","a.c","axc"],"r":["abc","a.c"]}
      {"s":"$[?match(@, 'a\\\\.c')]","d":["abc","a.c"],"r":["a.c"]}
      {"s":"$[?match(@, '\\\\p{Lu}')]","d":["ж","Ж","1"],"r":["Ж"]}
      {"s":"$[?match(@, '\\\\P{Lu}')]","d":["ж","Ж","1"],"r":["ж","1"]}
      {"s":"$[?search(@, 'a|b')]","d":["xay","xby","xcy"],"r":["xay","xby"]}
      {"s":"$[?search(@, '')]","d":["","x",1],"r":["","x"]}
      {"s":"$[?search(@, '^a')]","d":["ab","ba","^a"],"r":["ab"]}
      {"s":"$[?search(@, 'a$')]","d":["ab","ba","a$"],"r":["ba"]}
      {"s":"$[?match(@, '^ab.*')]","d":["abc","axc","ab","xab"],"r":["abc","ab"]}
      {"s":"$[?match(@, '.*bc$')]","d":["abc","axc","ab","abcx"],"r":["abc"]}
      {"s":"$[?match(@, 'a\\\\\\\\.c')]","d":["abc","a.c","a\\ c"],"r":["a\\ c"]}
      {"s":"$[?match(@, 'a[\\\\].]c')]","d":["abc","a.c","a]c"],"r":["a.c","a]c"]}
      {"s":"$[?search(@, '[Bb]ob')]","d":["Bob","bobby","rob"],"r":["Bob","bobby"]}
      """#))
  func matchAndSearch(_ query: QueryCase) throws { try query.check() }

  @Test(
    "rejects ill-typed and unknown functions",
    arguments: QueryCase.selectors(
      #"""
      "$[?length(@.a)]"
      "$[?length()==1]"
      "$[?length(@.a,@.b)==1]"
      "$[?length(@.*)==1]"
      "$[?length(@.a.*)<3]"
      "$[?length(@.a)==length]"
      "$[?length(match(@.a,'b'))==1]"
      "$[?length(@.a==1)==1]"
      "$[?length((@.a))==1]"
      "$[?length(!@.a)==1]"
      "$[?count(@.*)]"
      "$[?count()==1]"
      "$[?count(@.a,@.b)==1]"
      "$[?count(1)>2]"
      "$[?count('a')>2]"
      "$[?count(true)>2]"
      "$[?count(null)>2]"
      "$[?count(length(@.a))>2]"
      "$[?value(@.a)]"
      "$[?value()==1]"
      "$[?value(@.a,@.b)==1]"
      "$[?value('a')==1]"
      "$[?match(@.a,'b')==true]"
      "$[?true==match(@.a,'b')]"
      "$[?match(@.a)]"
      "$[?match()]"
      "$[?match(@.a,@.b,@.c)]"
      "$[?match(@.*,'a')]"
      "$[?match(@.a,@.*)]"
      "$[?match(@.a,match(@.b,'c'))]"
      "$[?search(@.a)]"
      "$[?search(@.a,'b')==true]"
      "$[?search(@.a,'b','c')]"
      "$[?length(@.a,)==1]"
      "$[?length(,@.a)==1]"
      "$[?length(@.a @.b)==1]"
      "$[?length(@.a==1]"
      "$[?length (@.a)==1]"
      "$[?count\n(@.*)==1]"
      "$[?LENGTH(@.a)==1]"
      "$[?Count(@.*)==1]"
      "$[?foo(@.a)]"
      "$[?_(@.a)]"
      "$[?true(@.a)]"
      "$[?keys(@.a)==1]"
      "$.length(@)"
      "$[length(@)]"
      "length($)"
      """#))
  func illTyped(_ selector: String) {
    #expect(throws: JSONPathSyntaxError.self) { try JSONPathQuery(parsing: selector) }
  }
}
