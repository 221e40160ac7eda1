import Diagnostics
import Documents

/// Reads a `project.pbxproj` file, from the targets to the settings of their configurations.
///
/// Objects refer to each other by ID. In a malformed file, IDs can be missing or circular, so every search is bounded.
struct XcodeProjectReader {
  /// The maximum number of configurations. In a hostile file, every target could refer to every list.
  private static let maximumConfigurations = 500

  private let objects: Node
  /// The folder of the `.xcodeproj` bundle, which is the base of the project's paths (`SRCROOT`).
  private let sourceRoot: String
  private let projectName: String
  private var targets: [Node] = []
  private var project: Node?
  private var lists: [String: Node] = [:]
  private var configurationNodes: [String: Node] = [:]
  private var configFiles: XcodeConfigFiles
  /// The layers created so far, by the offset of the configuration and by file path.
  private var layersByOffset: [Int: XcodeBuildSettings.Layer] = [:]
  private var layersByPath: [String: XcodeBuildSettings.Layer] = [:]

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
    let projectConfigurations = project.map(nodes) ?? []
    let paths = configFilePaths()
    var result: [XcodeProject.Configuration] = []
    for target in targets {
      for configuration in nodes(of: target) {
        let name = configuration["name"]?.string ?? ""
        let projectConfiguration = projectConfigurations.first { $0["name"]?.string == name }
        var layers = layers(of: configuration, paths)
        if let projectConfiguration { layers += self.layers(of: projectConfiguration, paths) }
        let settings = XcodeBuildSettings(
          layers: layers,
          builtIn: builtIn(target: target["name"]?.string ?? "", configuration: name))
        for condition in settings.conditions {
          guard result.count < Self.maximumConfigurations else { return result }
          result.append(makeConfiguration(target, name, settings.under(condition), condition))
        }
      }
    }
    return result
  }

  private func makeConfiguration(
    _ target: Node, _ name: String, _ settings: XcodeBuildSettings, _ condition: String?
  ) -> XcodeProject.Configuration {
    func path(_ key: String) -> String? {
      guard let path = settings.value(of: key)?.value, !path.isEmpty, !Definitions.containsReference(path) else {
        return nil
      }
      return FilePath.join(sourceRoot, path)
    }
    let bundleID = settings.value(of: "PRODUCT_BUNDLE_IDENTIFIER").flatMap {
      $0.value.isEmpty || Definitions.containsReference($0.value) ? nil : $0
    }
    return XcodeProject.Configuration(
      target: target["name"]?.string ?? "", productType: target["productType"]?.string, name: name,
      condition: condition, infoPlist: path("INFOPLIST_FILE"), entitlements: path("CODE_SIGN_ENTITLEMENTS"),
      bundleID: bundleID, sdk: settings.value(of: "SDKROOT")?.value, settings: settings)
  }

  /// Returns the configurations of a target or of the project.
  private func nodes(of owner: Node) -> [Node] {
    guard let list = owner["buildConfigurationList"]?.string.flatMap({ lists[$0] }) else { return [] }
    let ids = list["buildConfigurations"].map { Array($0.elements.prefix(Self.maximumConfigurations)) } ?? []
    return ids.compactMap { $0.string.flatMap { configurationNodes[$0] } }
  }

  private mutating func layers(of configuration: Node, _ paths: [String: String]) -> [XcodeBuildSettings.Layer] {
    var layers: [XcodeBuildSettings.Layer] = []
    if let own = configuration["buildSettings"], own.kind == .mapping {
      let layer = layersByOffset[own.span.start] ?? XcodeBuildSettings.Layer(own)
      layersByOffset[own.span.start] = layer
      layers.append(layer)
    }
    if let base = configuration["baseConfigurationReference"]?.string.flatMap({ paths[$0] })
      ?? anchoredConfigFile(configuration)
    {
      let layer = layersByPath[base] ?? XcodeBuildSettings.Layer(configFiles.values(of: base))
      layersByPath[base] = layer
      layers.append(layer)
    }
    return layers
  }

  /// Returns the configuration file that Xcode 16 specifies as a folder and a path in it.
  private func anchoredConfigFile(_ configuration: Node) -> String? {
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
      // Paths are relative to the source root.
      "SRCROOT": ".", "SOURCE_ROOT": ".", "PROJECT_DIR": ".",
    ]
  }

  /// Returns the paths of configuration files by ID. Each path is relative to the file's group.
  private func configFilePaths() -> [String: String] {
    let referencedIDs = Set(configurationNodes.values.compactMap { $0["baseConfigurationReference"]?.string })
    guard !referencedIDs.isEmpty else { return [:] }
    var parents: [String: Node] = [:]
    var groupIDs: [String: String] = [:]
    var files: [String: Node] = [:]
    for (key, object) in objects.entries {
      guard let id = key.string, let isa = object["isa"]?.string else { continue }
      if isa == "PBXFileReference", referencedIDs.contains(id), files.count < Self.maximumConfigurations {
        files[id] = object
      }
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
      // The outermost group is relative to `projectDirPath`, which is rarely set.
      if tree == "<group>" || tree == "SOURCE_ROOT" { paths[id] = FilePath.join(sourceRoot, path) }
      if tree == "<absolute>" { paths[id] = path }
    }
    return paths
  }
}
