// New quotes: a preview beside the form, how far a file is sent, and whether a document is read.

class Ended extends Error {} // the session

// The preview comes into the page, where one goes on typing.
const making = document.querySelector("form[data-preview]");
making?.addEventListener("submit", async (event) => {
  if (event.submitter?.value !== "preview") return;
  event.preventDefault();
  const place = document.getElementById(making.dataset.preview);
  const body = new URLSearchParams(new FormData(making));
  body.set("do", "preview");
  const button = event.submitter;
  button.disabled = true;
  try {
    const answer = await fetch(making.action, { method: "POST", headers: { Accept: "text/html" }, body });
    if (answer.status === 401 || new URL(answer.url).pathname === "/sign-in") {
      place.replaceChildren(noticed("You are signed out. What you typed is kept: load the page again, and sign in."));
      throw new Ended();
    }
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const shown = page.getElementById(place.id);
    if (answer.redirected || !shown) throw new Error("no preview");
    place.replaceChildren(...shown.childNodes);
    if (!answer.ok) showProblem(place, page);
  } catch (error) {
    if (!(error instanceof Ended)) place.replaceChildren(noticed("There is no preview just now. What you typed is still there."));
  }
  button.disabled = false;
  delete making.dataset.sent; // it was not, and can be
});

function showProblem(place, page) {
  for (const one of page.querySelectorAll(".error, .notice.bad")) place.append(noticed(one.textContent));
}

function noticed(text) {
  const notice = document.createElement("p");
  notice.className = "notice bad";
  notice.textContent = text;
  return notice;
}

// How far a file is on its way; where the answer leads the browser goes on to.
const uploading = document.querySelector("form[data-upload]");
uploading?.addEventListener("submit", (event) => {
  event.preventDefault();
  const place = document.getElementById(uploading.dataset.upload);
  const bar = place.querySelector("progress");
  const button = uploading.querySelector("button");
  const request = new XMLHttpRequest();
  request.open("POST", uploading.action);
  request.setRequestHeader("Accept", "text/html");
  request.upload.addEventListener("progress", (sent) => {
    if (sent.lengthComputable) bar.value = Math.round((100 * sent.loaded) / sent.total);
  });
  const failed = (text) => {
    place.hidden = true;
    button.disabled = false;
    delete uploading.dataset.sent;
    uploading.querySelector(".notice")?.remove();
    uploading.prepend(noticed(text));
    uploading.querySelector("input[type=file]").focus();
  };
  request.addEventListener("load", () => {
    if (request.status === 200) {
      location.assign(request.responseURL);
      return;
    }
    const page = new DOMParser().parseFromString(request.responseText, "text/html");
    failed(page.querySelector(".error, .notice.bad, main p")?.textContent ?? "The document was not taken. Try again.");
  });
  request.addEventListener("error", () => failed("The document was not sent. Try again."));
  place.hidden = false;
  button.disabled = true;
  request.send(new FormData(uploading));
});

// A document that is being read: the page comes again when it is.
const following = document.querySelector("[data-follow]");
async function follow(pause) {
  try {
    const answer = await fetch(following.dataset.follow, { headers: { Accept: "application/json" } });
    const over = answer.ok ? (await answer.json()).status !== "reading" : answer.status === 401 || answer.status === 404;
    if (over) {
      location.reload();
      return;
    }
  } catch {
    // The network comes back, or the page is left.
  }
  setTimeout(follow, pause, Math.min(pause * 1.5, 5000));
}
if (following) follow(300);
