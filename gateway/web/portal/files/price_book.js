// How far an import is; the page is loaded again when it has ended.
const progress = document.querySelector("[data-progress]");
const bar = document.getElementById("bar");
const told = document.getElementById("told");

async function look() {
  try {
    const answer = await fetch(progress.dataset.progress, { headers: { Accept: "application/json" } });
    if (!answer.ok) throw new Error();
    const { status, rows_read, rows_total } = await answer.json();
    if (status !== "running") return location.reload();
    bar.max = rows_total || 1;
    bar.value = rows_read;
    told.textContent = `${rows_read} of ${rows_total || "?"} rows`;
    setTimeout(look, 500);
  } catch {
    setTimeout(look, 3000); // it goes on by itself
  }
}
look();
