// Trying operations with a test key. The key stays in the field it was typed into: nothing is stored.

const SHOWN = ["x-request-id", "x-ratelimit-remaining", "x-ratelimit-limit", "retry-after", "idempotent-replayed"];

const keyField = document.querySelector("#test-key");

/** The request that a form describes: its URL and what fetch takes. */
function requestOf(form) {
  let path = form.dataset.path;
  const query = new URLSearchParams();
  const headers = {};
  for (const input of form.querySelectorAll("[data-in]")) {
    const value = input.value.trim();
    if (input.dataset.in === "path") path = path.replace(`{${input.name}}`, encodeURIComponent(value));
    else if (value && input.dataset.in === "query") query.append(input.name, value);
    else if (value) headers[input.name] = value;
  }
  if ("keyed" in form.dataset) headers["X-API-Key"] = keyField.value.trim();
  const options = { method: form.dataset.method, headers, credentials: "omit", cache: "no-store", redirect: "error" };
  const body = form.querySelector("[data-body]");
  const file = form.querySelector("[data-file]");
  if (body) {
    options.body = body.value;
    headers["Content-Type"] = "application/json";
  } else if (file) {
    options.body = file.files[0];
    headers["Content-Type"] = file.files[0].type || "application/octet-stream";
  }
  return [query.size ? `${path}?${query}` : path, options];
}

/** Why the key cannot be used, or nothing. */
function keyProblem() {
  const key = keyField.value.trim();
  if (!key) return "Enter a test key in the section Credentials first.";
  if (!key.startsWith("qw_test_")) return "Only test keys (qw_test_…) are sent from this page.";
  return "";
}

function line(text, className = "") {
  const paragraph = document.createElement("p");
  paragraph.textContent = text;
  paragraph.className = className;
  return paragraph;
}

function block(text) {
  const pre = document.createElement("pre");
  pre.tabIndex = 0;
  pre.textContent = text;
  return pre;
}

/** The body as nodes: JSON to read, anything else to save. */
async function bodyOf(response) {
  if (!(response.headers.get("Content-Type") ?? "").startsWith("application/json")) {
    const blob = await response.blob();
    const link = document.createElement("a");
    link.href = URL.createObjectURL(blob);
    link.download = blob.type === "application/pdf" ? "answer.pdf" : "answer";
    link.textContent = `Save ${blob.size} bytes (${blob.type})`;
    return link;
  }
  return block(JSON.stringify(await response.json(), null, 2));
}

async function send(form) {
  const answer = form.querySelector(".answer");
  const problem = "keyed" in form.dataset ? keyProblem() : "";
  if (problem) {
    answer.replaceChildren(line(problem, "failed"));
    keyField.focus();
    return;
  }
  const button = form.querySelector("button");
  button.disabled = true;
  try {
    const began = performance.now();
    const response = await fetch(...requestOf(form));
    const body = await bodyOf(response);
    const took = Math.round(performance.now() - began);
    const shown = SHOWN.filter((name) => response.headers.has(name));
    answer.replaceChildren(
      line(`${response.status} in ${took} ms`, response.ok ? "succeeded" : "failed"),
      block(shown.map((name) => `${name}: ${response.headers.get(name)}`).join("\n")),
      body,
    );
  } catch (error) {
    answer.replaceChildren(line(`No answer: ${error.message}`, "failed"));
  } finally {
    button.disabled = false;
  }
}

for (const form of document.querySelectorAll("form")) {
  form.hidden = false;
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (form.dataset.path) send(form);
  });
}
for (const details of document.querySelectorAll(".try")) details.hidden = false;
for (const select of document.querySelectorAll("[data-examples]")) {
  select.addEventListener("change", () => {
    select.form.querySelector("[data-body]").value = select.value;
  });
}
// The list of contents is open without a script; on a small screen it would hide the page.
if (matchMedia("(max-width: 59.99rem)").matches) document.querySelector(".menu").open = false;
