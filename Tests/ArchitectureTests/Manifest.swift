import Foundation
import TestSupport

/// The module groups of `Package.swift`.
struct Manifest {
  struct Group {
    var name: String
    var modules: [String]
  }

  /// The module groups, except system libraries, from the lowest layer to the highest.
  private(set) var groups: [Group] = []
  /// The modules of this package that each module depends on.
  private(set) var dependencies: [String: Set<String>] = [:]

  init() throws {
    let text = try String(contentsOf: ProjectFiles.directory.appending(path: "Package.swift"), encoding: .utf8)
    for group in text.matches(of: /let (\w+Modules): \[Target\] = \[\n(?s:(.*?))\n\]\n/) {
      var modules: [String] = []
      for target in group.2.matches(
        of: /(?:module\(\s*|executableTarget\(\s*name: )"(\w+)"(?s:(.*?))(?=\n  [a-zA-Z.]+\(|\z)/)
      {
        let name = String(target.1)
        modules.append(name)
        let list = target.2.firstMatch(of: /dependencies: \[(?s:(.*?))\]/)?.1 ?? ""
        dependencies[name] = Set(list.matches(of: /"(\w+)"/).map { String($0.1) })
      }
      groups.append(Group(name: String(group.1), modules: modules))
    }
  }

  var modules: [String] { groups.flatMap(\.modules) }

  /// Returns the direct and indirect dependencies of a module.
  func reachable(from module: String) -> Set<String> {
    var result: Set<String> = []
    var pending = [module]
    while let next = pending.popLast() {
      for dependency in dependencies[next] ?? [] where result.insert(dependency).inserted { pending.append(dependency) }
    }
    return result
  }

  /// An SVG image with a row for each group, the highest layer at the top.
  var picture: String {
    let (width, rowHeight, boxHeight) = (960, 74, 30)
    var rows = ""
    var y = 16
    for group in groups.reversed() {
      var boxes = ""
      var (x, lines) = (210, 0)
      for module in group.modules {
        let boxWidth = module.count * 8 + 20
        if x + boxWidth > width - 16 { (x, lines) = (210, lines + 1) }
        let top = y + 12 + lines * (boxHeight + 8)
        boxes += """
            <rect x="\(x)" y="\(top)" width="\(boxWidth)" height="\(boxHeight)" rx="6" class="module"/>
            <text x="\(x + boxWidth / 2)" y="\(top + 20)" text-anchor="middle">\(module)</text>

          """
        x += boxWidth + 8
      }
      let height = rowHeight - 20 + lines * (boxHeight + 8)
      rows += """
          <rect x="8" y="\(y)" width="\(width - 16)" height="\(height)" rx="10" class="layer"/>
          <text x="24" y="\(y + 32)" class="name">\(group.name.dropLast("Modules".count))</text>
        \(boxes)
        """
      y += height + 10
    }
    return """
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(width) \(y + 6)" role="img" aria-labelledby="title">
        <title id="title">The modules in layers</title>
        <style>
          text { font: 14px system-ui, sans-serif; fill: #1b1e25 } .name { font-weight: 600 }
          .layer { fill: #eef0f4 } .module { fill: #fff; stroke: #8a93a3 }
        </style>
        <rect width="\(width)" height="\(y + 6)" fill="#fff"/>
      \(rows)</svg>

      """
  }
}
