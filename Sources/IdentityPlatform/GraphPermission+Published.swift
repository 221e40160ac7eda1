extension GraphPermission {
  /// The published permission of that name in its declared spelling, and whether only an administrator can consent to it; nil if
  /// Microsoft Graph has no such delegated permission. Letter case does not matter.
  package static func published(_ name: some StringProtocol) -> (name: String, needsAdmin: Bool)? {
    if let permission = named(name) { return (permission.name, permission.needsAdmin) }
    return others[name.lowercased()]
  }

  /// All published names, for a did-you-mean.
  package static let publishedNames = names + others.values.map(\.name).sorted()

  /// The permissions that are not in `all`, by their names in lowercase.
  private static let others: [String: (name: String, needsAdmin: Bool)] = {
    var others: [String: (name: String, needsAdmin: Bool)] = [:]
    var resource = ""
    for word in otherNames.split(whereSeparator: \.isWhitespace) {
      if word.hasSuffix(":") {
        resource = String(word.dropLast())
        continue
      }
      let needsAdmin = word.hasSuffix("*")
      let name = "\(resource).\(needsAdmin ? word.dropLast() : word)"
      others[name.lowercased()] = (name, needsAdmin)
    }
    return others
  }()

  /// The delegated permissions of the permissions reference and of Graph's service principal that are not in `all`: each resource
  /// with its operations. Only an administrator can consent to those with an asterisk. For permissions newer than the
  /// recorded consent types, the asterisk follows from `.All` or `.Directory`, for which Graph nearly always requires it.
  private static let otherNames = """
    AccessReview: Read.All* ReadWrite.All* ReadWrite.Membership* Acronym: Read.All AdministrativeUnit: Read.All*
    ReadWrite.All* AgentApplication: Create AgentIdentity: Create* DeleteRestore.All* EnableDisable.All* Read.All*
    ReadWrite.All* AgentIdentityBlueprint: AddRemoveCreds.All* Create* DeleteRestore.All* Read.All* ReadWrite.All*
    UpdateAuthProperties.All* UpdateBranding.All* AgentIdentityBlueprintPrincipal: Create* DeleteRestore.All*
    EnableDisable.All* Read.All* ReadWrite.All* AgentIdUser: ReadWrite.All* ReadWrite.IdentityParentedBy*
    Agreement: Read.All* ReadWrite.All* AgreementAcceptance: Read* Read.All* AiEnterpriseInteraction: Read Read.All*
    Analytics: Read APIConnectors: Read.All* ReadWrite.All* AppCatalog: Read.All ReadWrite.All* Submit
    AppCertTrustConfiguration: Read.All* ReadWrite.All* Application-RemoteDesktopConfig: ReadWrite.All*
    ApprovalSolution: Read Read.All* ReadWrite ReadWrite.All* ApprovalSolutionResponse: ReadWrite
    AttackSimulation: Read.All* ReadWrite.All AuditActivity: Read Write AuditLogsQuery-CRM: Read.All*
    AuditLogsQuery-Endpoint: Read.All* AuditLogsQuery-Entra: Read.All* AuditLogsQuery-Exchange: Read.All*
    AuditLogsQuery-OneDrive: Read.All* AuditLogsQuery-SharePoint: Read.All* AuditLogsQuery: Read.All*
    AuthenticationContext: Read.All* ReadWrite.All* BillingConfiguration: ReadWrite.All* BitlockerKey: Read.All*
    ReadBasic.All* Bookings: Manage.All Read.All ReadWrite.All BookingsAppointment: ReadWrite.All Bookmark: Read.All
    BrowserSiteLists: Read.All ReadWrite.All BusinessScenarioConfig: Read.All* Read.OwnedBy* ReadWrite.All*
    ReadWrite.OwnedBy* BusinessScenarioData: Read.OwnedBy* ReadWrite.OwnedBy* CallAiInsights: Read.All*
    CallDelegation: Read Read.All* ReadWrite ReadWrite.All* CallEvents: Read ChangeManagement: Read.All*
    Channel: Create* Delete.All* ChannelMember: Read.All* ReadWrite.All* ChannelMessage: Edit ReadWrite*
    ChannelSettings: Read.All* ReadWrite.All* Chat: Create ManageDeletion.All* ReadWrite.All* ChatMember: Read*
    ReadWrite* ChatMessage: Read CloudApp-Discovery: Read.All* CloudPC: Read.All ReadWrite.All* Community: Read.All*
    ReadWrite.All* ConfigurationMonitoring: Read.All* ReadWrite.All* ConsentRequest: Create Read Read.All*
    ReadApprove.All* ReadWrite.All* Contacts-OnPremisesSyncBehavior: ReadWrite.All* Contacts: Read.Shared
    ReadWrite.Shared Content: Process.All* Process.User ContentActivity: Read Write CopilotConversation: Read.All*
    CopilotPackages: Read.All* ReadWrite.All* CopilotSettings-LimitedMode: Read ReadWrite
    CrossTenantInformation: ReadBasic.All* CrossTenantUserProfileSharing: Read* Read.All* ReadWrite* ReadWrite.All*
    CustomAuthenticationExtension: Read.All* ReadWrite.All* CustomDetection: Read.All* ReadWrite.All*
    CustomSecAttributeAssignment: Read.All* ReadWrite.All* CustomSecAttributeAuditLogs: Read.All*
    CustomSecAttributeDefinition: Read.All* ReadWrite.All* CustomSecAttributeProvisioning: Read.All* ReadWrite.All*
    CustomTags: Read.All* ReadWrite.All* DelegatedAdminRelationship: Read.All* ReadWrite.All*
    DelegatedPermissionGrant: Read.All* ReadWrite.All* Device: Command CreateFromOwnedTemplate Read.All*
    DeviceLocalCredential: Read.All* ReadBasic.All* DeviceManagementApps: Read.All* ReadWrite.All*
    DeviceManagementCloudCA: Read.All* ReadWrite.All* DeviceManagementConfiguration: Read.All* ReadWrite.All*
    DeviceManagementManagedDevices: PrivilegedOperations.All* Read.All* ReadWrite.All* DeviceManagementRBAC: Read.All*
    ReadWrite.All* DeviceManagementScripts: Read.All* ReadWrite.All* DeviceManagementServiceConfig: Read.All*
    ReadWrite.All* DeviceTemplate: Create Read.All* ReadWrite.All* Directory: Write.Restricted*
    DirectoryRecommendations: Read.All* ReadWrite.All* Domain: ReadWrite.All* EAS: AccessAsUser.All
    eDiscovery: Read.All* ReadWrite.All* EduAdministration: Read* ReadWrite* EduAssignments: Read* ReadBasic*
    ReadWrite* ReadWriteBasic* EduCurricula: Read ReadWrite EduRoster: Read* ReadBasic* ReadWrite*
    EngagementConversation: Migration.All* ReadWrite.All* EngagementMeetingConversation: Read.All*
    EngagementRole: Read Read.All* ReadWrite.All* EntitlementManagement: Read.All* ReadWrite.All*
    EntitlementMgmt-SubjectAccess: ReadWrite EventListener: Read.All* ReadWrite.All* ExternalConnection: Read.All*
    ReadWrite.All* ReadWrite.OwnedBy* ExternalItem: Read.All* ReadWrite.All* ReadWrite.OwnedBy*
    ExternalUserProfile: Read.All* ReadWrite.All* Family: Read FileIngestion: Ingest
    FileIngestionHybridOnboarding: Manage Files: Read.Selected ReadWrite.Selected SelectedOperations.Selected
    FileStorageContainer: Manage.All* Selected FileStorageContainerType: Manage.All*
    FileStorageContainerTypeReg: Manage.All* Selected Financials: ReadWrite.All Goals-Export: Read.All* ReadWrite.All*
    Group-Conversation: Read.All* ReadWrite.All* Group-OnPremisesSyncBehavior: ReadWrite.All* GroupSettings: Read.All*
    ReadWrite.All* HealthMonitoringAlert: Read.All* ReadWrite.All* HealthMonitoringAlertConfig: Read.All*
    ReadWrite.All* IdentityProvider: Read.All* ReadWrite.All* IdentityRiskEvent: Read.All* ReadWrite.All*
    IdentityRiskyServicePrincipal: Read.All* ReadWrite.All* IdentityRiskyUser: Read.All* ReadWrite.All*
    IdentityUserFlow: Read.All* ReadWrite.All* IndustryData-DataConnector: Read.All* ReadWrite.All* Upload*
    IndustryData-InboundFlow: Read.All* ReadWrite.All* IndustryData-OutboundFlow: Read.All* ReadWrite.All*
    IndustryData-ReferenceDefinition: Read.All* IndustryData-Run: Read.All* IndustryData-SourceSystem: Read.All*
    ReadWrite.All* IndustryData-TimePeriod: Read.All* ReadWrite.All* IndustryData: ReadBasic.All
    InformationProtectionConfig: Read* InformationProtectionPolicy: Read Insights-UserMetric: Read.All*
    LearningAssignedCourse: Read LearningContent: Read.All* ReadWrite.All* LearningProvider: Read* ReadWrite*
    LearningSelfInitiatedCourse: Read LicenseAssignment: Read.All* ReadWrite.All*
    LifecycleWorkflows-CustomExt: Read.All* ReadWrite.All* LifecycleWorkflows-Reports: Read.All*
    LifecycleWorkflows-Workflow: Activate Read.All* ReadBasic.All* ReadWrite.All* LifecycleWorkflows: Read.All*
    ReadWrite.All* ListItems: SelectedOperations.Selected Lists: SelectedOperations.Selected Mail: ReadBasic.Shared
    MailboxFolder: Read ReadWrite MailboxItem: ImportExport Read ManagedTenants: Read.All* ReadWrite.All*
    Member: Read.Hidden* MLModel: Execute.All* MultiTenantOrganization: Read.All* ReadBasic.All* ReadWrite.All*
    MutualTlsOauthConfiguration: Read.All* ReadWrite.All* NetworkAccess-Reports: Read.All* NetworkAccess: Read.All*
    ReadWrite.All* NetworkAccessBranch: Read.All ReadWrite.All* NetworkAccessPolicy: Read.All ReadWrite.All*
    Notes: Read.All ReadWrite.CreatedByApp Notifications: ReadWrite.CreatedByApp OnlineMeetingAiInsight: Read.All*
    Read.Chat OnlineMeetingArtifact: Read.All OnlineMeetingRecording: Read.All* OnlineMeetingTranscript: Read.All*
    OnPremDirectorySynchronization: Read.All* ReadWrite.All* OnPremisesPublishingProfiles: ReadWrite.All*
    Organization: ReadWrite.All* OrganizationalBranding: Read.All* ReadWrite.All* OrgContact: Read.All*
    OrgSettings-AppsAndServices: Read.All* ReadWrite.All* OrgSettings-DynamicsVoice: Read.All* ReadWrite.All*
    OrgSettings-Forms: Read.All* ReadWrite.All* OrgSettings-Microsoft365Install: Read.All* ReadWrite.All*
    OrgSettings-Todo: Read.All* ReadWrite.All* PartnerBilling: Read.All* PartnerSecurity: Read.All* ReadWrite.All*
    PendingExternalUserProfile: Read.All* ReadWrite.All* PeopleSettings: Read.All* ReadWrite.All* Place: Read.All*
    ReadWrite.All* PlaceDevice: Read.All* ReadWrite.All* Policy: Read.AuthenticationMethod Read.ConditionalAccess
    Read.DeviceConfiguration Read.IdentityProtection Read.PermissionGrant* ReadWrite.AccessReview*
    ReadWrite.ApplicationConfiguration* ReadWrite.AuthenticationFlows* ReadWrite.AuthenticationMethod*
    ReadWrite.Authorization* ReadWrite.ConditionalAccess* ReadWrite.ConsentRequest* ReadWrite.CrossTenantAccess*
    ReadWrite.CrossTenantCapability ReadWrite.DeviceConfiguration* ReadWrite.ExternalIdentities*
    ReadWrite.FeatureRollout* ReadWrite.FedTokenValidation ReadWrite.IdentityProtection ReadWrite.MobilityManagement*
    ReadWrite.PermissionGrant* ReadWrite.SecurityDefaults* ReadWrite.TrustFramework* Presence: ReadWrite
    PrintConnector: Read.All* ReadWrite.All* Printer: Create* FullControl.All* Read.All* ReadWrite.All*
    PrinterShare: Read.All ReadBasic.All ReadWrite.All* PrintJob: Create Read Read.All* ReadBasic ReadBasic.All*
    ReadWrite ReadWrite.All* ReadWriteBasic ReadWriteBasic.All* PrintSettings: Read.All* ReadWrite.All*
    PrivilegedAccess: Read.AzureAD* Read.AzureADGroup* Read.AzureResources* ReadWrite.AzureAD* ReadWrite.AzureADGroup*
    ReadWrite.AzureResources* PrivilegedAssignmentSchedule: Read.AzureADGroup* ReadWrite.AzureADGroup*
    PrivilegedEligibilitySchedule: Read.AzureADGroup* ReadWrite.AzureADGroup* ProfilePhoto: ReadWrite.All*
    ProgramControl: Read.All* ReadWrite.All* ProtectionScopes: Compute.All* Compute.User ProvisioningLog: Read.All*
    PublicKeyInfrastructure: Read.All* ReadWrite.All* QnA: Read.All RecordsManagement: Read.All* ReadWrite.All*
    ReportSettings: Read.All* ReadWrite.All* ResourceSpecificPermissionGrant: ReadForUser
    RiskPreventionProviders: Read.All* ReadWrite.All* RoleAssignmentSchedule: Read.Directory* ReadWrite.Directory*
    Remove.Directory* RoleEligibilitySchedule: Read.Directory* ReadWrite.Directory* Remove.Directory*
    RoleManagement: Read.All* Read.CloudPC* Read.Defender* Read.Exchange* ReadWrite.CloudPC* ReadWrite.Defender*
    ReadWrite.Directory* ReadWrite.Exchange* RoleManagementAlert: Read.Directory* ReadWrite.Directory*
    RoleManagementPolicy: Read.AzureADGroup Read.Directory* ReadWrite.AzureADGroup ReadWrite.Directory*
    Schedule: Read.All* ReadWrite.All* SchedulePermissions: ReadWrite.All* SearchConfiguration: Read.All*
    ReadWrite.All* SecurityActions: Read.All* ReadWrite.All* SecurityAlert: Read.All* ReadWrite.All*
    SecurityAnalyzedMessage: Read.All* ReadWrite.All* SecurityCopilotWorkspaces: Read.All* ReadWrite.All*
    SecurityEvents: Read.All* ReadWrite.All* SecurityIdentitiesAccount: Read.All*
    SecurityIdentitiesActions: ReadWrite.All* SecurityIdentitiesHealth: Read.All* ReadWrite.All*
    SecurityIdentitiesSensors: Read.All* ReadWrite.All* SecurityIdentitiesUserActions: Read.All* ReadWrite.All*
    SecurityIncident: Read.All* ReadWrite.All* SensitivityLabel: Evaluate Evaluate.All* Read
    SensitivityLabels: Read.All* ServiceActivity-Exchange: Read.All* ServiceActivity-Microsoft365Web: Read.All*
    ServiceActivity-OneDrive: Read.All* ServiceActivity-Teams: Read.All* ServiceHealth: Read.All*
    ServiceMessage: Read.All* ServiceMessageViewpoint: Write* ServicePrincipalEndpoint: Read.All* ReadWrite.All*
    SharePointTenantSettings: Read.All* ReadWrite.All* ShortNotes: Read ReadWrite SignInIdentifier: Read.All*
    ReadWrite.All* Sites: Archive.All* FullControl.All* Manage.All Selected SpiffeTrustDomain: Read.All*
    ReadWrite.All* Storyline: ReadWrite.All* SubjectRightsRequest: Read.All* ReadWrite.All* Subscription: Read.All*
    Synchronization: Read.All* ReadWrite.All* SynchronizationData-User: Upload Tasks: Read.Shared ReadWrite.Shared
    Team: Create TeamMember: Read.All* ReadWrite.All* ReadWriteNonOwnerRole.All* TeamsActivity: Read Send
    TeamsAppInstallation: ManageSelectedForChat ManageSelectedForTeam ManageSelectedForUser ReadForChat ReadForTeam*
    ReadForUser ReadSelectedForChat ReadSelectedForTeam ReadSelectedForUser ReadWriteAndConsentForChat*
    ReadWriteAndConsentForTeam* ReadWriteAndConsentForUser ReadWriteAndConsentSelfForChat*
    ReadWriteAndConsentSelfForTeam* ReadWriteAndConsentSelfForUser ReadWriteForChat* ReadWriteForTeam*
    ReadWriteForUser* ReadWriteSelectedForChat ReadWriteSelectedForTeam ReadWriteSelectedForUser ReadWriteSelfForChat*
    ReadWriteSelfForTeam* ReadWriteSelfForUser TeamSettings: Read.All* ReadWrite.All*
    TeamsPolicyUserAssign: ReadWrite.All* TeamsResourceAccount: Read.All* TeamsTab: Create* Read.All* ReadWrite.All*
    ReadWriteForChat* ReadWriteForTeam* ReadWriteForUser ReadWriteSelfForChat* ReadWriteSelfForTeam*
    ReadWriteSelfForUser TeamsTelephoneNumber: Read.All* ReadWrite.All* TeamsUserConfiguration: Read.All*
    TeamTemplates: Read Teamwork: Read.All* TeamworkAppSettings: Read.All ReadWrite.All* TeamworkDevice: Read.All*
    ReadWrite.All* TeamworkTag: Read* ReadWrite* TeamworkUserInteraction: Read.All* TermStore: Read.All*
    ReadWrite.All* ThreatAssessment: ReadWrite.All* ThreatHunting: Read.All* ThreatIndicators: Read.All*
    ReadWrite.OwnedBy* ThreatIntelligence: Read.All* ThreatSubmission: Read Read.All* ReadWrite ReadWrite.All*
    ThreatSubmissionPolicy: ReadWrite.All* Topic: Read.All* TrustFrameworkKeySet: Read.All* ReadWrite.All*
    UnifiedGroupMember: Read.AsGuest* User-ConvertToInternal: ReadWrite.All* User-LifeCycleInfo: Read.All*
    ReadWrite.All* User-Mail: ReadWrite.All* User-OnPremisesSyncBehavior: ReadWrite.All*
    User-PasswordProfile: ReadWrite.All* User-Phone: ReadWrite.All* User: DeleteRestore.All* EnableDisableAccount.All*
    Export.All* ManageIdentities.All* ReadWrite.CrossCloud UserAuthenticationMethod: Read.All* ReadWrite*
    ReadWrite.All* UserAuthMethod-Email: Read Read.All* ReadWrite ReadWrite.All* UserAuthMethod-External: Read
    Read.All* ReadWrite ReadWrite.All* UserAuthMethod-HardwareOATH: Read Read.All* ReadWrite ReadWrite.All*
    UserAuthMethod-MicrosoftAuthApp: Read Read.All* ReadWrite ReadWrite.All* UserAuthMethod-Passkey: Read Read.All*
    ReadWrite ReadWrite.All* UserAuthMethod-Password: Read Read.All* ReadWrite ReadWrite.All*
    UserAuthMethod-Phone: Read Read.All* ReadWrite ReadWrite.All* UserAuthMethod-PlatformCred: Read Read.All*
    ReadWrite ReadWrite.All* UserAuthMethod-QR: Read Read.All* ReadWrite ReadWrite.All*
    UserAuthMethod-SoftwareOATH: Read Read.All* ReadWrite ReadWrite.All* UserAuthMethod-TAP: Read Read.All* ReadWrite
    ReadWrite.All* UserAuthMethod-WindowsHello: Read Read.All* ReadWrite ReadWrite.All* UserCloudClipboard: Read
    UserNotification: ReadWrite.CreatedByApp UserTeamwork: Read UserTimelineActivity: Write.CreatedByApp
    UserWindowsSettings: Read.All* ReadWrite.All* VirtualAppointment: Read* ReadWrite*
    VirtualAppointmentNotification: Send VirtualEvent: Read* ReadWrite WindowsUpdates: ReadWrite.All*
    WorkforceIntegration: Read.All* ReadWrite.All*
    """
}
