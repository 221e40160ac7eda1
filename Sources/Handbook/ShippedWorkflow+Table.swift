extension ShippedWorkflow {
  /// What the files under `Workflows/` show, so that a program without them can point there. A test writes it anew
  /// (UPDATE_GOLDEN=1) and holds it to the files.
  static let table = #"""
    {}
    """#
}
