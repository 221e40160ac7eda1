// The start page: opens the connection to the control interface, and shows its data with the other modules.
import { ControlError, control } from "./control.js";
import { showRequests, showSignIns } from "./request-list.js";
import { showChanges, showDirectory, showFaults } from "./changes.js";

const disconnected = "Disconnected. The page reconnects when the emulator responds.";
const status = document.querySelector("#status");

function setStatus(text, kind) {
  if (status.textContent !== text) status.textContent = text;
  status.className = kind;
}

async function refresh() {
  const [signIns, faults] = await Promise.all([control("GET", "sign-ins"), control("GET", "faults")]);
  showSignIns(signIns.signIns);
  showFaults(faults.faults);
}

async function refreshDirectory() {
  const [users, apps, policies, clock] = await Promise.all(
    ["users", "apps", "policies", "clock"].map((path) => control("GET", path)));
  showDirectory(users.users, apps.apps, policies.policies, clock);
}

const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/// Shows new requests until the page closes.
async function follow() {
  let last = 0;
  let wait = "0s";
  for (;;) {
    try {
      const log = await control("GET", `requests?after=${last}&wait=${wait}`);
      // After a restart, the numbers start over.
      last = log.last < last ? 0 : log.last;
      wait = "20s";
      showRequests(log.requests);
      await refresh();
      setStatus("Connected", "live");
    } catch (error) {
      if (error instanceof ControlError && error.status === 403) return lock();
      setStatus(disconnected, "lost");
      wait = "0s";
      await pause(2000);
    }
  }
}

function lock() {
  document.querySelector("#locked").hidden = false;
  document.querySelector("#live").hidden = true;
  document.querySelector("main").classList.remove("open");
  setStatus("", "");
}

/// Waits until the emulator responds.
/// - Returns: Whether this browser has access.
async function connect() {
  for (;;) {
    try {
      await control("GET", "state");
      return true;
    } catch (error) {
      if (error instanceof ControlError && error.status === 403) return false;
      setStatus(`${disconnected} ${error.message}`, "lost");
      await pause(2000);
    }
  }
}

async function open() {
  if (!await connect()) return lock();
  document.querySelector("#locked").hidden = true;
  document.querySelector("#live").hidden = false;
  document.querySelector("main").classList.add("open");
  showRequests([]);
  await refreshDirectory();
  showChanges();
  document.addEventListener("change-of-emulator", () => Promise.all([refresh(), refreshDirectory()]).catch(() => {}));
  follow();
}

open();
