import type { MerchantApp } from "centavo";
import express from "express";

/** Apps that go on with something once they have answered a webhook. */
export const apps: readonly (readonly [string, (afterwards: () => void) => MerchantApp])[] = [
  [
    "a fetch handler",
    (afterwards) => () => {
      afterwards();
      return new Response();
    },
  ],
  [
    "Express",
    (afterwards) => {
      const app = express();
      app.post("/hooks", (_, response) => {
        response.sendStatus(200);
        afterwards();
      });
      return app;
    },
  ],
];

/** The first of them. */
export const [[, fetchApp]] = apps as readonly [(typeof apps)[number]];
