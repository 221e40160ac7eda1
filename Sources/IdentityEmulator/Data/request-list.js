// The list of requests with their details, and the sign-ins that wait for a user.
import { control, element, reportChange, showEquivalent } from "./control.js";

/// The maximum number of requests on the page. The emulator stores the last 1000 requests.
const limit = 500;

const kinds = {
  all: ["All requests", () => true],
  rejected: ["Rejected", (request) => request.decision === "rejected" || request.decision === "not emulated"],
  fault: ["Changed by a fault", (request) => request.fault],
  signIn: ["Sign-in", (request) => /\/(authorize|login|logout|devicecode|deviceauth)$|devicelogin/.test(path(request))],
  token: ["Token", (request) => path(request).endsWith("/token")],
  graph: ["Microsoft Graph", (request) => /^\/(v1\.0|beta|oidc)\//.test(path(request))],
};

let requests = [];
let isPaused = false;
let list, filter, kind, count;

function path(request) {
  try {
    return new URL(request.url).pathname;
  } catch {
    return request.url;
  }
}

function build() {
  const section = document.querySelector("#requests");
  filter = element("input", { type: "search", autocomplete: "off", oninput: apply });
  kind = element("select", { onchange: apply },
    Object.entries(kinds).map(([value, [label]]) => element("option", { value }, label)));
  count = element("p", { class: "hint", role: "status" });
  list = element("ol", { id: "list" });
  const pauseButton = element("button", {
    type: "button", "aria-pressed": "false",
    onclick: () => {
      isPaused = !isPaused;
      pauseButton.setAttribute("aria-pressed", String(isPaused));
      if (!isPaused) redraw();
    },
  }, "Pause");
  const clearButton = element("button", { type: "button", onclick: () => { requests = []; redraw(); } }, "Clear");
  section.replaceChildren(
    element("div", { class: "bar" }, element("h2", { id: "requests-title" }, "Requests"),
      element("label", {}, "Filter", filter), element("label", {}, "Show", kind), pauseButton, clearButton),
    count, list);
}

function matches(request) {
  const text = filter.value.trim().toLowerCase();
  if (!kinds[kind.value][1](request)) return false;
  return !text || [request.method, request.url, request.status, request.code, request.decision, request.reason,
    request.client, request.user, request.scopes, request.grant, request.policy, request.isolation]
    .some((value) => value != null && String(value).toLowerCase().includes(text));
}

function apply() {
  for (const item of list.children) item.hidden = !matches(item.request);
  describeCount();
}

function describeCount() {
  const shown = [...list.children].filter((item) => !item.hidden).length;
  count.textContent = requests.length === 0
    ? "No requests yet. Configure a client with the addresses below, and its requests appear here."
    : shown === requests.length ? `${shown} requests, newest first, times in UTC` : `${shown} of ${requests.length} requests, newest first, times in UTC`;
}

function redraw() {
  const open = new Set([...list.children].filter((item) => item.querySelector("[aria-expanded=true]")).map((item) => item.request.number));
  const known = new Map([...list.children].map((item) => [item.request.number, item]));
  list.replaceChildren(...requests.map((request) => (open.has(request.number) && known.get(request.number)) || row(request)));
  apply();
}

/// Adds requests to the list, newest first.
export function showRequests(added) {
  if (!list) build();
  const known = new Set(requests.map((request) => request.number));
  const fresh = added.filter((request) => !known.has(request.number));
  requests = [...fresh.toReversed(), ...requests].slice(0, limit);
  if (isPaused) return;
  list.prepend(...fresh.toReversed().map(row));
  while (list.children.length > limit) list.lastElementChild.remove();
  apply();
}

function row(request) {
  const style = request.fault ? "fault" : request.decision === "rejected" || request.decision === "not emulated" ? "rejected"
    : /issued|approved|recorded/.test(request.decision) ? "issued" : "";
  const details = element("div", { class: "details", hidden: true });
  const origin = [request.client && (appNames.get(request.client.toLowerCase()) ?? `client ${request.client}`), request.user, request.isolation && `test ${request.isolation}`]
    .filter(Boolean).join(" · ");
  const reason = [request.code, request.reason, request.policy && `policy: ${request.policy}`].filter(Boolean).join(" · ");
  const button = element("button", {
    type: "button", class: "request", "aria-expanded": "false",
    onclick: () => {
      const isOpen = button.getAttribute("aria-expanded") === "true";
      button.setAttribute("aria-expanded", String(!isOpen));
      details.hidden = isOpen;
      if (!isOpen) showDetails(request, details);
    },
  },
  element("span", { class: "time" }, request.time.slice(11, 19)), element("span", {}, request.method),
  element("span", { class: "status" }, String(request.status ?? "–")), element("span", { class: "path" }, path(request)),
  element("span", { class: "decision" }, request.decision),
  reason && element("span", { class: "reason" }, reason), origin && element("span", { class: "who" }, origin));
  const item = element("li", { class: style }, button, details);
  item.request = request;
  return item;
}

function table(title, parts) {
  if (!parts.length) return null;
  return [element("h3", {}, title), element("table", {}, element("tbody", {}, parts.map(({ name, value }) =>
    element("tr", {}, element("th", { scope: "row" }, name), element("td", {}, value)))))];
}

async function showDetails(request, place) {
  place.replaceChildren(element("p", { class: "hint" }, "Loading…"));
  try {
    const { request: entry, details, explanation } = await control("GET", `requests/${request.number}`);
    const why = entry.decision === "rejected" && (entry.code || entry.reason) && element("div", { class: "why" },
      element("p", {}, element("strong", {}, [entry.code, entry.reason].filter(Boolean).join(": "))),
      explanation && element("p", {}, element("strong", {}, "Meaning: "), explanation.meaning),
      explanation && element("p", {}, element("strong", {}, "Fix: "), explanation.fix));
    const checks = details.checks.length > 0 && [element("h3", {}, "Checks"), element("ol", { class: "checks" },
      details.checks.map((each) => element("li", {},
        element("span", { class: each.passed ? "passed" : "failed" }, each.passed ? "✓ passed" : "✗ failed"),
        element("span", {}, each.check), element("span", {}, each.result))))];
    place.replaceChildren(...[
      why, element("p", { class: "hint" }, `${entry.method} ${entry.url}`), table("Query", details.query), table("Body", details.body),
      checks, table(`Response: ${entry.status ?? "connection closed"}, ${details.response.size} bytes`,
        [...details.response.headers, ...details.response.members]),
    ].flat().filter(Boolean));
  } catch (error) {
    place.replaceChildren(element("p", { class: "failed" }, error.message));
  }
}

// MARK: Sign-ins

let signInsShown = "";
let users = [];
let appNames = new Map();

/// Sets the accounts that the sign-in buttons offer, and the app names.
export function setDirectory(allUsers, apps) {
  users = allUsers.filter((user) => !user.disabled);
  appNames = new Map(apps.map((app) => [app.appId.toLowerCase(), app.name]));
}

/// Shows the sign-ins whose pages are open. Does not replace unchanged elements, so that they keep the focus.
export function showSignIns(signIns) {
  const waiting = signIns.filter((signIn) => signIn.outcome === "waiting").toReversed();
  const state = JSON.stringify([waiting, users]);
  if (state === signInsShown) return;
  signInsShown = state;
  const section = document.querySelector("#sign-ins");
  section.hidden = waiting.length === 0;
  const equivalent = element("div", { class: "same" });
  section.replaceChildren(element("h2", { id: "sign-ins-title" }, "Waiting for a user to sign in"),
    ...waiting.map((signIn) => signInItem(signIn, equivalent)), equivalent);
}

function signInItem(signIn, equivalent) {
  const decide = async (action, body) => {
    const request = ["POST", `sign-ins/${signIn.id}/${action}`, body];
    await control(...request).catch((error) => equivalent.prepend(element("p", { class: "failed", role: "alert" }, error.message)));
    reportChange();
  };
  const show = (action, body) => () => showEquivalent(equivalent, ["POST", `sign-ins/${signIn.id}/${action}`, body]);
  const approve = (user) => element("button", {
    type: "button", class: "main", onclick: () => decide("approve", { user: user.username }),
    onfocus: show("approve", { user: user.username }), onmouseenter: show("approve", { user: user.username }),
  }, `Sign in as ${user.displayName}`);
  const named = users.filter((user) => user.username.toLowerCase() === signIn.user?.toLowerCase());
  const first = named.length ? named : users.slice(0, 3);
  const others = element("select", { "aria-label": `Other account for ${signIn.app}` },
    users.filter((user) => !first.includes(user)).slice(0, 200)
      .map((user) => element("option", { value: user.username }, user.username)));
  const showOther = () => show("approve", { user: others.value })();
  others.addEventListener("input", showOther);
  return element("div", {},
    element("p", {}, element("strong", {}, signIn.app), ` shows the page ${signIn.page}. `,
      element("span", { class: "soft" }, signIn.scopes)),
    element("div", { class: "buttons" }, first.map(approve), element("span", {}, others),
      element("button", {
        type: "button", onclick: () => decide("approve", { user: others.value }), onfocus: showOther, onmouseenter: showOther,
      }, "Sign in as another account"),
      element("button", { type: "button", onclick: () => decide("decline"), onfocus: show("decline"), onmouseenter: show("decline") }, "Cancel")));
}
