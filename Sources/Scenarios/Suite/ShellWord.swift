/// Words of a command line that a shell reads as they are meant.
package enum ShellWord {
  /// The word, between single quotes where it holds anything that a POSIX shell would take for more than itself.
  package static func quoted(_ word: String) -> String {
    let isPlain =
      !word.isEmpty
      && word.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"):
          true
        default: "%+-./:=@_,".utf8.contains(byte)
        }
      }
    return isPlain ? word : "'" + word.replacing("'", with: #"'\''"#) + "'"
  }
}
