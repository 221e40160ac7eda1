import OAuth

/// Addresses of drive items: an id or `root`, optionally followed by a path (`root:/Documents/Notes.md`).
enum DrivePath {
  /// Joins the segments of a path between colons into one segment, so that routes have a fixed number of segments:
  /// `drive/root:/a/b:/content` becomes `drive/items/{root:/a/b}/content`.
  static func folded(_ segments: ArraySlice<String>) -> ArraySlice<String> {
    let all = Array(segments)
    guard all.count >= 2, all[0].lowercased() == "drive" else { return segments }
    let base: String
    var index: Int
    if all[1].lowercased() == "root:" {
      (base, index) = ("root", 2)
    } else if all.count >= 3, all[1].lowercased() == "items", all[2].hasSuffix(":") {
      (base, index) = (String(all[2].dropLast()), 3)
    } else {
      return segments
    }
    var names: [String] = []
    while index < all.count {
      let name = all[index]
      index += 1
      names.append(name.hasSuffix(":") ? String(name.dropLast()) : name)
      if name.hasSuffix(":") { break }
    }
    let path = names.filter { !$0.isEmpty }.joined(separator: "/")
    return (["drive", "items", path.isEmpty ? base : "\(base):/\(path)"] + all[index...])[...]
  }

  /// Splits an address into the item at its start and the names in the path that follows.
  static func parts(of address: String) -> (base: String, names: [String]) {
    guard let separator = address.firstRange(of: ":/") else { return (address, []) }
    return (
      String(address[..<separator.lowerBound]), address[separator.upperBound...].split(separator: "/").map(String.init)
    )
  }

  /// Throws an error if OneDrive does not accept a name.
  static func check(_ name: String) throws(GraphErrorResponse) {
    let isValid =
      !name.isEmpty && name != "." && name != ".." && name.utf16.count <= 255
      && !name.contains { "\"*:<>?/\\|".contains($0) } && name.trimmingSpaces() == name
    guard isValid else { throw DriveStore.invalid("The name '\(name.prefix(60))' is not valid for a file or folder.") }
  }
}
