import { expect } from "vitest";

/** vitest types its asymmetric matchers as `any`; these are the same, typed. */
export const anyText: unknown = expect.any(String);
export const anyList: unknown = expect.any(Array);
export const textLike = (pattern: RegExp): unknown => expect.stringMatching(pattern);
