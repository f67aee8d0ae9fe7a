// What is typed, chosen and ticked in a form and not stored yet outlasts the page: another form of it that is sent, a
// link that leads away, the form's own refusal, the end of the session. It is kept by the address that takes the form, in this tab alone, and
// shown again with that form to the same user in the same workspace. Passwords, files and hidden fields are never kept.

const main = document.getElementById("main");
const { holder } = main.dataset;
const PREFIX = "unsaved ";
const SENT = `${PREFIX}sent`; // of the form that led to the next page, which says what became of it
const FIELDS = "textarea, select, input:not([type=hidden], [type=password], [type=file])";

const forms = (within) => within.querySelectorAll("form[method=post]");
const fields = (form) => [...form.elements].filter((one) => one.name && one.matches(FIELDS));
const ticked = (field) => field.type === "checkbox" || field.type === "radio";

/** Where a form's values are kept: of forms that one address takes in one place. */
function keyOf(form) {
  return `${PREFIX}${holder} ${new URL(form.getAttribute("action") ?? "", location.href).pathname}`;
}

/** What a field is known by on the next page, too: its id, or its name and which of that name it is. */
function idOf(field) {
  return field.id || `${field.name} ${[...field.form.elements].filter((one) => one.name === field.name).indexOf(field)}`;
}

function read(key) {
  return JSON.parse(sessionStorage.getItem(key) ?? "{}");
}

function write(key, values) {
  sessionStorage.removeItem(key);
  try {
    if (Object.keys(values).length) sessionStorage.setItem(key, JSON.stringify(values));
  } catch {
    // The tab's storage is full: this is lost with the page, as without a script.
  }
}

function changed(field) {
  if ("unsaved" in field.dataset) return true; // a refused form comes back with it as if it were stored
  if (ticked(field)) return field.checked !== field.defaultChecked;
  if (field.tagName !== "SELECT") return field.value !== field.defaultValue;
  return field.selectedIndex !== stored(field);
}

/** A list that says nothing of it begins with its first option. */
function stored(list) {
  return Math.max(0, [...list.options].findIndex((one) => one.defaultSelected));
}

/** What is not stored yet of a form, by its fields. */
function typedIn(form) {
  return Object.fromEntries(fields(form).filter(changed).map((one) => [idOf(one), ticked(one) ? one.checked : one.value]));
}

/** Keeps what is typed in the forms of the page, but for the one that was taken. */
export function keep(taken) {
  const found = new Map();
  for (const form of forms(document)) {
    found.set(keyOf(form), { ...found.get(keyOf(form)), ...(form === taken ? {} : typedIn(form)) });
  }
  for (const [key, values] of found) write(key, values);
}

/** The first field of another form of the page that holds what is not stored. */
export function unsavedBeside(form) {
  for (const other of forms(main)) {
    const found = other !== form && fields(other).find(changed);
    if (found) return found;
  }
  return null;
}

/** Whether something is kept for the form that ``path`` takes. */
export function isKept(path) {
  return sessionStorage.getItem(`${PREFIX}${holder} ${path}`) !== null;
}

/** Shows again what was kept; ``arriving`` on a page, forms that others are seen in say so. */
export function restore(within, arriving) {
  for (const form of forms(within)) {
    const kept = read(keyOf(form));
    let back = false;
    for (const field of fields(form)) {
      const id = idOf(field);
      if (!(id in kept)) continue;
      // What the address says, such as the customer that was found, was chosen later.
      if (!arriving || !new URLSearchParams(location.search).has(field.name)) back = put(field, kept[id]) || back;
      delete kept[id];
    }
    write(keyOf(form), kept);
    if (arriving && back) tell(form);
  }
}

/** Whether the field shows something else now. */
function put(field, value) {
  const before = ticked(field) ? field.checked : field.value;
  field[ticked(field) ? "checked" : "value"] = value;
  field.dataset.unsaved = "";
  if (field.selectedIndex === -1) field.selectedIndex = stored(field); // there is no such option any more
  for (let one = field.closest("details:not([open])"); one; one = one.closest("details:not([open])")) one.open = true;
  return before !== value;
}

function tell(form) {
  const notice = document.createElement("p");
  notice.className = "hint wide";
  notice.setAttribute("role", "status");
  const button = document.createElement("button");
  Object.assign(button, { type: "button", className: "quiet", textContent: "Discard it" });
  button.addEventListener("click", () => {
    form.reset();
    for (const field of fields(form)) delete field.dataset.unsaved;
    notice.remove();
  });
  notice.append("What you had typed here is back; it is not saved. ", button);
  form.prepend(notice);
}

function forget(kept) {
  for (const key of Object.keys(sessionStorage)) if (key.startsWith(PREFIX) && !kept(key)) sessionStorage.removeItem(key);
}

const sentBefore = read(SENT);
write(SENT, {});
if (!holder || "refused" in main.dataset) {
  for (const [key, values] of Object.entries(sentBefore)) write(key, { ...read(key), ...values });
}

if (holder) {
  // Whoever else has signed in here is shown nothing of it.
  const [user] = holder.split(" ");
  forget((key) => key.startsWith(`${PREFIX}${user} `));
  restore(document, true);

  let sent = null;
  addEventListener("pageshow", () => (sent = null));
  document.addEventListener("submit", (event) => {
    if (!event.defaultPrevented && event.target.method === "post") sent = event.target;
  });
  addEventListener("pagehide", () => {
    if (sent?.matches("[action*='/sign-out']")) return forget(() => false);
    keep(sent);
    if (sent) write(SENT, { [keyOf(sent)]: typedIn(sent) });
  });
}
