import Documents
import Effects
import GraphEmulator
import HTTPTypes
import Testing

import IdentityEmulator

/// Tests To Do lists and tasks.
@Suite struct GraphTodoTests {
  @Test("creates, renames, and deletes lists, except the built-in list")
  func lists() async throws {
    let probe = GraphProbe("Tasks.ReadWrite")
    let builtIn = try #require(await probe.get("/me/todo/lists").value.first?["id"]?.string)
    let created = await probe.post("/me/todo/lists", ["displayName": "Errands"])
    #expect(created.status == 201)
    let id = try #require(created.body["id"]?.string)
    #expect(await probe.get("/me/todo/lists").names() == ["Tasks", "Errands"])
    #expect(await probe.patch("/me/todo/lists/\(id)", ["displayName": "Shopping"]).body["displayName"] == "Shopping")
    #expect(await probe.post("/me/todo/lists/\(id)/tasks", ["title": "Milk"]).status == 201)
    #expect(await probe.delete("/me/todo/lists/\(id)").status == 204)
    #expect(await probe.get("/me/todo/lists/\(id)/tasks").status == 404)
    #expect(await probe.delete("/me/todo/lists/\(builtIn)").status == 400)
    #expect(await probe.post("/me/todo/lists", [:]).status == 400)
  }

  @Test("creates, completes, filters, and deletes tasks")
  func tasks() async throws {
    let probe = GraphProbe("Tasks.ReadWrite")
    let list = try #require(await probe.get("/me/todo/lists").value.first?["id"]?.string)
    let all = "/me/todo/lists/\(list)/tasks"
    let due: JSON = ["dateTime": "2025-02-01T00:00:00", "timeZone": "UTC"]
    let milk = await probe.post(all, ["title": "Milk", "dueDateTime": due])
    #expect(milk.status == 201)
    #expect(milk.body["status"] == "notStarted")
    #expect(milk.body["~list"] == nil)
    _ = await probe.post(all, ["title": "Bread", "importance": "high"])
    let id = try #require(milk.body["id"]?.string)
    let done = await probe.patch("\(all)/\(id)", ["status": "completed"])
    #expect(done.body["completedDateTime"]?["dateTime"]?.string?.hasPrefix("2025-01-01T00:00:00") == true)
    #expect(done.body["@odata.etag"] != milk.body["@odata.etag"])
    #expect(await probe.get("\(all)?$filter=status ne 'completed'").names("title") == ["Bread"])
    #expect(await probe.get("\(all)?$top=1").link != nil)
    #expect(await probe.patch("\(all)/\(id)", ["status": "notStarted"]).body["completedDateTime"] == .some(.null))
    #expect(await probe.delete("\(all)/\(id)").status == 204)
    #expect(await probe.get("\(all)/\(id)").status == 404)
  }

  @Test("rejects a task without a title, with an unknown status, or with unsupported properties")
  func wrongTasks() async throws {
    let probe = GraphProbe("Tasks.ReadWrite")
    let list = try #require(await probe.get("/me/todo/lists").value.first?["id"]?.string)
    let all = "/me/todo/lists/\(list)/tasks"
    #expect(await probe.post(all, [:]).status == 400)
    #expect(await probe.post(all, ["title": "a", "status": "lazy"]).status == 400)
    #expect(await probe.post(all, ["title": "a", "linkedResources": []]).code == "NotEmulated")
    #expect(await probe.with("Tasks.Read").post(all, ["title": "a"]).status == 403)
  }
}
