import Diagnostics
import Documents

/// Follows a `project.pbxproj` from its targets to what their configurations say.
///
/// Its objects name each other by id, so a broken file may name what is not there, or itself: every walk has an end.
struct XcodeProjectReader {
  /// No real project has more; a hostile one could name each list from each target.
  private static let mostConfigurations = 500

  private let objects: Node
  /// Where the project's own file lies, and what its paths start from: `SRCROOT`.
  private let sourceRoot: String
  private let projectName: String
  private var targets: [Node] = []
  private var project: Node?
  private var lists: [String: Node] = [:]
  private var configurationNodes: [String: Node] = [:]
  private var configFiles: XcodeConfigFiles
  /// The layers made so far, by where the configuration begins, and by the file's path.
  private var made: [Int: XcodeBuildSettings.Layer] = [:]
  private var madeOfFiles: [String: XcodeBuildSettings.Layer] = [:]

  init(_ root: Node, load: @escaping DocumentLoader) {
    objects = root["objects"] ?? root
    let folder = FilePath.folder(of: root.place.source.name)
    sourceRoot = FilePath.join(folder, "..")
    let bundle = FilePath.name(of: folder)
    projectName = bundle.hasSuffix(".xcodeproj") ? String(bundle.dropLast(".xcodeproj".count)) : bundle
    configFiles = XcodeConfigFiles(load: load)
    for (key, object) in objects.entries {
      guard let id = key.string, let isa = object["isa"]?.string else { continue }
      switch isa {
      case "PBXNativeTarget": targets.append(object)
      case "PBXProject": project = project ?? object
      case "XCConfigurationList": lists[id] = object
      case "XCBuildConfiguration": configurationNodes[id] = object
      default: break
      }
    }
  }

  mutating func configurations() -> [XcodeProject.Configuration] {
    let ofProject = project.map(nodes) ?? []
    let paths = configFilePaths()
    var found: [XcodeProject.Configuration] = []
    for target in targets {
      for configuration in nodes(of: target) {
        let name = configuration["name"]?.string ?? ""
        let beneath = ofProject.first { $0["name"]?.string == name }
        var layers = layers(of: configuration, paths)
        if let beneath { layers += self.layers(of: beneath, paths) }
        let settings = XcodeBuildSettings(
          layers: layers,
          builtIn: builtIn(target: target["name"]?.string ?? "", configuration: name))
        for condition in settings.conditions {
          guard found.count < Self.mostConfigurations else { return found }
          found.append(make(target, name, settings.under(condition), condition))
        }
      }
    }
    return found
  }

  private func make(
    _ target: Node, _ name: String, _ settings: XcodeBuildSettings, _ condition: String?
  ) -> XcodeProject.Configuration {
    func path(_ key: String) -> String? {
      guard let path = settings.value(of: key)?.value, !path.isEmpty, !Definitions.holdsReference(path) else {
        return nil
      }
      return FilePath.join(sourceRoot, path)
    }
    let bundleID = settings.value(of: "PRODUCT_BUNDLE_IDENTIFIER").flatMap {
      $0.value.isEmpty || Definitions.holdsReference($0.value) ? nil : $0
    }
    return XcodeProject.Configuration(
      target: target["name"]?.string ?? "", productType: target["productType"]?.string, name: name,
      condition: condition, infoPlist: path("INFOPLIST_FILE"), entitlements: path("CODE_SIGN_ENTITLEMENTS"),
      bundleID: bundleID, sdk: settings.value(of: "SDKROOT")?.value, settings: settings)
  }

  /// The configurations of a target, or of the project.
  private func nodes(of owner: Node) -> [Node] {
    guard let list = owner["buildConfigurationList"]?.string.flatMap({ lists[$0] }) else { return [] }
    let ids = list["buildConfigurations"].map { Array($0.elements.prefix(Self.mostConfigurations)) } ?? []
    return ids.compactMap { $0.string.flatMap { configurationNodes[$0] } }
  }

  private mutating func layers(of configuration: Node, _ paths: [String: String]) -> [XcodeBuildSettings.Layer] {
    var layers: [XcodeBuildSettings.Layer] = []
    if let own = configuration["buildSettings"], own.kind == .mapping {
      let layer = made[own.span.start] ?? XcodeBuildSettings.Layer(own)
      made[own.span.start] = layer
      layers.append(layer)
    }
    if let base = configuration["baseConfigurationReference"]?.string.flatMap({ paths[$0] }) ?? anchored(configuration)
    {
      let layer = madeOfFiles[base] ?? XcodeBuildSettings.Layer(configFiles.values(of: base))
      madeOfFiles[base] = layer
      layers.append(layer)
    }
    return layers
  }

  /// Xcode 16 names the file by a folder and a path inside it.
  private func anchored(_ configuration: Node) -> String? {
    guard let anchor = configuration["baseConfigurationReferenceAnchor"]?.string,
      let path = configuration["baseConfigurationReferenceRelativePath"]?.string,
      let folder = objects[anchor]?["path"]?.string
    else { return nil }
    return FilePath.join(sourceRoot, "\(folder)/\(path)")
  }

  private func builtIn(target: String, configuration: String) -> [String: String] {
    [
      "TARGET_NAME": target, "TARGETNAME": target, "CONFIGURATION": configuration, "PROJECT_NAME": projectName,
      "PROJECT": projectName, "PRODUCT_NAME": target, "PRODUCT_MODULE_NAME": target,
      // Paths are put behind the source root anyway.
      "SRCROOT": ".", "SOURCE_ROOT": ".", "PROJECT_DIR": ".",
    ]
  }

  /// The paths of the files that configurations are based on, by id: each is named from the group that it stands in.
  private func configFilePaths() -> [String: String] {
    let wanted = Set(configurationNodes.values.compactMap { $0["baseConfigurationReference"]?.string })
    guard !wanted.isEmpty else { return [:] }
    var parents: [String: Node] = [:]
    var groupIDs: [String: String] = [:]
    var files: [String: Node] = [:]
    for (key, object) in objects.entries {
      guard let id = key.string, let isa = object["isa"]?.string else { continue }
      if isa == "PBXFileReference", wanted.contains(id), files.count < Self.mostConfigurations { files[id] = object }
      guard isa == "PBXGroup" || isa == "PBXVariantGroup", let children = object["children"] else { continue }
      for child in children.elements {
        guard let child = child.string else { continue }
        parents[child] = object
        groupIDs[child] = id
      }
    }
    var paths: [String: String] = [:]
    for (id, file) in files {
      guard var path = file["path"]?.string, var tree = file["sourceTree"]?.string else { continue }
      var current = id
      for _ in 0..<64 where tree == "<group>" {
        guard let group = parents[current], let groupID = groupIDs[current] else { break }
        if let folder = group["path"]?.string { path = "\(folder)/\(path)" }
        tree = group["sourceTree"]?.string ?? "<group>"
        current = groupID
      }
      // The outermost group lies at the project's own `projectDirPath`, which hardly anybody sets.
      if tree == "<group>" || tree == "SOURCE_ROOT" { paths[id] = FilePath.join(sourceRoot, path) }
      if tree == "<absolute>" { paths[id] = path }
    }
    return paths
  }
}
