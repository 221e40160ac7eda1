/// An API of Microsoft that every tenant has, beside Microsoft Graph. Its access tokens have version 1.
package struct FirstPartyAPI: Hashable, Sendable {
  package let name: String
  package let appID: String
  /// Identifier URIs without a closing slash. The host of a URI may begin with `*.`, which stands for any labels.
  package let uris: [String]
  /// Delegated permissions that apps request. An API may have more, which a directory can declare.
  package let scopes: [String]

  /// The API that an application id or an identifier URI names, with or without a closing slash.
  package static func named(_ name: String) -> FirstPartyAPI? {
    let lowercased = name.lowercased()
    if let api = byName[lowercased.hasSuffix("/") ? String(lowercased.dropLast()) : lowercased] { return api }
    guard let url = URLParts(name), url.scheme?.lowercased() == "https", ["", "/"].contains(url.path),
      let host = url.host?.lowercased()
    else { return nil }
    return bySuffix.first { host.hasSuffix($0.suffix) && host.count > $0.suffix.count }?.api
  }

  private static let byName: [String: FirstPartyAPI] = {
    var byName: [String: FirstPartyAPI] = [:]
    for api in all {
      for name in [api.appID] + api.uris where !name.contains("*") { byName[name.lowercased()] = api }
    }
    return byName
  }()

  private static let bySuffix: [(suffix: String, api: FirstPartyAPI)] = all.flatMap { api in
    api.uris.compactMap { uri in
      uri.hasPrefix("https://*.") ? (String(uri.dropFirst("https://*".count)), api) : nil
    }
  }

  private static func api(_ name: String, _ appID: String, _ uris: [String], _ scopes: [String]) -> FirstPartyAPI {
    FirstPartyAPI(name: name, appID: appID, uris: uris, scopes: scopes)
  }

  package static let azureManagementID = "797f4846-ba00-4fd7-ba43-dac1f8f63013"

  package static let all: [FirstPartyAPI] = [
    api(
      "Windows Azure Service Management API", azureManagementID,
      ["https://management.azure.com", "https://management.core.windows.net"], ["user_impersonation"]),
    api(
      "Windows Azure Active Directory", "00000002-0000-0000-c000-000000000000", ["https://graph.windows.net"],
      [
        "User.Read", "User.ReadBasic.All", "User.Read.All", "Directory.Read.All", "Directory.ReadWrite.All",
        "Directory.AccessAsUser.All", "Group.Read.All", "Group.ReadWrite.All", "Member.Read.Hidden",
      ]),
    api(
      "Office 365 Exchange Online", "00000002-0000-0ff1-ce00-000000000000",
      ["https://outlook.office.com", "https://outlook.office365.com"],
      [
        "IMAP.AccessAsUser.All", "POP.AccessAsUser.All", "SMTP.Send", "EWS.AccessAsUser.All", "Mail.Read",
        "Mail.ReadWrite", "Mail.Send", "Calendars.Read", "Calendars.ReadWrite", "Contacts.Read", "Contacts.ReadWrite",
        "MailboxSettings.Read", "MailboxSettings.ReadWrite", "Tasks.Read", "Tasks.ReadWrite", "User.Read",
        "User.ReadBasic.All", "EAS.AccessAsUser.All", "Exchange.Manage", "Mail.ReadBasic", "Mail.Read.Shared",
        "Mail.ReadWrite.Shared", "Mail.Send.Shared", "Calendars.Read.Shared", "Calendars.ReadWrite.Shared",
        "Contacts.Read.Shared", "Contacts.ReadWrite.Shared", "Tasks.Read.Shared", "Tasks.ReadWrite.Shared",
        "People.Read", "Group.Read.All", "Group.ReadWrite.All",
      ]),
    api(
      "Office 365 SharePoint Online", "00000003-0000-0ff1-ce00-000000000000", ["https://*.sharepoint.com"],
      [
        "AllSites.Read", "AllSites.Write", "AllSites.Manage", "AllSites.FullControl", "MyFiles.Read", "MyFiles.Write",
        "Sites.Search.All", "TermStore.Read.All", "TermStore.ReadWrite.All", "User.Read.All", "User.ReadWrite.All",
        "EnterpriseResource.Read", "EnterpriseResource.Write", "Project.Read", "Project.Write",
        "ProjectWebApp.FullControl", "ProjectWebAppReporting.Read", "TaskStatus.Submit",
      ]),
    api(
      "Power BI Service", "00000009-0000-0000-c000-000000000000", ["https://analysis.windows.net/powerbi/api"],
      [
        "App.Read.All", "Capacity.Read.All", "Capacity.ReadWrite.All", "Content.Create", "Dashboard.Read.All",
        "Dashboard.ReadWrite.All", "Dataflow.Read.All", "Dataflow.ReadWrite.All", "Dataset.Read.All",
        "Dataset.ReadWrite.All", "Gateway.Read.All", "Gateway.ReadWrite.All", "Report.Read.All", "Report.ReadWrite.All",
        "Tenant.Read.All", "Tenant.ReadWrite.All", "Workspace.Read.All", "Workspace.ReadWrite.All", "Pipeline.Deploy",
        "Pipeline.Read.All", "Pipeline.ReadWrite.All", "StorageAccount.Read.All", "StorageAccount.ReadWrite.All",
        "UserState.ReadWrite.All",
      ]),
    api(
      "Office 365 Management APIs", "c5393580-f805-4401-95e8-94b7a6ef2fc2", ["https://manage.office.com"],
      ["ActivityFeed.Read", "ActivityFeed.ReadDlp", "ServiceHealth.Read"]),
    api(
      "Dynamics CRM", "00000007-0000-0000-c000-000000000000", ["https://*.dynamics.com"], ["user_impersonation"]),
    api(
      "Azure Key Vault", "cfa8b339-82a2-471a-a3c9-0fc0be7a4093", ["https://vault.azure.net"], ["user_impersonation"]),
    api(
      "Azure Storage", "e406a681-f3d4-42a8-90b6-c2b029497af1",
      [
        "https://storage.azure.com", "https://*.blob.core.windows.net", "https://*.queue.core.windows.net",
        "https://*.table.core.windows.net", "https://*.file.core.windows.net", "https://*.dfs.core.windows.net",
      ], ["user_impersonation"]),
    api(
      "Azure SQL Database", "022907d3-0f1b-48f7-badc-1ba6abab6d66", ["https://database.windows.net"],
      ["user_impersonation"]),
    api(
      "Azure OSSRDBMS Database", "123cd850-d9df-40bd-94d5-c9f07b7fa203", ["https://ossrdbms-aad.database.windows.net"],
      ["user_impersonation"]),
    api(
      "Azure Cosmos DB", "a232010e-820c-4083-83bb-3ace5fc29d0b", ["https://cosmos.azure.com"], ["user_impersonation"]),
    api(
      "Azure Data Lake", "e9f49c6b-5ce5-44c8-925d-015017e9f7ad", ["https://datalake.azure.net"],
      ["user_impersonation"]),
    api(
      "Azure Data Explorer", "2746ea77-4702-4b45-80ca-3c97e680e8b7",
      ["https://kusto.kusto.windows.net", "https://*.kusto.windows.net"], ["user_impersonation"]),
    api(
      "Azure Service Bus", "80a10ef9-8168-493d-abf9-3297c4ef6e3c", ["https://servicebus.azure.net"],
      ["user_impersonation"]),
    api(
      "Azure Event Hubs", "80369ed6-5f11-4dd9-bef3-692475845e77", ["https://eventhubs.azure.net"],
      ["user_impersonation"]),
    api(
      "Azure Batch", "ddbf3205-c6bd-46ae-8127-60eb93363864", ["https://batch.core.windows.net"],
      ["user_impersonation"]),
    api(
      "Microsoft Cognitive Services", "7d312290-28c8-473c-a0ed-8e53749b6d6d",
      ["https://cognitiveservices.azure.com"], ["user_impersonation"]),
    api(
      "Log Analytics API", "ca7f3f0b-7d91-482c-8e09-c5d840d0eac5", ["https://api.loganalytics.io"], ["Data.Read"]),
    api(
      "Azure DevOps", "499b84ac-1321-427f-aa17-267ca6975798", ["https://app.vssps.visualstudio.com"],
      [
        "user_impersonation", "vso.agentpools", "vso.agentpools_manage", "vso.analytics", "vso.auditlog", "vso.build",
        "vso.build_execute", "vso.code", "vso.code_full", "vso.code_manage", "vso.code_status", "vso.code_write",
        "vso.dashboards", "vso.dashboards_manage", "vso.entitlements", "vso.environment_manage", "vso.extension",
        "vso.extension_manage", "vso.graph", "vso.graph_manage", "vso.identity", "vso.memberentitlementmanagement",
        "vso.notification", "vso.notification_write", "vso.packaging", "vso.packaging_manage", "vso.packaging_write",
        "vso.profile", "vso.profile_write", "vso.project", "vso.project_manage", "vso.project_write", "vso.release",
        "vso.release_execute", "vso.release_manage", "vso.security_manage", "vso.serviceendpoint",
        "vso.serviceendpoint_manage", "vso.symbols", "vso.taskgroups_read", "vso.test", "vso.test_write", "vso.tokens",
        "vso.variablegroups_read", "vso.wiki", "vso.wiki_write", "vso.work", "vso.work_full", "vso.work_write",
      ]),
    api(
      "AzureDatabricks", "2ff814a6-3304-4ab8-85cb-cd0e6f879c1d", ["https://azuredatabricks.net"],
      ["user_impersonation"]),
  ]
}
