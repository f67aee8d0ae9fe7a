// A delivery that waits: what becomes of it is shown as it happens, for two minutes.

import { showTimes } from "./portal.js";

const until = Date.now() + 120_000;

async function look() {
  const shown = document.getElementById("progress");
  if (!("waiting" in shown.dataset) || Date.now() > until) return;
  try {
    const answer = await fetch(location.href, { headers: { Accept: "text/html" } });
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const found = page.getElementById("progress");
    if (answer.ok && found && !("waiting" in found.dataset)) {
      // The whole page: what may be done with the delivery depends on its state.
      location.reload();
      return;
    }
    if (answer.ok && found && found.textContent !== shown.dataset.seen) {
      shown.dataset.seen = found.textContent;
      shown.replaceChildren(...found.childNodes);
      showTimes(shown);
    }
  } catch {
    // The next look may do better.
  }
  setTimeout(look, 1500);
}
setTimeout(look, 700);
