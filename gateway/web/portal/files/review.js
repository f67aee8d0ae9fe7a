// The page of a quote: words and lines light up together, lines open with their form, forms answer in place. All of it
// works without this.
import { showTimes } from "./portal.js";
import { isKept, keep, restore, unsavedBeside } from "./unsaved.js";

const main = document.getElementById("main");

// Words and their line.

function light(id) {
  for (const one of main.querySelectorAll(".lit")) one.classList.remove("lit");
  if (!id) return;
  for (const one of main.querySelectorAll(`mark[data-line="${id}"], .line[data-line="${id}"]`)) one.classList.add("lit");
}

function lineOf(target) {
  return target instanceof Element ? (target.closest("[data-line]")?.dataset.line ?? "") : "";
}

/** The words of a line into view, where the request scrolls by itself. */
function showWords(id) {
  const pane = main.querySelector(".request-text");
  const words = main.querySelector(`mark[data-line="${id}"]`);
  if (!pane || !words || pane.scrollHeight <= pane.clientHeight) return;
  pane.scrollTop = words.offsetTop - pane.clientHeight / 3;
}

main.addEventListener("pointerover", (event) => light(lineOf(event.target) || lineOf(document.activeElement)));
main.addEventListener("pointerleave", () => light(lineOf(document.activeElement)));
main.addEventListener("focusin", (event) => {
  light(lineOf(event.target));
  if (event.target.closest(".line")) showWords(lineOf(event.target));
});
main.addEventListener("click", (event) => {
  const words = event.target.closest("mark[data-line]");
  const line = words && document.getElementById(`line-${words.dataset.line}`);
  if (!line) return;
  line.scrollIntoView({ block: "nearest" });
  line.querySelector("summary").focus();
});

// What a line opens: its form and its arithmetic, which have a page of their own.

async function page(path, options) {
  const response = await fetch(path, { ...options, headers: { Accept: "text/html", ...options?.headers } });
  const { ok, url, redirected } = response;
  return { ok, url, redirected, document: new DOMParser().parseFromString(await response.text(), "text/html") };
}

async function openLine(details, arriving) {
  const more = details.querySelector("[data-more]");
  if (!more || more.dataset.asked) return;
  more.dataset.asked = "yes";
  try {
    const found = (await page(more.dataset.more)).document.getElementById("line-page");
    // A form that was answered meanwhile has put the page of its answer in the place of this one.
    if (found && more.isConnected) show(more, found, arriving);
  } catch {
    delete more.dataset.asked; // the link to the page is still there
  }
}

/** Puts a part of another page in the place of ``old``. */
function show(old, part, arriving) {
  for (const how of part.querySelectorAll(".how")) how.open = false;
  part.removeAttribute("id");
  part.classList.add("inside");
  old.replaceWith(part);
  showTimes(part);
  restore(part, arriving);
}

main.addEventListener(
  "toggle",
  (event) => {
    if (event.target.open && event.target.closest(".line")) openLine(event.target);
  },
  true,
);

/** A line in which something was typed and not saved is open again. */
function reopen(arriving) {
  for (const more of main.querySelectorAll("[data-more]")) {
    if (!isKept(more.dataset.more)) continue;
    const details = more.closest("details");
    openLine(details, arriving);
    details.open = true;
  }
}
reopen(true);

// Forms answer in place: what was open stays open, and the focus where it was.

main.addEventListener("submit", async (event) => {
  const form = event.target;
  if (event.defaultPrevented || form.method !== "post") return;
  event.preventDefault();
  if (form.matches("[data-moves]") && leavesOut(form, event.submitter)) return;
  const body = new URLSearchParams(new FormData(form, event.submitter));
  const line = (event.submitter ?? form).closest(".line")?.id;
  form.classList.add("waits");
  let answer;
  try {
    answer = await page(form.action, { method: "POST", body });
  } catch {
    tell(form, event.submitter, "The service could not be reached. Nothing typed is lost: try again.");
    return;
  }
  settle(form, event.submitter, answer, line);
});

/** Whether the form would move the quote on without what is typed in another form of the page: this is said once. */
function leavesOut(form, submitter) {
  const field = unsavedBeside(form);
  if (!field || form.dataset.told) return false;
  const line = field.closest(".line")?.querySelector(".what").textContent;
  const where = line ? `the line “${line}”` : `“${field.labels[0]?.firstChild.textContent.trim()}”`;
  tell(form, submitter, `What is typed in ${where} is not saved. Save it first, or press the button again to leave it out.`);
  form.dataset.told = "yes";
  field.scrollIntoView({ block: "nearest" });
  field.focus();
  return true;
}

// What is typed since is told of, too.
main.addEventListener("input", () => {
  for (const form of main.querySelectorAll("[data-told]")) delete form.dataset.told;
});

/** Says in the form why it was not done; all of it stays, to be sent again. */
function tell(form, submitter, text) {
  form.classList.remove("waits");
  delete form.dataset.sent;
  // The buttons of lines belong to a form that nobody sees.
  const place = form.matches(".empty-form") ? submitter.closest("p").parentElement : form;
  const notice = place.querySelector(":scope > .unreached") ?? document.createElement("p");
  notice.className = "error unreached wide";
  notice.setAttribute("role", "alert");
  notice.textContent = text;
  place.append(notice);
}

function settle(form, submitter, answer, line) {
  const inside = form.closest(".inside");
  keep(answer.ok ? form : null);
  const again = answer.document.getElementById("line-page");
  if (inside && again) {
    show(inside, again); // the line's own form, with what was wrong
    const place = document.getElementById(line);
    (place.querySelector("[aria-invalid]") ?? place.querySelector("summary")).focus();
    return;
  }
  const content = answer.document.getElementById("main");
  if (!content || !answer.document.getElementById("review")) {
    // Only where a form leads on to is there a page, such as the one to sign in; the form's own address may take
    // nothing but forms.
    const signIn = content?.querySelector("a[href^='/sign-in']"); // what is typed is here again behind it
    if (answer.redirected || signIn) location.assign(signIn?.href ?? answer.url);
    else tell(form, submitter, content?.querySelector("p")?.textContent || "This did not work. Try again later.");
    return;
  }
  const open = [...main.querySelectorAll("details[open]")].map((one) => one.id || one.closest("[id]")?.id);
  main.replaceChildren(...content.childNodes);
  document.title = answer.document.title;
  if (answer.redirected) history.replaceState(null, "", answer.url.split("#")[0]);
  for (const id of new Set(open)) {
    const place = document.getElementById(id);
    if (line !== id && place?.matches(".line")) place.querySelector("details").open = true;
  }
  showTimes(main);
  restore(main);
  reopen();
  const wrong = main.querySelector("[aria-invalid]");
  const next = wrong ?? document.getElementById(line)?.querySelector("summary") ?? document.getElementById("changed") ?? main;
  next.focus({ preventScroll: next === main });
}
