// Control requests and their display, for all modules of the start page.

/// Creates an element. Children that are strings become text, so that request data cannot create markup.
export function element(name, properties = {}, ...children) {
  const node = document.createElement(name);
  for (const [key, value] of Object.entries(properties)) {
    if (key.startsWith("on")) node.addEventListener(key.slice(2), value);
    else if (key === "class") node.className = value;
    else if (value === true) node.setAttribute(key, "");
    else if (value !== false && value != null) node.setAttribute(key, value);
  }
  node.append(...children.flat().filter((child) => child != null && child !== false));
  return node;
}

export class ControlError extends Error {
  constructor(status, problems) {
    super(problems.join(" "));
    this.status = status;
  }
}

/// The address of the emulator. The studio serves this page for another emulator, and specifies the emulator's address.
const emulator = new URL(document.documentElement.dataset.emulator ?? location.origin);

/// Sends a control request and returns its response.
export async function control(method, path, body) {
  const response = await fetch(`/_authflow/${path}`, {
    method,
    cache: "no-store",
    headers: body === undefined ? {} : { "Content-Type": "application/json" },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  const json = await response.json().catch(() => ({}));
  if (!response.ok) throw new ControlError(response.status, json.problems ?? [`HTTP status ${response.status}`]);
  return json;
}

const shellQuoted = (text) => `'${text.replaceAll("'", "'\\''")}'`;

/// Returns the curl command that sends a control request.
export function command(method, path, body) {
  const parts = ["curl"];
  if (emulator.protocol === "https:") parts.push('--cacert "$CA"');
  if (method !== "GET" && !(method === "POST" && body !== undefined)) parts.push(`-X ${method}`);
  if (body !== undefined) {
    parts.push("-H 'Content-Type: application/json'", `-d ${shellQuoted(JSON.stringify(body))}`);
  }
  parts.push(`${emulator.origin}/_authflow/${path}`);
  return parts.join(" ");
}

/// Returns a value in YAML's flow style, as it appears in a workflow.
export function yaml(value) {
  if (Array.isArray(value)) return `[${value.map(yaml).join(", ")}]`;
  if (value && typeof value === "object") {
    return `{${Object.entries(value).map(([key, each]) => `${key}: ${yaml(each)}`).join(", ")}}`;
  }
  if (typeof value !== "string") return String(value);
  const isPlain = /^[\w./@-][\w./@ -]*$/.test(value) && !/^([\d.-]+|true|false|null|yes|no|on|off|~)$/i.test(value);
  return isPlain && !value.endsWith(" ") ? value : JSON.stringify(value);
}

/// Fills a list with the control request and the workflow line that have the same effect as a button.
export function showEquivalent(place, request, line) {
  place.replaceChildren(
    element("h3", {}, "Equivalent control request"),
    element("pre", { tabindex: "0" }, element("code", {}, command(...request))),
    ...(line ? [element("h3", {}, "Equivalent workflow line"), element("pre", { tabindex: "0" }, element("code", {}, line))] : []));
}

/// Reports that a control request changed the emulator, so that the page shows the new state.
export function reportChange() {
  document.dispatchEvent(new Event("change-of-emulator"));
}
