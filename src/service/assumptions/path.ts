import * as z from "zod/mini";
import { pathComplaint } from "../../kit/http/route-path.ts";

/** Returns the schema of paths that stand in for this one. */
export function pathInsteadOf(declared: string): z.ZodMiniString {
  return z.string().check(
    z.superRefine((path, context) => {
      const complaint = pathComplaint(path, declared);
      if (complaint !== undefined) context.addIssue({ code: "custom", message: complaint });
    }),
    z.meta({ title: "a path", examples: [declared] }),
  );
}

/** Returns the schema of an object that has other paths for some of these. */
export function pathsInsteadOf<Name extends string>(declared: Readonly<Record<Name, string>>) {
  const members = (Object.keys(declared) as Name[]).map((name) => [name, z.optional(pathInsteadOf(declared[name]))]);
  return z.strictObject(Object.fromEntries(members) as { readonly [Each in Name]: z.ZodMiniOptional<z.ZodMiniString> });
}
