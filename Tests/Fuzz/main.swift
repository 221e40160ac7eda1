// The fuzz targets, in one program: its first argument chooses the target, the others are libFuzzer's. `seeds` writes the
// inputs that the targets of whole projects start from.
// It is built by .ci/check-fuzz alone, with libFuzzer's instrumentation.

import Documents

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// What libFuzzer calls with every input; the answer 0 means that the input was of use.
typealias FuzzTarget = @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt

/// libFuzzer's main loop (FuzzerInterface.h).
@_silgen_name("LLVMFuzzerRunDriver")
func runDriver(
  _ count: UnsafeMutablePointer<CInt>,
  _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>, _ target: FuzzTarget
) -> CInt

func copy(_ start: UnsafePointer<UInt8>?, _ count: Int) -> [UInt8] {
  Array(UnsafeBufferPointer(start: start, count: count))
}

/// Every target by name: what it reads is checked by `Oracles`.
func target(_ name: String) -> FuzzTarget? {
  switch name {
  case "json": { ReaderTargets.document(copy($0, $1), .json, named: "a.json") }
  case "yaml": { ReaderTargets.document(copy($0, $1), .yaml, named: "a.yaml") }
  case "xml-plist": { ReaderTargets.document(copy($0, $1), .xmlPropertyList, named: "a.plist") }
  case "binary-plist": { ReaderTargets.document(copy($0, $1), .binaryPropertyList, named: "a.plist") }
  case "openstep": { ReaderTargets.document(copy($0, $1), .openStepPropertyList, named: "a.plist") }
  case "xml": { ReaderTargets.xml(copy($0, $1)) }
  case "xcconfig": { ReaderTargets.xcconfig(copy($0, $1)) }
  case "validation": { ValidationTarget.run(copy($0, $1)) }
  case "run": { ProjectTargets.run(copy($0, $1)) }
  case "test": { ProjectTargets.test(copy($0, $1)) }
  case "directory": { ProjectTargets.directory(copy($0, $1)) }
  case "recording": { ProjectTargets.recording(copy($0, $1)) }
  default: nil
  }
}

if CommandLine.arguments.count == 4, CommandLine.arguments[1] == "seeds", let most = Int(CommandLine.arguments[3]) {
  try SeedMaker.write(to: CommandLine.arguments[2], most: most)
  exit(0)
}
guard CommandLine.arguments.count > 1, let chosen = target(CommandLine.arguments[1]) else {
  complain(
    """
    usage: Fuzz TARGET [libFuzzer's arguments]
           Fuzz seeds FOLDER MOST
    targets: json yaml xml-plist binary-plist openstep xml xcconfig validation run test directory recording
    """)
  exit(2)
}
if ["run", "test", "directory", "recording"].contains(CommandLine.arguments[1]) {
  Mutator.changesTrees = true
  Reached.printAtExit()
}
let arguments = [CommandLine.arguments[0]] + CommandLine.arguments.dropFirst(2)
var count = CInt(arguments.count)
let vector = UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>.allocate(capacity: arguments.count + 1)
for (index, argument) in arguments.enumerated() { vector[index] = strdup(argument) }
vector[arguments.count] = nil
var start = vector
exit(runDriver(&count, &start, chosen))
