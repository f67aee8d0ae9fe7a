// What the pages gain from a script; all of them work without it.
import "./unsaved.js";

// Times in the viewer's zone.
const moment = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });
export function showTimes(within) {
  for (const time of within.querySelectorAll("time[datetime]:not([title])")) {
    time.title = time.textContent;
    time.textContent = moment.format(new Date(time.dateTime));
  }
}
showTimes(document);

// Buttons that copy the text of an element.
for (const button of document.querySelectorAll("button[data-copy]")) {
  if (!navigator.clipboard) continue;
  button.hidden = false;
  button.addEventListener("click", async () => {
    const label = button.textContent;
    try {
      await navigator.clipboard.writeText(document.getElementById(button.dataset.copy).textContent);
      button.textContent = "Copied";
    } catch {
      button.textContent = "Select it and copy";
    }
    setTimeout(() => (button.textContent = label), 2000);
  });
}

// A form is sent once, however often its button is pressed.
for (const form of document.querySelectorAll("form[method=post]")) {
  form.addEventListener("submit", (event) => {
    if (form.dataset.sent) event.preventDefault();
    form.dataset.sent = "yes";
  });
}
addEventListener("pageshow", () => {
  for (const form of document.forms) delete form.dataset.sent;
});

// Suggestions for fields that take them, from when one is entered.
async function assist(field) {
  if (field?.matches?.("[data-assist]")) (await import("./assist.js")).attend(field);
}
addEventListener("focusin", (event) => assist(event.target));
assist(document.activeElement);
