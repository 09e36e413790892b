import type { MerchantContact, RunningMerchant } from "../scenario/running-merchant.ts";
import type { PlayOptions } from "./story-messages.ts";

/** Returns what the contact of a failed story with its merchant says about the likely cause; undefined if nothing. */
export function contactInWords(
  { url, baseUrl }: RunningMerchant,
  { calls, replaced }: MerchantContact,
): string | undefined {
  const sentences = [
    ...(calls === 0 ? [`${url} made no call to ${baseUrl} during this story.`] : []),
    ...(replaced.length === 0
      ? []
      : [
          `The story connects an app of its own at ${replaced.join(" and ")}, and everything for it went to ${url} instead. A story that calls its app directly cannot be played against a merchant in another process: let it reach its shop by sim.visit() alone.`,
        ]),
  ];
  return sentences.length === 0 ? undefined : sentences.join(" ");
}

/** Returns the options with the tokens that the merchant has got so far. */
export function withTokens(options: PlayOptions, tokens: RunningMerchant["tokens"]): PlayOptions {
  const { merchant } = options;
  return merchant === undefined ? options : { ...options, merchant: { ...merchant, tokens } };
}

/** Says that the merchant never called. */
export function neverCalled({ url, baseUrl }: RunningMerchant): string {
  return `${url} never called ${baseUrl}, so no story has tested it. Configure your shop with this base URL and the credentials above, start it again, and let the stories reach it, as by sim.visit("POST", "/orders", { … }).`;
}
