// What is typed, chosen and ticked in a form and not stored yet outlasts the page: another form of it that is sent, a
// link that leads away, the form's own refusal, the end of the session. It is kept by the address that takes the form,
// in this tab alone, and shown again with that form to the same user in the same workspace; beside the form where what
// is stored has changed since. Passwords, files and hidden fields are never kept.

const main = document.getElementById("main");
const { holder } = main.dataset;
const PREFIX = "unsaved ";
const SENT = `${PREFIX}sent`; // of the form that led to the next page, which says what became of it
const TAKEN = "taken"; // what was sent last with a form that makes something
const FIELDS = "textarea, select, input:not([type=hidden], [type=password], [type=file])";

const forms = (within) => within.querySelectorAll("form[method=post]");
const fields = (form) => [...form.elements].filter((one) => one.name && one.matches(FIELDS));
const bases = new WeakMap(); // what was stored when the kept values of a form were typed
const aside = new WeakMap(); // what is kept for a form and not shown in it
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

/** Adds what is kept of a form to what is kept already of forms of its address. */
function joined(before, more) {
  return { typed: { ...before?.typed, ...more.typed }, base: { ...before?.base, ...more.base } };
}

function store(key, kept) {
  write(key, Object.keys(kept.typed).length ? kept : {});
}

function changed(field) {
  if ("unsaved" in field.dataset) return true; // a refused form comes back with it as if it were stored
  if (ticked(field)) return field.checked !== field.defaultChecked;
  return field.value !== stored(field);
}

/** What the page came with. */
function stored(field) {
  if (ticked(field)) return field.defaultChecked;
  if (field.tagName !== "SELECT") return field.defaultValue;
  return field.options[firstOf(field)]?.value;
}

/** A list that says nothing of it begins with its first option. */
function firstOf(list) {
  return Math.max(0, [...list.options].findIndex((one) => one.defaultSelected));
}

/** What is not stored yet of a form, by its fields, and what was stored in all of them when it was typed. */
function typedIn(form) {
  const typed = fields(form).filter(changed).map((one) => [idOf(one), ticked(one) ? one.checked : one.value]);
  const found = { typed: Object.fromEntries(typed), base: {} };
  if (!typed.length) return joined(aside.get(form), found);
  found.base = Object.fromEntries(fields(form).map((one) => [idOf(one), stored(one)]));
  return joined(aside.get(form), { ...found, base: { ...found.base, ...bases.get(form) } });
}

/** Whether a form holds what was stored with it already, as it does where the browser goes back to it. */
function isTaken(form, typed) {
  if (!form.elements.namedItem("idempotency_key")) return false;
  return read(`${PREFIX}${holder} ${TAKEN}`)[keyOf(form)] === JSON.stringify(typed);
}

/** Keeps what is typed in the forms of the page, but for the one that was taken. */
export function keep(taken) {
  const found = new Map();
  for (const form of forms(document)) {
    const kept = typedIn(form);
    const none = form === taken || isTaken(form, kept.typed) ? { typed: {}, base: {} } : kept;
    found.set(keyOf(form), joined(found.get(keyOf(form)), none));
  }
  for (const [key, kept] of found) store(key, kept);
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
    const kept = joined(read(keyOf(form)), { typed: {}, base: {} });
    const own = fields(form).filter((one) => idOf(one) in kept.typed);
    if (!own.length) continue;
    // What the address says, such as the customer that was found, was chosen later.
    const given = (one) => arriving && new URLSearchParams(location.search).has(one.name);
    const here = { typed: Object.fromEntries(own.map((one) => [idOf(one), kept.typed[idOf(one)]])), base: kept.base };
    // The form that was sent and came back tells itself what has changed; a part of it that was found is in it.
    const returned = arriving && "refused" in main.dataset && keyOf(form) in sentBefore;
    const shown = (one) => returned && idOf(one) in kept.base && stored(one) !== kept.base[idOf(one)];
    for (const one of fields(form)) if (shown(one)) one.dataset.unsaved = "";
    const moved = !returned && fields(form).some((one) => !given(one) && isMoved(one, kept));
    let back = false;
    for (const field of own) {
      if (!moved && !shown(field) && !given(field)) back = put(field, kept.typed[idOf(field)]) || back;
      delete kept.typed[idOf(field)];
    }
    (moved ? aside : bases).set(form, moved ? here : here.base);
    store(keyOf(form), kept);
    if (moved) tellAside(form, own, here.typed);
    else if (arriving && back) tell(form);
  }
}

/** Whether the page came with something else in a field than was stored when its form was typed in, and than was typed. */
function isMoved(field, { typed, base }) {
  const id = idOf(field);
  return id in base && stored(field) !== base[id] && stored(field) !== typed[id];
}

/** Whether the field shows something else now. */
function put(field, value) {
  const before = ticked(field) ? field.checked : field.value;
  field[ticked(field) ? "checked" : "value"] = value;
  field.dataset.unsaved = "";
  if (field.selectedIndex === -1) field.selectedIndex = firstOf(field); // there is no such option any more
  for (let one = field.closest("details:not([open])"); one; one = one.closest("details:not([open])")) one.open = true;
  return before !== value;
}

function tell(form) {
  const notice = noticeIn(form, () => {
    form.reset();
    for (const field of fields(form)) delete field.dataset.unsaved;
    bases.delete(form);
  });
  notice.prepend("What you had typed here is back; it is not saved. ");
}

/** Says what was typed without putting it into the form: it would be saved over a change that was not seen. */
function tellAside(form, own, typed) {
  const notice = noticeIn(form, () => aside.delete(form));
  const list = document.createElement("span");
  const texts = own.filter((one) => typeof typed[idOf(one)] === "string" && typed[idOf(one)]).map((one) => typed[idOf(one)]);
  list.textContent = texts.length ? ` You had typed: ${texts.map((text) => `“${text}”`).join(", ")}. ` : " ";
  notice.prepend("What is stored here has changed since you typed; what you had typed is not put back.", list);
}

function noticeIn(form, discard) {
  const notice = document.createElement("p");
  notice.className = "hint wide";
  notice.setAttribute("role", "status");
  const button = document.createElement("button");
  Object.assign(button, { type: "button", className: "quiet", textContent: "Discard it" });
  button.addEventListener("click", () => {
    discard();
    notice.remove();
  });
  notice.append(button);
  form.prepend(notice);
  for (let one = form.closest("details:not([open])"); one; one = one.closest("details:not([open])")) one.open = true;
  return notice;
}

function forget(kept) {
  for (const key of Object.keys(sessionStorage)) if (key.startsWith(PREFIX) && !kept(key)) sessionStorage.removeItem(key);
}

const sentBefore = read(SENT);
write(SENT, {});
if (!holder || "refused" in main.dataset) {
  for (const [key, kept] of Object.entries(sentBefore)) store(key, joined(read(key), kept));
} else if (performance.getEntriesByType("navigation")[0]?.redirectCount) {
  const taken = Object.entries(sentBefore).map(([key, kept]) => [key, JSON.stringify(kept.typed)]);
  const key = `${PREFIX}${holder} ${TAKEN}`;
  write(key, { ...read(key), ...Object.fromEntries(taken) });
}

if (holder) {
  // Whoever else has signed in here is shown nothing of it.
  const [user] = holder.split(" ");
  forget((key) => key.startsWith(`${PREFIX}${user} `));
  restore(document, true);

  let sent = null;
  const nothingSent = () => (sent = null);
  addEventListener("pageshow", nothingSent);
  document.addEventListener("input", nothingSent); // the answer was a file: the page is still there
  document.addEventListener("submit", (event) => {
    if (!event.defaultPrevented && event.target.method === "post") sent = event.target;
  });
  addEventListener("pagehide", () => {
    if (sent?.matches("[action*='/sign-out']")) return forget(() => false);
    keep(sent);
    if (sent) write(SENT, { [keyOf(sent)]: typedIn(sent) });
  });
}
