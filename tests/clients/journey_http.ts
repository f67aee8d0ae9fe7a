// What a customer does, with the types that openapi-typescript generates. Prints what was answered as JSON.
import { randomUUID } from "node:crypto";
import createClient from "openapi-fetch";
import type { components, paths } from "./generated/typescript/openapi.js";
import { patient } from "./generated/typescript/patience.js";

type ErrorEnvelope = components["schemas"]["ErrorEnvelope"];

const { QUOTEWRIGHT_URL: baseUrl = "", QUOTEWRIGHT_KEY: key = "" } = process.env;
const [text = "", wanted = "", spentKey = ""] = process.argv.slice(2);
const waits: number[] = [];
const noting = async (milliseconds: number) => waits.push(milliseconds / 1000);

function client(headers: Record<string, string>) {
  return createClient<paths>({ baseUrl, headers, fetch: patient(noting) });
}

function given<T>(answer: { data?: T | undefined; error?: ErrorEnvelope | undefined }): T {
  if (answer.data === undefined) throw new Error(JSON.stringify(answer.error));
  return answer.data;
}

async function refusal(credential: string, words: string) {
  const { error } = await client({ "X-API-Key": credential }).POST("/api/v1/quotes/generate", {
    params: { header: { "Idempotency-Key": randomUUID() } },
    body: { text: words },
  });
  if (error === undefined) throw new Error("not refused");
  const { code, details } = error.error;
  return { code, reason: details.reason, fields: Object.fromEntries((details.fields ?? []).map((one) => [one.field, one.reason])) };
}

const ours = client({ "X-API-Key": key });
const generate = () =>
  ours.POST("/api/v1/quotes/generate", { params: { header: { "Idempotency-Key": wanted } }, body: { text } });
const quote = given(await generate());
const again = await generate();
const path = { quote_id: quote.quote_id };
const read = given(await ours.GET("/api/v1/quotes/{quote_id}", { params: { path } }));
const pdf: ArrayBuffer = given(
  await ours.GET("/api/v1/quotes/{quote_id}/pdf", { params: { path }, parseAs: "arrayBuffer" }),
);
const prices = given(await ours.POST("/api/v1/sourcing/price", { body: { query: "wood fence" } }));
const lead = given(
  await ours.POST("/api/v1/leads/request", { body: { city: "Nashville", trade: "roofing", country: "US" } }),
);
console.log(
  JSON.stringify({
    quote,
    same_again: JSON.stringify(given(again)) === JSON.stringify(quote),
    replayed: again.response.headers.get("Idempotent-Replayed") === "true",
    read,
    pdf: Buffer.from(pdf).toString("latin1"),
    product: prices.options[0]?.product_name,
    lead: lead.status,
    allowance: ["Limit", "Remaining", "Reset"].map((name) => Number(again.response.headers.get(`X-RateLimit-${name}`))),
    invalid: await refusal(key, " "),
    unknown: await refusal("qw_test_nobody", text),
    spent: await refusal(spentKey, text),
    waits,
  }),
);
