extension URLReference {
  /// Resolves a reference against this URL with the strict algorithm of RFC 3986 §5.2.
  package func resolving(_ reference: URLReference) -> URLReference {
    var target = reference
    if reference.scheme != nil {
      if reference.authority != nil || reference.path.hasPrefix("/") { target.removeDotSegments() }
      return target
    }
    target.scheme = scheme
    if reference.authority != nil {
      target.removeDotSegments()
      return target
    }
    target.authority = authority
    if reference.path.isEmpty {
      target.path = path
      target.query = reference.query ?? query
    } else {
      if !reference.path.hasPrefix("/") { target.path = merged(with: reference.path) }
      target.removeDotSegments()
    }
    return target
  }

  /// Resolves a reference in a page. As in browsers, surrounding spaces and line breaks are ignored, and spaces inside
  /// the reference are encoded.
  package func resolving(_ text: String) -> URLReference {
    if !text.hasByte(where: { $0 <= 32 }) { return resolving(URLReference(text)) }
    var trimmed = text.unicodeScalars[...].drop { $0.value <= 32 }
    while let last = trimmed.last, last.value <= 32 { trimmed.removeLast() }
    var spelled = ""
    for scalar in trimmed where scalar != "\n" && scalar != "\r" && scalar != "\t" {
      if scalar == " " { spelled += "%20" } else { spelled.unicodeScalars.append(scalar) }
    }
    return resolving(URLReference(spelled))
  }

  private func merged(with relative: String) -> String {
    if authority != nil, path.isEmpty { return "/" + relative }
    guard let slash = path.lastIndex(of: "/") else { return relative }
    return path[...slash] + relative
  }

  private mutating func removeDotSegments() {
    guard path.utf8.contains(UInt8(ascii: ".")) else { return }
    var output: [Substring] = []
    let segments = path.split(separator: "/", omittingEmptySubsequences: false)
    let isAbsolute = path.hasPrefix("/")
    for (position, segment) in segments.enumerated() {
      let isLast = position == segments.count - 1
      switch segment {
      case ".": if isLast { output.append("") }
      case "..":
        if output.count > (isAbsolute ? 1 : 0) { output.removeLast() }
        if isLast { output.append("") }
      default: output.append(segment)
      }
    }
    path = output.joined(separator: "/")
    if isAbsolute, !path.hasPrefix("/") { path = "/" + path }
  }
}
