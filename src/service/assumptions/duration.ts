import * as z from "zod/mini";
import { durationMilliseconds } from "../../kit/engine/duration.ts";

/** A duration in virtual time, such as `24 hours`. */
export const duration = z.string().check(
  z.superRefine((text, context) => {
    try {
      durationMilliseconds(text);
    } catch (error) {
      context.addIssue({ code: "custom", message: (error as Error).message });
    }
  }),
);
