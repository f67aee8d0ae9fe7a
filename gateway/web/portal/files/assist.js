// Suggestions for what is typed into a field with the attribute data-assist, whose value is the kind of the field:
// data-assist="notes". They are shown beside the field; what is typed changes only where somebody accepts one.
// Nothing here is needed to use the form: whatever goes wrong, suggestions are off for a while.

const PAUSE = 600; // ms without a key before a text is asked about
const PATIENCE = 8000; // ms that an answer may take
const REST = 15000; // ms until the next try after a failure; longer with each
const LONGEST_REST = 300000;
const LONGEST_TEXT = 12000; // characters, which the service takes

const attended = new WeakMap();
const known = new Set(); // words added, and suggestions passed over, on this page
let restUntil = 0;
let failures = 0;

const style = document.createElement("link");
style.rel = "stylesheet";
style.href = "/portal/assist.css";
document.head.append(style);

// Follow a field; the same one again changes nothing.
export function attend(field) {
  if (!attended.has(field)) attended.set(field, new Assist(field));
}

// Where parts of a text are after it has changed; those that were touched are left out. `open`: a change right beside
// a part touches it, too.
function moved(spans, before, after, open) {
  if (before === after) return spans;
  let head = 0;
  const most = Math.min(before.length, after.length);
  while (head < most && before[head] === after[head]) head++;
  let tail = 0;
  while (tail < most - head && before.at(-1 - tail) === after.at(-1 - tail)) tail++;
  const grown = after.length - before.length;
  return spans.flatMap((one) => {
    const [first, last] = open ? [one.start - 1, one.end + 1] : [one.start, one.end];
    if (last <= head) return [one];
    if (first >= before.length - tail) return [{ ...one, start: one.start + grown, end: one.end + grown }];
    return [];
  });
}

const keyOf = (suggestion) => `${suggestion.before}→${suggestion.after}`;
const nameOf = (button) => button.getAttribute("aria-label") ?? button.textContent;

function make(tag, text = "", attributes = {}) {
  const made = Object.assign(document.createElement(tag), { textContent: text });
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  return made;
}

class Assist {
  constructor(field) {
    this.field = field;
    this.text = field.value;
    this.answered = null; // the text of the last answer
    this.suggestions = [];
    this.accepted = []; // {start, end, original}: where it stands now, and what was typed there
    this.original = null; // the text before the first was accepted, while nothing else has changed
    this.mayAdd = false;
    this.panel = make("div", "", { class: "assist", role: "group", "aria-label": "Suggestions" });
    this.status = make("p", "", { "aria-live": "polite" });
    this.list = make("ul");
    this.tools = make("div", "", { class: "row" });
    this.panel.append(this.status, this.list, this.tools);
    field.after(this.panel);
    field.addEventListener("input", () => this.changed());
    addEventListener("pagehide", () => this.cancel());
    this.panel.addEventListener("keydown", (event) => {
      if (event.key === "Escape") field.focus();
    });
    // What was typed before this module was there.
    if (field.value !== field.defaultValue) this.later();
  }

  changed() {
    this.cancel();
    const [before, after] = [this.text, this.field.value];
    if (before !== after) {
      this.suggestions = moved(this.suggestions, before, after, true);
      this.accepted = moved(this.accepted, before, after, false);
      this.original = null;
      this.answered = null;
      this.text = after;
    }
    this.show();
    this.later();
  }

  cancel() {
    clearTimeout(this.timer);
    this.request?.abort();
    this.request = null;
  }

  later(wait = PAUSE) {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.ask(), Math.max(wait, restUntil - Date.now()));
  }

  async ask() {
    const text = this.text;
    if (text === this.answered || !/\p{L}{2}/u.test(text)) return;
    if ([...text].length > LONGEST_TEXT) {
      this.suggestions = [];
      this.show("Too long for suggestions: at most 12,000 characters.");
      return;
    }
    const request = (this.request = new AbortController());
    const timeout = setTimeout(() => request.abort(), PATIENCE);
    try {
      const answer = await this.send("/assist/proofread", { text, field_kind: this.field.dataset.assist }, request.signal);
      if (answer.status === 422) {
        this.answered = text; // another text may do
        return;
      }
      if (!answer.ok) throw Object.assign(new Error(), { wait: 1000 * Number(answer.headers.get("Retry-After")) });
      const found = await answer.json();
      // An answer that was overtaken is nobody's any more.
      if (request !== this.request || text !== this.field.value) return;
      failures = 0;
      this.answered = text;
      this.mayAdd = found.may_add_words;
      this.suggestions = found.suggestions.filter((one) => text.slice(one.start, one.end) === one.before);
      this.show();
    } catch (error) {
      if (request !== this.request) return; // overtaken: whoever overtook it asks again
      const rest = Math.min(REST * 2 ** failures++, LONGEST_REST);
      restUntil = Date.now() + Math.max(rest, error.wait || 0);
      this.show("No suggestions for the moment.");
      this.later();
    } finally {
      clearTimeout(timeout);
    }
  }

  send(path, values, signal) {
    const token = (this.field.form ?? document).querySelector("input[name=csrf]");
    const body = new URLSearchParams({ ...values, csrf: token.value });
    return fetch(path, { method: "POST", body, headers: { Accept: "application/json" }, signal });
  }

  show(status) {
    const held = this.panel.contains(document.activeElement) ? nameOf(document.activeElement) : "";
    const open = this.suggestions.filter((one) => !known.has(one.before.toLowerCase()) && !known.has(keyOf(one)));
    const told = open.length === 1 ? "1 suggestion" : open.length ? `${open.length} suggestions` : "";
    if (this.status.textContent !== (status ?? told)) this.status.textContent = status ?? told;
    this.list.replaceChildren(...open.map((one) => this.line(one)));
    this.tools.replaceChildren();
    if (open.length > 1) this.tools.append(this.button("Accept all", () => this.accept(open)));
    if (this.accepted.length || this.original !== null) {
      this.tools.append(this.button("Undo: back to what I typed", () => this.undo()));
    }
    if (held) {
      const buttons = [...this.panel.querySelectorAll("button")];
      (buttons.find((one) => nameOf(one) === held) ?? buttons[0] ?? this.field).focus();
    }
  }

  line(one) {
    const line = make("li");
    const sure = one.confidence >= 0.9 ? "" : "look at it first; ";
    line.append(make("del", one.before || "(nothing)"), "→", make("ins", one.after || "(nothing)"));
    line.append(this.button("Accept", () => this.accept([one]), `Accept ${one.after || "nothing"} for ${one.before}`));
    for (const other of one.alternatives.slice(0, 3)) {
      line.append(this.button(other, () => this.accept([{ ...one, after: other }]), `Accept ${other} for ${one.before}`));
    }
    if (this.mayAdd && one.category === "spelling") {
      line.append(this.button("Add word", () => this.add(one.before), `Add word ${one.before} to the dictionary`));
    }
    line.append(this.button("Ignore", () => this.pass(one), `Ignore ${one.before}`));
    line.append(make("p", sure + one.message));
    return line;
  }

  button(text, act, label) {
    const made = make("button", text, { type: "button", ...(label ? { "aria-label": label } : {}) });
    made.addEventListener("click", act);
    return made;
  }

  // From the last to the first, so that places hold.
  replace(edits) {
    for (const { start, end, after } of [...edits].sort((one, other) => other.start - one.start)) {
      const before = this.text;
      const text = before.slice(0, start) + after + before.slice(end);
      this.suggestions = moved(this.suggestions, before, text, false);
      this.accepted = moved(this.accepted, before, text, false);
      this.text = text;
    }
    this.field.value = this.text;
  }

  accept(edits) {
    const sorted = [...edits].sort((one, other) => one.start - other.start);
    const original = this.original ?? (this.accepted.length ? null : this.text);
    const originals = [];
    let shift = 0;
    for (const { start, end, before, after } of sorted) {
      originals.push({ start: start + shift, end: start + shift + after.length, original: before });
      shift += after.length - (end - start);
    }
    this.suggestions = this.suggestions.filter((one) => !sorted.some(({ start, end }) => one.start === start && one.end === end));
    this.replace(sorted);
    this.accepted.push(...originals);
    this.original = original;
    this.settle(edits.length === 1 ? "Accepted." : `${edits.length} accepted.`);
  }

  undo() {
    if (this.original === null) {
      this.replace(this.accepted.map(({ start, end, original }) => ({ start, end, after: original })));
    } else {
      this.field.value = this.text = this.original;
      this.suggestions = [];
    }
    this.accepted = [];
    this.original = this.answered = null;
    this.settle("As you typed it.");
  }

  // The form's other scripts hear of it, and the text as it is now is asked about.
  settle(status) {
    this.field.dispatchEvent(new Event("input", { bubbles: true }));
    this.show(status);
  }

  pass(suggestion) {
    known.add(keyOf(suggestion));
    this.show();
  }

  async add(word) {
    let added = false;
    try {
      added = (await this.send("/assist/words", { word }, AbortSignal.timeout(PATIENCE))).ok;
    } catch {
      // told below
    }
    if (added) known.add(word.toLowerCase());
    this.show(added ? `${word} is in the dictionary now.` : `${word} could not be added.`);
  }
}
