import { chmodSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { createSimulator } from "centavo";
import { inspect, serve } from "centavo/server";
import type { ServeOptions } from "centavo/server";
import type { Cause, Causes } from "./cause.ts";
import { newFolder } from "./folder.ts";

/** Serves a simulator with these options. */
const serving =
  (options: object): Cause =>
  (sim) =>
    serve(sim, options);

/** Serves a simulator with a token file that a function has made. */
const withTokenFile =
  (make: (path: string) => void, options: ServeOptions = {}): Cause =>
  (sim) => {
    const tokenFile = join(newFolder(), "token");
    make(tokenFile);
    return serve(sim, { ...options, tokenFile });
  };

const write =
  (text: string): ((path: string) => void) =>
  (path) =>
    writeFileSync(path, text, { mode: 0o600 });

/** Serves a simulator with the state file of an earlier one, which a function has changed meanwhile. */
const withStateFile =
  (change: string, seed = 1): Cause =>
  async () => {
    const state = join(newFolder(), "shop.db");
    await (await serve(createSimulator(), { state })).close();
    const file = new DatabaseSync(state);
    file.exec(change);
    file.close();
    await serve(createSimulator({ seed }), { state });
  };

/** What a server refuses when it starts. */
export const serverCauses: Causes = {
  INVALID_OPTION: {
    "inspect: a simulator that is none": () => inspect({} as never),
    "inspect: an unknown option": (sim) => inspect(sim, { name: "a renewal" } as never),
    "inspect: a title without a letter": (sim) => inspect(sim, { title: " " }),
    "inspect: a simulator that records nothing": () => inspect(createSimulator({ recording: false })),
    "serve: no address to listen on": serving({ hostname: "" }),
    "serve: hosts that are no list": serving({ allowedHosts: "centavo" }),
    "serve: a host that is a URL": serving({ allowedHosts: ["http://centavo"] }),
    "serve: an origin with a path": serving({ allowedOrigins: ["http://localhost:3000/cart"] }),
    "serve: origins that are no list": serving({ allowedOrigins: "http://localhost:3000" }),
    "serve: a base URL without a scheme": serving({ baseUrl: "pay.example" }),
    "serve: a base URL with another path than the simulator's": serving({ baseUrl: "https://pay.example/sandbox" }),
    "serve: a requestTimeout of no time": serving({ requestTimeout: 0 }),
    "serve: no world at all": serving({ worlds: { most: 0 } }),
    "serve: worlds that are idle for too long": serving({ worlds: { idle: "30 days" } }),
    "serve: a token that can be guessed": serving({ token: "secret" }),
    "serve: another token than in the token file": withTokenFile(write("a-token-of-the-team"), {
      token: "a-token-of-another-team",
    }),
    "serve: a token file that is a link": withTokenFile((path) => symlinkSync("elsewhere", path)),
    "serve: an empty token file": withTokenFile(write("")),
    "serve: a token file in a folder that is not there": (sim) =>
      serve(sim, { tokenFile: join(newFolder(), "nowhere", "token") }),
    "serve: a token file below another file": (sim) => {
      const file = join(newFolder(), "notes");
      write("")(file);
      return serve(sim, { tokenFile: join(file, "token") });
    },
    "serve: a token file that is a folder": (sim) => serve(sim, { tokenFile: newFolder() }),
    "serve: a token file that others may read": withTokenFile((path) => {
      write("a-token-of-the-team")(path);
      chmodSync(path, 0o644);
    }),
    "serve: a token file without a token": withTokenFile(write("to do: make a token\n")),
    "serve: a state file in a folder that is not there": (sim) =>
      serve(sim, { state: join(newFolder(), "shops", "shop.db") }),
    "serve: a state file of another program": (sim) => {
      const state = join(newFolder(), "visits.db");
      const file = new DatabaseSync(state);
      file.exec("CREATE TABLE visits (url TEXT)");
      file.close();
      return serve(sim, { state });
    },
    "serve: a state file whose world has other options": withStateFile("", 2),
    "serve: a state file whose options were damaged": withStateFile("UPDATE worlds SET options = '{'"),
    "serve: a state file that was edited": withStateFile(
      "UPDATE worlds SET beginning = replace(beginning, 'merchant', 'pirate')",
    ),
    "serve: the state of a simulator that records nothing": () =>
      serve(createSimulator({ recording: false }), { state: join(newFolder(), "shop.db") }),
  },
};
