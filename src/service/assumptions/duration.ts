import * as z from "zod";
import { durationMilliseconds } from "../../engine/duration.ts";

/** A duration in virtual time, such as `24 hours`. */
export const duration = z.string().superRefine((text, context) => {
  try {
    durationMilliseconds(text);
  } catch (error) {
    context.addIssue({ code: "custom", message: (error as Error).message });
  }
});
