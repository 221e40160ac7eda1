import AppRegistration
import Diagnostics
import Documents
import Effects
import Validation

extension ProjectFacts {
  /// Reads the Info.plist next to a settings file, and the Xcode projects in its folder and the parent folder.
  /// - Parameter file: The settings file. If this is standard input, no project files are read.
  /// - Throws: `.usageError` if the files cannot be searched.
  init(nextTo file: String, in session: Session) throws(ExitStatus) {
    self.init()
    guard file != "-", !file.hasPrefix("/dev/") else { return }
    let files = session.world.files
    let folder = FilePath.folder(of: file)
    func names(in folder: String) -> [String] { ((try? files.list(folder.isEmpty ? "." : folder)) ?? []).sorted() }
    let plists = names(in: folder).filter { $0.hasSuffix("Info.plist") }
    let plist = plists.contains("Info.plist") ? "Info.plist" : plists.count == 1 ? plists[0] : nil
    var paths = plist.map { [FilePath.join(folder, $0)] } ?? []
    for folder in [folder, FilePath.join(folder, "..")] {
      for name in names(in: folder) where name.hasSuffix(".xcodeproj") {
        let path = FilePath.join(folder, name + "/project.pbxproj")
        if files.kind(of: path) == .file { paths.append(path) }
      }
    }
    guard !paths.isEmpty else { return }
    let project = try session.searchProject(paths)
    let detected = DetectedRegistration(ProjectValidator(load: session.load(inputs: paths)).project(of: project.files))
    bundleID = detected.bundleID.map { Positioned($0.value, at: .file($0.origin)) }
    platform = detected.platform.map { Positioned($0.value, at: .file($0.origin)) }
    infoPlist = plist
  }
}
