import Debugging
import Diagnostics
import Documents
import HTTPTypes
import LanguageService
import Lessons
import Reports
import Scenarios
import WorkflowModel
import WorkflowRunner

// The chapters of `authflow learn`.

extension StudioServer {
  /// The chapters, in order.
  static var lessons: JSON {
    .array(
      Chapter.all.map {
        [
          "name": .string($0.name), "number": .integer(Int64($0.number)), "title": .string($0.title),
          "summary": .string($0.summary),
        ]
      })
  }

  /// Returns a chapter's text and the state machine of its workflow.
  func lesson(_ name: String) -> Result<JSON, StudioError> {
    guard let chapter = Chapter.named(name) else {
      return .failure(StudioError(.notFound, "no lesson `\(name.prefix(100))`"))
    }
    let parts = chapter.parts.map { part -> JSON in
      switch part {
      case .text(let text): ["kind": "text", "paragraphs": .array(text.paragraphs.map { .string($0) })]
      case .workflow: ["kind": "workflow", "text": .string(chapter.shownWorkflow)]
      case .demonstration(let name): ["kind": "demonstration", "name": .string(name)]
      }
    }
    let exercise = chapter.exercise
    var json: JSON = [
      "name": .string(chapter.name), "number": .integer(Int64(chapter.number)), "title": .string(chapter.title),
      "parts": .array(parts), "task": .array(exercise.task.paragraphs.map { .string($0) }),
      "hints": .array(exercise.hints.map { .string($0) }), "exercise": .string(chapter.exerciseText),
    ]
    if let workflow = chapter.own(chapter.workflow).loaded?.workflow {
      json["machine"] = .string(DiagramFigure(DiagramWalk(MachineDiagram(workflow)), links: [:], end: nil).svg)
    }
    return .success(json)
  }

  /// Returns the demonstration that a request specifies.
  func demonstration(_ body: JSON) throws(StudioError) -> DebugProgram {
    let lesson = try Self.text("lesson", in: body)
    let name = try Self.text("demonstration", in: body)
    guard let test = Chapter.named(lesson)?.demonstration(name) else {
      throw StudioError(.notFound, "no demonstration `\(name.prefix(100))` in `\(lesson.prefix(100))`")
    }
    return DebugProgram(test, hasScenario: true)
  }

  /// Checks a solution to an exercise.
  func checkExercise(_ body: JSON) async throws(StudioError) -> JSON {
    let lesson = try Self.text("lesson", in: body)
    let text = try Self.text("text", in: body)
    guard let chapter = Chapter.named(lesson) else {
      throw StudioError(.notFound, "no lesson `\(lesson.prefix(100))`")
    }
    let check = ExerciseCheck(chapter, file: Chapter.exerciseFile) { path, options in
      guard path == Chapter.exerciseFile else {
        return ReadResult(
          document: nil,
          diagnostics: [
            Diagnostic(.error, rule: "unreadable-file", "an exercise cannot read other files", at: .file(path))
          ])
      }
      return DocumentReader.read(text, named: path, options: options)
    }
    var results: [JSON] = []
    for test in check.cases {
      let report = await test.run(in: world, tool: tool)
      results.append([
        "name": .string(test.name), "passed": .bool(report.verdict == .passed),
        "failures": .array(report.failureMessages.map { .string($0) }),
      ])
    }
    return [
      "findings": .array(check.diagnostics.map(Self.json)), "notes": .array(check.notes.map { .string($0) }),
      "scenarios": .array(results),
      "solved": .bool(
        !check.diagnostics.hasErrors && !results.isEmpty && results.allSatisfy { $0["passed"]?.bool == true }),
    ]
  }
}
