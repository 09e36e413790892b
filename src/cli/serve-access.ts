import { resolve } from "node:path";
import type { Command } from "commander";
import type { ServeOptions } from "../server/serve-options.ts";
import { count, names } from "./arguments.ts";

/** Who may reach a server and what bounds its worlds, as the command line has it. */
export interface GivenAccess {
  readonly allowHost?: readonly string[];
  readonly allowOrigin?: readonly string[];
  readonly allowWebhooksTo?: readonly string[];
  readonly tokenFile?: string;
  readonly worlds?: number;
  readonly worldIdle?: string;
  readonly worldKeep?: number;
  readonly worldRows?: number;
}

/** Adds the options of `GivenAccess`. */
export function addAccessOptions(command: Command): Command {
  return command
    .optionsGroup("Who may reach it:")
    .option(
      "--allow-host <host>",
      "answer under this host name too, such as that of a container; repeatable, or several with commas",
      names,
    )
    .option(
      "--allow-origin <origin>",
      "let pages of this origin call the service, such as http://localhost:3000; repeatable, and never the control API",
      names,
    )
    .option("--allow-webhooks-to <host>", "send webhooks to this host too, besides this machine; repeatable", names)
    .option(
      "--token-file <file>",
      "the file of the control token, which several servers may share: read if it exists, and else made for its owner alone",
    )
    .optionsGroup("Named worlds:")
    .option("--worlds <count>", "how many named worlds there may be; 1000 by default", count)
    .option("--world-idle <duration>", "end a named world that nobody uses for so long; 30 minutes by default")
    .option("--world-keep <count>", "the --keep of each named world; 1000 by default", count)
    .option("--world-rows <count>", "how many rows a named world may have; 20 000 by default", count);
}

/** @param directory the folder against which the path of the token file is resolved */
export function accessIn(given: GivenAccess, directory: string): ServeOptions {
  const { allowHost, allowOrigin, allowWebhooksTo, tokenFile } = given;
  const { worlds: most, worldIdle: idle, worldKeep: keep, worldRows: rows } = given;
  return {
    ...(allowHost !== undefined && { allowedHosts: allowHost }),
    ...(allowOrigin !== undefined && { allowedOrigins: allowOrigin }),
    ...(allowWebhooksTo !== undefined && { allowedWebhookHosts: allowWebhooksTo }),
    ...(tokenFile !== undefined && { tokenFile: resolve(directory, tokenFile) }),
    worlds: {
      ...(most !== undefined && { most }),
      ...(idle !== undefined && { idle }),
      ...(keep !== undefined && { keep }),
      ...(rows !== undefined && { rows }),
    },
  };
}
