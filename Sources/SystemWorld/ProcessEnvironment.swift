import Effects

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  @preconcurrency import Musl
#else
  // `environ` is a global variable in C. authflow reads it once, before other code can change it.
  @preconcurrency import Glibc
#endif

extension Environment {
  /// Returns the environment variables and the working directory of this process.
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
        // If a name occurs twice, the first value applies, as in `getenv`.
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

  /// The number of online processors.
  private static var processors: Int { max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN)))) }
}
