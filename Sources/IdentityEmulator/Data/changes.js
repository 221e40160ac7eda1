// Faults, events, and the directory. Every change shows the control request and the workflow line with the same effect.
import { control, element, reportChange, showEquivalent, yaml } from "./control.js";
import { setDirectory } from "./request-list.js";

const endpoints = ["token", "authorize", "graph", "devicecode", "discovery", "keys", "userinfo", "logout"];

/// Fault responses, in the format of a fault's `response` key.
const responses = [
  ["503, retry after 30 s", { status: 503, retryAfter: "30s" }],
  ["429 throttled, retry after 5 s", { status: 429, retryAfter: "5s" }],
  ["500 without details", { status: 500 }],
  ["MFA required (AADSTS50076)", { error: "interaction_required", suberror: "basic_action", code: "AADSTS50076" }],
  ["Consent required (AADSTS65001)", { error: "invalid_grant", suberror: "consent_required", code: "AADSTS65001" }],
  ["Invalid client secret (AADSTS7000215)", { error: "invalid_client", code: "AADSTS7000215" }],
  ["10 s delay", { delay: "10s" }],
  ["Connection reset", "reset"],
  ["Response cut off", "truncated"],
  ["HTML page from a proxy", "html"],
];

/// The events: label, whether the event concerns a user, and the event itself.
const events = [
  ["Clock moved forward 1 hour", false, () => ({ wait: "1h" })],
  ["Clock moved forward 1 day", false, () => ({ wait: "1d" })],
  ["Clock moved forward 91 days", false, () => ({ wait: "91d" })],
  ["Password changed", true, (user) => ({ passwordChanged: { user, to: `Fake-${user.split("@")[0]}-${Date.now() % 10000}` } })],
  ["Password expired", true, (user) => ({ passwordExpired: user })],
  ["Sessions revoked", true, (user) => ({ sessionsRevoked: user })],
  ["Account disabled", true, (user) => ({ userDisabled: user })],
  ["Refresh token expired", true, (user) => ({ refreshTokenExpired: user })],
  ["Signed out in the browser", true, (user) => ({ browserSignedOut: user })],
  ["Signing keys rotated", false, () => "keysRotated"],
  ["Network offline for 1 minute", false, () => ({ offline: "1m" })],
  ["Network online", false, () => "online"],
];

const spelled = (event) => (typeof event === "string" ? event : Object.entries(event).map(([key, value]) => `${key}: ${yaml(value)}`)[0]);

let faultList, userSelect, clockText;

function options(entries) {
  return entries.map(([label], index) => element("option", { value: index }, label));
}

function labeled(label, field) {
  return element("label", {}, label, field);
}

/// Creates a form whose button sends a control request, with a preview of the request.
function changeForm(title, fields, label, request, line) {
  const message = element("p", { class: "message hint", role: "status" });
  const preview = element("div", { class: "same" });
  const update = () => showEquivalent(preview, request(), line());
  const send = async () => {
    try {
      await control(...request());
      message.textContent = "Done.";
    } catch (error) {
      message.textContent = error.message;
    }
    reportChange();
    update();
  };
  const form = element("div", { class: "fields", oninput: update }, fields);
  update();
  return [element("h2", {}, title), form, element("div", { class: "buttons" },
    element("button", { type: "button", class: "main", onclick: send }, label)), message,
  element("details", { open: true }, element("summary", {}, "Same in a test"), preview)];
}

/// Creates the forms for faults and events.
export function showChanges() {
  const at = element("input", { value: "token", list: "endpoints", autocomplete: "off" });
  const response = element("select", {}, options(responses));
  const times = element("select", {}, ["1", "2", "3", "always"].map((value) => element("option", { value }, value)));
  const fault = () => ({
    at: at.value.trim(), response: responses[response.value][1], times: times.value === "always" ? "always" : Number(times.value),
  });
  faultList = element("ul", { class: "items" });
  const faultCard = element("section", { class: "card" },
    changeForm("Faults", [labeled("Requests", at), labeled("Response", response), labeled("Times", times)], "Add fault",
      () => ["POST", "faults", [fault()]], () => `given: [fault: ${yaml(fault())}]`),
    element("datalist", { id: "endpoints" }, [...endpoints, "GET /v1.0/me"].map((value) => element("option", { value }))),
    faultList);

  const event = element("select", {}, options(events));
  userSelect = element("select");
  const user = labeled("User", userSelect);
  fillUsers();
  const made = () => {
    const [, concernsUser, make] = events[event.value];
    user.hidden = !concernsUser;
    return make(userSelect.value);
  };
  clockText = element("p", { class: "hint" });
  const eventCard = element("section", { class: "card" },
    changeForm("Events", [labeled("Event", event), user], "Apply event", () => ["POST", "events", [made()]],
      () => `given: [${spelled(made())}]`), clockText,
    element("div", { class: "buttons" }, element("button", {
      type: "button", onclick: async () => { await control("POST", "reset").catch(() => {}); reportChange(); },
    }, "Reset the emulator")));
  document.querySelector("#changes").replaceChildren(faultCard, eventCard);
  showClock();
}

let faultsShown = "";

/// Shows the installed faults.
export function showFaults(faults) {
  if (!faultList || JSON.stringify(faults) === faultsShown) return;
  faultsShown = JSON.stringify(faults);
  faultList.replaceChildren(...faults.map((fault) => element("li", {},
    element("span", {}, element("strong", {}, fault.at), `: ${fault.response}. `,
      element("span", { class: "soft" }, `Triggered ${fault.fired} times${fault.spent ? ", used up" : ""}${fault.isolation ? `, test ${fault.isolation}` : ""}`)),
    element("button", {
      type: "button", "aria-label": `Remove the fault at ${fault.at}`,
      onclick: async () => { await control("DELETE", `faults/${fault.number}`).catch(() => {}); reportChange(); },
    }, "Remove"))));
}

// MARK: Directory

let users = [];
let clock;

function fillUsers() {
  if (!userSelect) return;
  const selected = userSelect.value;
  userSelect.replaceChildren(...users.slice(0, 500).map((user) => element("option", { value: user.username }, user.username)));
  if (users.some((user) => user.username === selected)) userSelect.value = selected;
}

function showClock() {
  if (!clockText || !clock) return;
  const shift = clock.shiftSeconds === 0 ? "same as this machine" : `${clock.shiftSeconds} s from this machine’s clock`;
  clockText.textContent = `Emulator time: ${clock.now} (${shift})`;
}

function section(title, items) {
  return element("section", { class: "card" }, element("details", {}, element("summary", {}, element("h2", {}, `${title} (${items.length})`)),
    items.length ? element("ul", { class: "items" }, items.slice(0, 200).map((parts) => element("li", {}, element("span", {}, ...parts))))
      : element("p", { class: "hint" }, "None")));
}

const soft = (text) => element("span", { class: "soft" }, text);

/// Shows users, apps, policies, and the clock.
export function showDirectory(allUsers, apps, policies, time) {
  users = allUsers;
  clock = time;
  setDirectory(allUsers, apps);
  fillUsers();
  showClock();
  const place = document.querySelector("#directory");
  const open = new Set([...place.querySelectorAll("details")].map((each, index) => (each.open ? index : -1)));
  place.replaceChildren(
    section("Users", allUsers.map((user) => [element("strong", {}, user.displayName), ` ${user.username} `,
      soft([user.tenant, user.admin && "administrator", user.mfa && `MFA: ${user.mfa}`, user.disabled && "disabled",
        user.passwordExpired && "password expired"].filter(Boolean).join(", "))])),
    section("Apps", apps.map((app) => [element("strong", {}, app.name ?? "App"), ` ${app.appId} `,
      soft([app.confidential ? "confidential" : "public", app.onTheFly && "registered on the fly", app.disabled && "disabled",
        ...app.publicClient, ...app.spa, ...app.web, ...app.permissions].filter(Boolean).join(", "))])),
    section("Policies", policies.map((policy) => [element("strong", {}, policy.name), ` ${policy.tenant} `,
      soft([policy.require && `requires ${policy.require}`, policy.signInFrequency && `sign-in every ${policy.signInFrequency}`,
        `users: ${[policy.users].flat().join(", ")}`, `apps: ${[policy.apps].flat().join(", ")}`].filter(Boolean).join(", "))])));
  [...place.querySelectorAll("details")].forEach((each, index) => { each.open = open.has(index); });
}
