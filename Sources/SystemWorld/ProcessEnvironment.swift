import Effects

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  @preconcurrency import Musl
#else
  // `environ` is a global variable of C; it is read once, before anything could change it.
  @preconcurrency import Glibc
#endif

extension Environment {
  /// The variables and the working directory of this process, as they are now.
  package static func ofProcess() -> Environment {
    var variables: [String: String] = [:]
    #if canImport(Darwin)
      var next = _NSGetEnviron().pointee
    #else
      var next: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = environ
    #endif
    while let entry = next?.pointee {
      let text = String(cString: entry)
      if let equals = text.firstIndex(of: "=") {
        // The first of duplicates is what getenv finds.
        let name = String(text[..<equals])
        if variables[name] == nil { variables[name] = String(text[text.index(after: equals)...]) }
      }
      next = next?.advanced(by: 1)
    }
    var directory = "/"
    if let path = getcwd(nil, 0) {
      directory = String(cString: path)
      free(path)
    }
    return Environment(variables: variables, workingDirectory: directory, processors: processors)
  }

  /// The processors that are at work in this machine.
  private static var processors: Int { max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN)))) }
}
