import type { Outcome } from "./action.tsx";
import { documentOf } from "./control.ts";
import type { ListedWorld } from "../../../report/live-run.ts";

const DOCUMENTS = {
  report: { call: "GET /report", ending: "html" },
  recording: { call: "GET /recording", ending: "json" },
} as const;

/** Saves the report or the recording of a world as a file. */
export async function save({ path, name }: ListedWorld, kind: keyof typeof DOCUMENTS): Promise<Outcome> {
  const { call, ending } = DOCUMENTS[kind];
  const { data, problem } = await documentOf(path, call);
  if (problem !== undefined) return { problem };
  const address = URL.createObjectURL(data);
  const link = document.createElement("a");
  link.href = address;
  link.download = `centavo-${name.replaceAll(/[^\w.-]+/g, "-") || "default"}-${kind}.${ending}`;
  link.click();
  URL.revokeObjectURL(address);
  return { said: `Saved as ${link.download}.` };
}
