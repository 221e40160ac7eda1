"""Tests msgraph-sdk for Python with azure-identity, configured only with the emulator's URLs."""
import asyncio, base64, time, webbrowser
from datetime import datetime, timedelta, timezone

import pytest
from azure.core.credentials import AccessToken
from azure.identity import DeviceCodeCredential, InteractiveBrowserCredential
from azure.identity.aio import ClientSecretCredential
from kiota_abstractions.base_request_configuration import RequestConfiguration
from kiota_authentication_azure.azure_identity_authentication_provider import AzureIdentityAuthenticationProvider
from msgraph import GraphServiceClient
from msgraph.generated.users.item.calendar_view.calendar_view_request_builder import CalendarViewRequestBuilder
from msgraph.generated.users.item.send_mail.send_mail_post_request_body import SendMailPostRequestBody
from msgraph.generated.models.body_type import BodyType
from msgraph.generated.models.date_time_time_zone import DateTimeTimeZone
from msgraph.generated.models.email_address import EmailAddress
from msgraph.generated.models.event import Event
from msgraph.generated.models.item_body import ItemBody
from msgraph.generated.models.message import Message
from msgraph.generated.models.o_data_errors.o_data_error import ODataError
from msgraph.generated.models.recipient import Recipient
from msgraph.generated.models.user import User
from msgraph.generated.users.delta.delta_request_builder import DeltaRequestBuilder
from msgraph.generated.users.users_request_builder import UsersRequestBuilder
from msgraph.graph_request_adapter import GraphRequestAdapter
from msgraph_core.requests.batch_request_content import BatchRequestContent
from msgraph_core.requests.batch_request_item import BatchRequestItem
from msgraph_core.tasks.page_iterator import PageIterator

from judge import AZURE_CLI, CONTOSO, DAEMON, NATIVE, SECRETS, WEB
from test_azure_identity import opener  # noqa: F401 (a fixture)

SCOPES = ["User.ReadWrite", "User.Read.All", "Mail.ReadWrite", "Mail.Send", "Calendars.ReadWrite", "Contacts.Read",
          "Files.Read", "Organization.Read.All", "Group.Read.All"]


class Issued:
    """A credential with a token from the control interface, for tests that do not cover sign-in."""

    def __init__(self, emulator, username="megan@contoso.com", scopes=SCOPES):
        answer = emulator.control("tokens", {"user": username, "client": NATIVE, "scopes": list(scopes)})
        assert answer.status_code == 200, answer.text
        self.answer = answer.json()

    def get_token(self, *scopes, **_):
        return AccessToken(self.answer["access_token"], int(time.time()) + 3000)


def client_of(emulator, credential):
    provider = AzureIdentityAuthenticationProvider(
        credential, scopes=["https://graph.microsoft.com/.default"], allowed_hosts=["localhost", "127.0.0.1"])
    adapter = GraphRequestAdapter(provider)
    adapter.base_url = f"{emulator.base}/v1.0"
    return GraphServiceClient(request_adapter=adapter)


def delegated(emulator, *arguments, **more):
    return client_of(emulator, Issued(emulator, *arguments, **more))


def query_options(builder, headers=None, **parameters):
    configuration = RequestConfiguration(query_parameters=builder(**parameters))
    for name, value in (headers or {}).items():
        configuration.headers.add(name, value)
    return configuration


def test_me(emulator):
    async def go():
        graph = delegated(emulator)
        me = await graph.me.get()
        assert me.display_name == "Megan Bowen" and me.user_principal_name == "megan@contoso.com" and me.business_phones
        manager = await graph.me.manager.get()
        assert manager.display_name == "Adele Vance"
        groups = [group.display_name for group in (await graph.me.member_of.get()).value]
        assert "Marketing" in groups
        reports = await graph.me.direct_reports.get()
        assert {"Alex Wilber", "Dora Quist"} <= {report.display_name for report in reports.value}
        await graph.me.patch(User(mobile_phone="+1 425 555 0199"))
        assert (await graph.me.get()).mobile_phone == "+1 425 555 0199"
    asyncio.run(go())


def test_users_paging(emulator):
    async def go():
        graph = delegated(emulator)
        query = UsersRequestBuilder.UsersRequestBuilderGetQueryParameters
        first = await graph.users.get(query_options(query, select=["displayName", "id"], top=5))
        assert len(first.value) == 5 and first.odata_next_link.startswith(f"{emulator.base}/v1.0/users?")
        names = []
        iterator = PageIterator(first, graph.request_adapter)
        await iterator.iterate(lambda user: names.append(user.display_name) or True)
        everybody = (await graph.users.get()).value
        assert len(names) == len(set(names)) == len(everybody) > 30
    asyncio.run(go())


def test_users_filtered_and_counted(emulator):
    async def go():
        graph = delegated(emulator)
        query = UsersRequestBuilder.UsersRequestBuilderGetQueryParameters
        advanced = {"ConsistencyLevel": "eventual"}
        found = await graph.users.get(query_options(query, filter="startswith(displayName,'A')", orderby=["displayName"], count=True, headers=advanced))
        names = [user.display_name for user in found.value]
        assert names == sorted(names) == ["Adele Vance", "Alan Reyes", "Alex Wilber"] and found.odata_count == 3
        found = await graph.users.get(query_options(query, filter="department ne 'Sales' and not(startswith(displayName,'A'))", count=True, headers=advanced))
        assert found.value and found.odata_count > len(found.value) - 1 and all(not u.display_name.startswith("A") for u in found.value)
        found = await graph.users.get(query_options(query, search='"displayName:Bowen"', headers=advanced))
        assert [user.display_name for user in found.value] == ["Megan Bowen"]
        configuration = RequestConfiguration()
        configuration.headers.add("ConsistencyLevel", "eventual")
        assert int(await graph.users.count.get(configuration)) > 30
        for unfit in ({"filter": "department ne 'Sales'"}, {"count": True, "filter": "endswith(mail,'com')"}, {"search": '"displayName:a"'}):
            with pytest.raises(ODataError) as refused:
                await graph.users.get(query_options(query, **unfit))
            assert refused.value.response_status_code == 400
            assert refused.value.error.code in ("Request_UnsupportedQuery", "Request_BadRequest"), refused.value.error
        with pytest.raises(ODataError) as refused:
            await graph.users.get(query_options(query, top=1000))
        assert refused.value.response_status_code == 400
    asyncio.run(go())


def test_calendar_view(emulator):
    async def go():
        graph = delegated(emulator)
        begin = datetime.now(timezone.utc).replace(hour=0, minute=0, second=0, microsecond=0)
        query = CalendarViewRequestBuilder.CalendarViewRequestBuilderGetQueryParameters
        window = dict(start_date_time=begin.isoformat(), end_date_time=(begin + timedelta(days=14)).isoformat())
        first = await graph.me.calendar_view.get(query_options(query, **window))
        found = []
        await PageIterator(first, graph.request_adapter).iterate(lambda event: found.append(event) or True)
        stand_ups = [event for event in found if event.subject == "Marketing stand-up"]
        assert len(stand_ups) == 6, "three times a week, for two weeks"
        assert all(event.type.value == "occurrence" and event.start.time_zone == "UTC" for event in stand_ups)
        pacific = await graph.me.calendar_view.get(
            query_options(query, headers={"Prefer": 'outlook.timezone="Pacific Standard Time"'}, **window))
        event = next(event for event in pacific.value if event.subject == "Marketing stand-up")
        assert event.start.time_zone == "Pacific Standard Time" and event.start.date_time[11:13] in ("01", "02")
        with pytest.raises(ODataError) as refused:
            await graph.me.calendar_view.get()
        assert refused.value.response_status_code == 400
        start = begin + timedelta(days=1, hours=20)
        made = await graph.me.events.post(Event(
            subject="Judged", body=ItemBody(content_type=BodyType.Text, content="By a client"),
            start=DateTimeTimeZone(date_time=start.strftime("%Y-%m-%dT%H:%M:%S"), time_zone="UTC"),
            end=DateTimeTimeZone(date_time=(start + timedelta(hours=1)).strftime("%Y-%m-%dT%H:%M:%S"), time_zone="UTC")))
        assert made.id and made.odata_type in (None, "#microsoft.graph.event")
        kept = await graph.me.events.by_event_id(made.id).get()
        assert kept.subject == "Judged" and kept.start.date_time.startswith(start.strftime("%Y-%m-%dT%H:%M"))
        await graph.me.events.by_event_id(made.id).patch(Event(subject="Judged again"))
        assert (await graph.me.events.by_event_id(made.id).get()).subject == "Judged again"
        await graph.me.events.by_event_id(made.id).delete()
        with pytest.raises(ODataError) as gone:
            await graph.me.events.by_event_id(made.id).get()
        assert gone.value.response_status_code == 404 and gone.value.error.code == "ErrorItemNotFound"
    asyncio.run(go())


def test_sent_mail_is_in_sent_items_and_delivered(emulator):
    async def go():
        graph = delegated(emulator)
        subject = f"Judged at {time.time()}"
        await graph.me.send_mail.post(SendMailPostRequestBody(message=Message(
            subject=subject, body=ItemBody(content_type=BodyType.Text, content="Hello"),
            to_recipients=[Recipient(email_address=EmailAddress(address="adele@contoso.com"))]), save_to_sent_items=True))
        sent = await graph.me.mail_folders.by_mail_folder_id("sentitems").messages.get()
        mine = next(message for message in sent.value if message.subject == subject)
        assert mine.to_recipients[0].email_address.address == "adele@contoso.com"
        assert mine.from_.email_address.address == "megan@contoso.com" and not mine.is_draft
        theirs = await delegated(emulator, "adele@contoso.com").me.mail_folders.by_mail_folder_id("inbox").messages.get()
        assert subject in [message.subject for message in theirs.value]
        everything = await graph.me.messages.get()
        assert everything.value
    asyncio.run(go())


def test_batch(emulator):
    async def go():
        graph = delegated(emulator)
        batch = BatchRequestContent()
        info = graph.me.to_get_request_information()
        info.path_parameters["baseurl"] = graph.request_adapter.base_url
        batch.add_request_information(info)
        info = graph.me.member_of.to_get_request_information()
        info.path_parameters["baseurl"] = graph.request_adapter.base_url
        batch.add_request_information(info)
        info = graph.users.by_user_id("nobody@contoso.com").to_get_request_information()
        info.path_parameters["baseurl"] = graph.request_adapter.base_url
        batch.add_request_information(info)
        answer = await graph.batch.post(batch)
        statuses = answer.get_response_status_codes()
        assert sorted(statuses.values()) == [200, 200, 404], statuses
    asyncio.run(go())


def test_batch_wire_format(emulator):
    token = Issued(emulator).answer["access_token"]
    body = {"requests": [
        {"id": "1", "method": "GET", "url": "/me?$select=displayName"},
        {"id": "2", "method": "POST", "url": "/me/events", "dependsOn": ["1"], "headers": {"Content-Type": "application/json"},
         "body": {"subject": "From a batch", "start": {"dateTime": "2030-01-01T10:00:00", "timeZone": "UTC"},
                  "end": {"dateTime": "2030-01-01T11:00:00", "timeZone": "UTC"}}},
        {"id": "3", "method": "GET", "url": "users/nobody@contoso.com"},
        {"id": "4", "method": "GET", "url": "/me", "dependsOn": ["3"]}]}
    answers = {one["id"]: one for one in emulator.graph("/$batch", token, "POST", json=body).json()["responses"]}
    assert {name: one["status"] for name, one in answers.items()} == {"1": 200, "2": 201, "3": 404, "4": 424}
    assert answers["1"]["body"]["displayName"] == "Megan Bowen" and answers["2"]["body"]["subject"] == "From a batch"
    body = {"requests": [{"id": str(number), "method": "GET", "url": "/me"} for number in range(21)]}
    assert emulator.graph("/$batch", token, "POST", json=body).status_code == 400
    body = {"requests": [{"id": "1", "method": "GET", "url": "/me"}] * 2}
    assert emulator.graph("/$batch", token, "POST", json=body).status_code == 400


def test_delta(emulator):
    async def go():
        graph = delegated(emulator)
        page = await graph.users.delta.get()
        names = [user.display_name for user in page.value]
        while page.odata_next_link:
            page = await DeltaRequestBuilder(graph.request_adapter, page.odata_next_link).get()
            names += [user.display_name for user in page.value]
        assert "Megan Bowen" in names and page.odata_delta_link
        link = page.odata_delta_link
        assert not (await DeltaRequestBuilder(graph.request_adapter, link).get()).value
        await delegated(emulator, "alex@contoso.com").me.patch(User(mobile_phone="+1 425 555 0142"))
        emulator.simulate({"userDeleted": "rosa@contoso.com"})
        changed = await DeltaRequestBuilder(graph.request_adapter, link).get()
        by_change = [("removed" if "@removed" in user.additional_data else user.display_name) for user in changed.value]
        assert sorted(by_change) == ["Alex Wilber", "removed"], by_change
    asyncio.run(go())
    emulator.reset()


def test_photo(emulator):
    async def go():
        graph = delegated(emulator)
        data = await graph.me.photo.content.get()
        assert data[:3] == b"\xff\xd8\xff" and len(data) > 500
        described = await graph.me.photo.get()
        assert described.height and described.width and described.additional_data.get("@odata.mediaContentType") == "image/jpeg"
        with pytest.raises(ODataError) as refused:
            await delegated(emulator, "dina@contoso.com").users.by_user_id("dora@contoso.com").photo.content.get()
        assert refused.value.response_status_code == 404
    asyncio.run(go())


def test_errors(emulator):
    async def go():
        graph = delegated(emulator, scopes=["User.Read"], username="nadia@contoso.com")
        for call, status, code in (
                (lambda: graph.users.get(), 403, "Authorization_RequestDenied"),
                (lambda: graph.me.messages.get(), 403, "ErrorAccessDenied")):
            with pytest.raises(ODataError) as refused:
                await call()
            assert refused.value.response_status_code == status and refused.value.error.code == code
            inner = refused.value.error.inner_error
            assert inner.request_id and inner.client_request_id and inner.date
        with pytest.raises(ODataError) as refused:
            await delegated(emulator).users.by_user_id("nobody@contoso.com").get()
        assert refused.value.response_status_code == 404 and refused.value.error.code == "Request_ResourceNotFound"
        assert "nobody@contoso.com" in refused.value.error.message
        with pytest.raises(ODataError) as refused:
            await delegated(emulator, "adele@contoso.com").me.manager.get()
        assert refused.value.response_status_code == 404
        with pytest.raises(ODataError) as refused:
            await delegated(emulator).users.by_user_id(CONTOSO).get()
        assert refused.value.response_status_code == 404
    asyncio.run(go())


def test_throttling_is_retried(clean):
    async def go():
        graph = delegated(clean)
        await graph.me.get()
        clean.simulate({"fault": {"at": "GET /v1.0/me", "response": {"status": 429, "retryAfter": "1s", "error": "TooManyRequests"}, "times": 2}})
        began = time.monotonic()
        assert (await graph.me.get()).display_name == "Megan Bowen"
        assert time.monotonic() - began >= 2
        clean.simulate({"fault": {"at": "GET /v1.0/me", "response": {"status": 429, "retryAfter": "1000s", "error": "TooManyRequests"}, "times": "always"}})
        with pytest.raises(ODataError) as refused:
            await graph.me.get()
        assert refused.value.response_status_code == 429 and refused.value.error.code == "TooManyRequests"
    asyncio.run(go())


def test_application_permissions(emulator):
    async def go():
        async with ClientSecretCredential(
                CONTOSO, DAEMON, SECRETS[DAEMON], authority=emulator.base, disable_instance_discovery=True,
                transport=asyncio_transport()) as credential:
            graph = client_of(emulator, credential)
            assert (await graph.users.by_user_id("megan@contoso.com").get()).display_name == "Megan Bowen"
            with pytest.raises(ODataError) as refused:
                await graph.me.get()
            assert refused.value.response_status_code == 400 and refused.value.error.code == "BadRequest"
            with pytest.raises(ODataError) as refused:
                await graph.users.by_user_id("megan@contoso.com").calendars.get()
            assert refused.value.response_status_code == 403
            await graph.users.by_user_id("megan@contoso.com").send_mail.post(SendMailPostRequestBody(message=Message(
                subject="From a daemon", body=ItemBody(content_type=BodyType.Text, content="Hello"),
                to_recipients=[Recipient(email_address=EmailAddress(address="alex@contoso.com"))])))
    asyncio.run(go())


def asyncio_transport():
    from azure.core.pipeline.transport import AsyncioRequestsTransport
    return AsyncioRequestsTransport()


def test_the_sdk_handles_a_claims_challenge(clean, opener):  # noqa: F811
    """Status 401 with claims → the credential requests a token with them → the user signs in → the call succeeds."""
    async def go():
        opened = opener("jonas@contoso.com")
        credential = InteractiveBrowserCredential(timeout=30, authority=clean.base, disable_instance_discovery=True)
        graph = client_of(clean, credential)
        assert (await graph.me.get()).display_name == "Jonas Weber"
        assert "password" in opened.visitor.seen
        clean.simulate({"sessionsRevoked": "jonas@contoso.com"}, {"wait": "2s"})
        opened = opener("jonas@contoso.com")
        assert (await graph.me.get()).display_name == "Jonas Weber"
        assert "password" in opened.visitor.seen
    asyncio.run(go())


def test_the_sdk_handles_a_step_up_challenge(clean, opener):  # noqa: F811
    async def go():
        opener("ines@contoso.com")
        credential = InteractiveBrowserCredential(timeout=30, authority=clean.base, disable_instance_discovery=True)
        graph = client_of(clean, credential)
        await graph.me.get()
        clean.simulate({"policyAdded": {"name": "Step up", "for": {"users": ["ines@contoso.com"]}, "require": "mfa",
                                       "challengeWith": "claims"}})
        opened = opener("ines@contoso.com")
        assert (await graph.me.get()).display_name == "Ines Duarte"
        assert "mfa" in opened.visitor.seen
    asyncio.run(go())
