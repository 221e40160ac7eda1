// Fuzz targets that load and run projects or diagnose failures. They mutate the values in shipped workflows and the
// bytes of logs.
//
//   FuzzProjects seeds FOLDER MOST   write the initial inputs of the targets

import FuzzSupport

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

if CommandLine.arguments.count == 4, CommandLine.arguments[1] == "seeds", let most = Int(CommandLine.arguments[3]) {
  try SeedMaker.write(to: CommandLine.arguments[2], most: most)
  exit(0)
}
Reached.printAtExit()
FuzzDriver.run([
  "run": { ProjectTargets.run(FuzzDriver.bytes($0, $1)) },
  "test": { ProjectTargets.test(FuzzDriver.bytes($0, $1)) },
  "directory": { ProjectTargets.directory(FuzzDriver.bytes($0, $1)) },
  "diagnosis": { DiagnosisTarget.run(FuzzDriver.bytes($0, $1)) },
  "recording": { ProjectTargets.recording(FuzzDriver.bytes($0, $1)) },
])
