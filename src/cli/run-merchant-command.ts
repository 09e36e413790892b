import type { Command } from "commander";
import { portNumber, seconds } from "./arguments.ts";

/** Adds the options of `MerchantOptions`. */
export function addMerchantOptions(command: Command): Command {
  return command
    .optionsGroup("Against a merchant that runs already, in any language:")
    .option(
      "--merchant <url>",
      "the origin of the merchant, such as http://localhost:3000; the service then answers at a port of its own, one story at a time",
    )
    .option(
      "--port <port>",
      "the port of the service, which the merchant is configured with; 4010 by default",
      portNumber,
    )
    .option("--host <address>", "the address that the service listens on, such as 0.0.0.0; 127.0.0.1 by default")
    .option("--base-url <url>", "the base URL that the merchant calls, such as that of a container's host")
    .option(
      "--credentials <file>",
      "a JSON file of the merchant's ids and secrets, or the JSON itself; by default the same in every run, and printed",
    )
    .option(
      "--webhook-path <path>",
      "the path of the merchant's webhook handler, such as /webhooks, for resources without a webhookUrl",
    )
    .option("--wait <seconds>", "wait so long until the merchant listens", seconds);
}
