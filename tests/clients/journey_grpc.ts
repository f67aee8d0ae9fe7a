// What an internal service does, with the clients that ts-proto generates. Prints what was answered as JSON.
import { credentials, Metadata, status, type ServiceError } from "@grpc/grpc-js";
import { answered, PATIENCE, why } from "./generated/typescript/grpc_errors.js";
import { LeadServiceClient, RequestCoverageRequest } from "./generated/typescript/quotewright/v1/lead.js";
import { GenerateQuoteRequest, QuoteServiceClient } from "./generated/typescript/quotewright/v1/quote.js";
import type {
  GenerateQuoteResponse,
  GetQuotePdfResponse,
  GetQuoteResponse,
} from "./generated/typescript/quotewright/v1/quote.js";
import { FindPricesRequest, SourcingServiceClient } from "./generated/typescript/quotewright/v1/sourcing.js";
import type { FindPricesResponse } from "./generated/typescript/quotewright/v1/sourcing.js";
import type { RequestCoverageResponse } from "./generated/typescript/quotewright/v1/lead.js";

const { QUOTEWRIGHT_GRPC: target = "", QUOTEWRIGHT_KEY: key = "" } = process.env;
const [text = "", wanted = ""] = process.argv.slice(2);
const channel = credentials.createInsecure();
const quotes = new QuoteServiceClient(target, channel, PATIENCE);

function metadata(values: Record<string, string>): Metadata {
  const found = new Metadata();
  for (const [name, value] of Object.entries(values)) found.set(name, value);
  return found;
}

async function refusal(credential: string, words: string) {
  const request = GenerateQuoteRequest.fromPartial({ text: words });
  try {
    await answered<GenerateQuoteResponse>((done) =>
      quotes.generateQuote(request, metadata({ "x-api-key": credential }), done),
    );
  } catch (error) {
    return { code: status[(error as ServiceError).code], ...why(error as ServiceError) };
  }
  throw new Error("not refused");
}

const ours = metadata({ "x-api-key": key });
let replayed = false;
const generate = async () => {
  const request = GenerateQuoteRequest.fromPartial({ text });
  const { quote } = await answered<GenerateQuoteResponse>((done) => {
    const call = quotes.generateQuote(request, metadata({ "x-api-key": key, "idempotency-key": wanted }), done);
    call.on("status", (ended) => (replayed = ended.metadata.get("idempotent-replayed")[0] === "true"));
  });
  if (quote === undefined) throw new Error("no quote");
  return quote;
};
const quote = await generate();
const again = await generate();
const one = { quote_id: quote.quote_id };
const read = await answered<GetQuoteResponse>((done) => quotes.getQuote(one, ours, done));
const pdf = await answered<GetQuotePdfResponse>((done) => quotes.getQuotePdf({ ...one, token: "" }, ours, done));
const prices = await answered<FindPricesResponse>((done) =>
  new SourcingServiceClient(target, channel).findPrices(FindPricesRequest.fromPartial({ query: "wood fence" }), ours, done),
);
const asked = RequestCoverageRequest.fromPartial({ city: "Nashville", trade: "roofing", country: "US" });
const lead = await answered<RequestCoverageResponse>((done) =>
  new LeadServiceClient(target, channel).requestCoverage(asked, ours, done),
);
console.log(
  JSON.stringify({
    quote,
    same_again: JSON.stringify(again) === JSON.stringify(quote),
    replayed,
    read: read.quote,
    pdf: Buffer.from(pdf.pdf?.data ?? []).toString("latin1"),
    product: prices.options[0]?.product_name,
    lead: lead.status,
    invalid: await refusal(key, " "),
    unknown: await refusal("qw_test_nobody", text),
  }),
);
