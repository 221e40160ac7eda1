/// The version of authflow. No other file defines the version.
enum Version {
  /// The version in the format of Semantic Versioning 2.0.0.
  static let text = "0.1.0"

  /// The commit that the program was built from, or nil if it is unknown. Contains `modified` if the checkout had
  /// uncommitted changes.
  @TaskLocal static var commit: String?

  /// The output of `authflow --version` after the name, such as `0.1.0 (3f2a91c0b7de)`.
  static var full: String { commit.map { "\(text) (\($0))" } ?? text }
}
