import { replay } from "centavo";
import { vi } from "vitest";
import type { Recording, Simulator, Snapshot } from "centavo";
import { Merchant } from "../../merchant.ts";
import type { Cause, Causes } from "./cause.ts";

/** A JSON value that a test may change anywhere. */
type Editable<Value> = { -readonly [Name in keyof Value]: Editable<Value[Name]> };

/** Restores a snapshot of a world with one payment, which was edited in between. */
const edited =
  (change: (world: Editable<Snapshot["world"]>) => unknown): Cause =>
  async (sim: Simulator) => {
    await (await Merchant.of(sim)).createIntent();
    const snapshot = JSON.parse(JSON.stringify(sim.snapshot())) as Editable<Snapshot>;
    change(snapshot.world);
    sim.restore(snapshot, { edited: true });
  };

/** Replays a recording of one payment, which was edited in between. */
const changed =
  (change: (recording: Editable<Recording>) => unknown): Cause =>
  async (sim: Simulator) => {
    await (await Merchant.of(sim)).createIntent();
    const recording = JSON.parse(JSON.stringify(sim.recording())) as Editable<Recording>;
    change(recording);
    return replay(recording);
  };

/** Deeper than JSON can be written. */
let deep: object = {};
for (let level = 0; level < 100_000; level += 1) deep = [deep];
const circle: Record<string, unknown> = {};
circle["self"] = circle;

/** What goes wrong with snapshots and recordings that come from a file. */
export const worldCauses: Causes = {
  INVALID_SNAPSHOT: {
    "sim.restore: no plain data": (sim) => sim.restore(circle as never),
    "sim.restore: no snapshot": (sim) => sim.restore(undefined as never),
    "sim.restore: a world that is a list": (sim) =>
      sim.restore({ ...sim.snapshot(), world: Object.assign([], { seed: "1" }) as never }, { edited: true }),
    "sim.restore: no world": (sim) => sim.restore({ version: 2 } as never, { edited: true }),
    "sim.restore: levels without end": (sim) => sim.restore(deep as never),
    "sim.restore: more levels than can be sorted": (sim) => {
      let now: unknown = 0;
      for (let level = 0; level < 4000; level += 1) now = [now];
      sim.restore({ ...sim.snapshot(), world: { ...sim.snapshot().world, now } } as never);
    },
    "sim.restore: an unknown table": edited(({ tables }) => Object.assign(tables, { parcels: [] })),
    "sim.restore: a table that is no list": edited(({ tables }) => Object.assign(tables, { merchants: {} })),
    "sim.restore: a table that is missing": edited(({ tables }) => delete tables["merchants"]),
    "sim.restore: a row without an id": edited(({ tables }) => tables["merchants"]?.push(["only an id"] as never)),
    "sim.restore: a row that is there twice": edited(({ tables }) => {
      const rows = tables["payment_intent"];
      rows?.push(...rows.slice(0, 1));
    }),
    "sim.restore: a wrong field of a row": edited(({ tables }) => {
      const [[, row]] = tables["payment_intent"] as [[string, { readonly data: object }]];
      Object.assign(row.data, { amount: "a lot" });
    }),
    "sim.restore: a row with an unknown field": edited(({ tables }) => {
      const [[, row]] = tables["payment_intent"] as [[string, { readonly data: object }]];
      Object.assign(row.data, { ammount: 100 });
    }),
    "sim.restore: a row in an unknown state": edited(({ tables }) => {
      const [[, row]] = tables["payment_intent"] as [[string, object]];
      Object.assign(row, { state: "suceeded" });
    }),
    "sim.restore: a secret in the wrong place": edited(({ tables }) => {
      const [[, row]] = tables["payment_intent"] as [[string, { readonly data: { readonly clientKey: string } }]];
      Object.assign(row.data, { amount: row.data.clientKey });
    }),
    "sim.restore: a stream of zeros": edited(({ streams }) => Object.assign(streams, { "id/pi": [0, 0, 0, 0] })),
    "sim.restore: a journal entry of no kind": edited(({ journal }) =>
      Object.assign(journal[0] ?? {}, { kind: "tokn" }),
    ),
    "sim.restore: a journal entry without its details": edited(({ journal }) =>
      Object.assign(journal[0] ?? {}, { details: {} }),
    ),
    "sim.restore: two rows with one key": edited(({ tables }) => {
      const [[, row]] = tables["payment_intent"] as [[string, object]];
      tables["payment_intent"]?.push(["pi_2", { ...row, id: "pi_2" }]);
    }),
    "sim.restore: a wrong journal entry": edited(({ journal }) => Object.assign(journal[0] ?? {}, { at: "today" })),
  },
  INVALID_RECORDING: {
    "replay: no recording": () => replay(undefined as never),
    "replay: no plain data": () => replay(circle as never),
    "replay: a note that is none": changed(({ inputs }) => {
      const { at = 0, timers = 0 } = inputs[0] ?? {};
      inputs.unshift({ at, timers, kind: "note", entry: "wish", details: {} });
    }),
    "replay: levels without end": () => replay(deep as never),
    "replay: inputs that are no list": changed((recording) => Object.assign(recording, { inputs: {} })),
    "replay: an input of a misspelt kind": changed(({ inputs }) => Object.assign(inputs[1] ?? {}, { kind: "requets" })),
    "replay: an input without a kind": changed(({ inputs }) => delete (inputs[0] as { kind?: string }).kind),
    "replay: an input with an unknown field": changed(({ inputs }) => Object.assign(inputs[1] ?? {}, { boddy: "{}" })),
    "replay: a wrong header": changed(({ inputs }) =>
      Object.assign(inputs[1] ?? {}, { headers: { authorization: ["Bearer secret-secret"] } }),
    ),
    "replay: a secret in the wrong place": changed(({ inputs }) =>
      Object.assign(inputs[1] ?? {}, { status: "whsec_bWVyY2hhbnQtc2VjcmV0" }),
    ),
    "replay: a note without its details": changed(({ inputs }) => {
      const { at = 0, timers = 0 } = inputs[0] ?? {};
      inputs.unshift({ at, timers, kind: "note", entry: "customer", details: {} });
    }),
    "replay: inputs out of order": changed(({ inputs }) => Object.assign(inputs[1] ?? {}, { at: 0 })),
    "replay: an end before the last input": changed(({ end }) => Object.assign(end, { at: 0 })),
    "replay: a start that is no snapshot": changed((recording) =>
      Object.assign(recording, { start: { version: 2, world: {} } }),
    ),
  },
  REPLAY_DIVERGED: {
    "replay: another digest": changed((recording) => Object.assign(recording, { digest: "0".repeat(64) })),
    "replay: another seed": changed(({ options }) => Object.assign(options, { seed: "2" })),
    "replay: an input that never comes": changed(({ inputs }) => inputs.pop()),
  },
  INVALID_OPTION: {
    "sim.report: a path that names no file": (sim) => sim.report(""),
    "sim.report: a path that cannot be written": (sim) => sim.report("/dev/null/report.html"),
  },
  INVALID_STATE: {
    "sim.report: a path where there is no file system": async (sim) => {
      const modules = vi.spyOn(process, "getBuiltinModule").mockReturnValue(undefined);
      try {
        await sim.report("report.html");
      } finally {
        modules.mockRestore();
      }
    },
  },
};
