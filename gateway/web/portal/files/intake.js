// Offers are taken over without loading the page again; days count in the viewer's zone.
const form = document.querySelector("form.intake");
form.elements.time_zone.value = Intl.DateTimeFormat().resolvedOptions().timeZone ?? "";

// A download leaves the page as it is: the form may be sent again.
form.addEventListener("submit", (event) => {
  if (event.submitter?.value === "download") setTimeout(() => delete form.dataset.sent);
});

for (const button of form.querySelectorAll("button[data-fills]")) {
  button.addEventListener("click", (event) => {
    event.preventDefault();
    const field = form.elements[button.dataset.fills];
    const before = field.value;
    fill(field, button.dataset.value);
    // What stood there can be had back.
    if (before && before !== field.value) {
      const back = document.createElement("button");
      Object.assign(back, { type: "button", className: "quiet", textContent: `Undo: ${before.slice(0, 60)}` });
      back.addEventListener("click", () => {
        fill(field, before);
        back.remove();
      });
      button.after(" ", back);
    }
    field.focus();
  });
}

function fill(field, value) {
  field.value = value;
  field.dispatchEvent(new Event("input", { bubbles: true }));
}
