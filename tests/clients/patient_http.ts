// Asks once more than is allowed. Says for how many seconds it is to wait, and goes on when it is told to.
import { once } from "node:events";
import createClient from "openapi-fetch";
import type { paths } from "./generated/typescript/openapi.js";
import { patient } from "./generated/typescript/patience.js";

const { QUOTEWRIGHT_URL: baseUrl = "", QUOTEWRIGHT_KEY: key = "" } = process.env;

async function wait(milliseconds: number) {
  console.log(milliseconds / 1000);
  await once(process.stdin, "data");
  process.stdin.destroy();
}

const client = createClient<paths>({ baseUrl, headers: { "X-API-Key": key }, fetch: patient(wait) });
for (let time = 0; time < 2; time++) {
  const { data, error } = await client.GET("/api/v1/quotes");
  if (data?.data.length !== 0) throw new Error(JSON.stringify(error));
  console.log("answered");
}
