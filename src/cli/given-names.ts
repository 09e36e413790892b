import { CentavoError } from "../kit/base/errors/centavo-error.ts";

/** The options of `createSimulator` and `serve` whose option of the command has another name. */
const RENAMED: Readonly<Record<string, string>> = {
  hostname: "host",
  allowedHosts: "allowHost",
  allowedOrigins: "allowOrigin",
  allowedWebhookHosts: "allowWebhooksTo",
  "worlds.idle": "worldIdle",
};

/** Returns an option as the command line has it, such as `--base-url`. */
export function flagOf(name: string): string {
  return `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

/**
 * Returns an error about an option of `createSimulator` or `serve` with the name of the command's option that set it. Any other error, such as
 * one about an option of a story, is returned as it is.
 * @param given the options that the command line has, by their names in camel case
 */
export function inGivenNames(error: unknown, given: object): unknown {
  if (!(error instanceof CentavoError)) return error;
  const [start = "", name = ""] = /^(?:(?:createSimulator|serve): the|The) option ([\w.]+)/.exec(error.message) ?? [];
  const option = RENAMED[name] ?? name;
  if (!Object.hasOwn(given, option)) return error;
  return new CentavoError(error.code, flagOf(option) + error.message.slice(start.length), { cause: error });
}
