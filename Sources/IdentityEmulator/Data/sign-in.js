// Waits for a control request that completes the sign-in, such as a click on the start page, and then submits the page.
const form = document.querySelector("form");
const id = form?.elements.signin?.value;

async function isDecided() {
  const response = await fetch(`/_authflow/sign-ins/${id}`, { cache: "no-store" });
  if (!response.ok) return null;
  return (await response.json()).outcome !== "waiting";
}

async function waitForDecision() {
  const decided = await isDecided().catch(() => null);
  // Without access to the control interface, the user completes the page.
  if (decided === null) return;
  if (!decided) return setTimeout(waitForDecision, 1000);
  const field = document.createElement("input");
  Object.assign(field, { type: "hidden", name: "resume", value: "true" });
  form.append(field);
  form.submit();
}

if (id) waitForDecision();
