import assert from "node:assert/strict";
import { test } from "node:test";
import { simulated } from "centavo/testing";
import { openMerchant } from "../fastify-undici.cjs";
import { merchantTestsWith } from "../tests.cjs";

for (const [title, run] of Object.entries(merchantTestsWith(assert.equal, openMerchant)))
  test(`Fastify and undici: ${title}`, simulated({ name: title }, run));
