import type { Command } from "commander";
import { names, portNumber } from "./arguments.ts";
import { teach } from "./help.ts";
import type { ProgramContext } from "./program.ts";
import type { RecordCommandOptions } from "./record.ts";

/** Adds `centavo record`. Its code is loaded only when it runs, so that other commands start faster. */
export function addRecordCommand(program: Command, context: ProgramContext): void {
  const command = program
    .command("record")
    .summary("forward calls to the real sandbox, and record them without their secrets")
    .description(
      "Forward calls to the real sandbox, and record them as a HAR file, without their secrets. Configure the address that it prints as the base URL of your merchant, in whatever language it is written.",
    )
    .optionsGroup("Where calls go:")
    .requiredOption("--to <url>", "the base URL of the sandbox, such as https://sandbox.pay.example")
    .option("--auth-to <url>", "the base URL of its token service, if that is another host")
    .option(
      "--deliver-to <url>",
      "the merchant that gets the deliveries, such as http://127.0.0.1:3000; the path of a delivery stays",
    )
    .optionsGroup("What it listens on:")
    .option("--port <port>", "the port that takes calls to the sandbox; 0 takes any free port", portNumber, 4020)
    .option("--auth-port <port>", "the port that takes calls to the token service; the next one by default", portNumber)
    .option("--deliveries-port <port>", "the port that takes deliveries; the one after by default", portNumber)
    .option("--host <address>", "the address to listen on, such as 0.0.0.0 in a container", "127.0.0.1")
    .optionsGroup("What is written:")
    .option("--file <file>", "the HAR file; it is written anew", "traffic.har")
    .option("--redact <names>", "further names of headers and fields whose values are secret; repeatable", names)
    .option("--quiet", "print no line for each call and delivery")
    .option("--json", "print the addresses as one line of JSON, and nothing else")
    .action(async (options: RecordCommandOptions) => {
      const { recordTraffic } = await import("./record.ts");
      await recordTraffic(options, context);
    });
  teach(command, {
    notes: [
      "What is replaced before anything is written: credentials, tokens, cookies, signatures, passwords, keys and card numbers. The same secret has the same stand-in, such as redacted-token-1. Names, emails and addresses stay.",
      "Deliveries reach this machine through a tunnel of your own to the port of deliveries, whose public address you give the sandbox as the webhookUrl.",
      "Ctrl+C or SIGTERM ends it, once the calls before are answered. The file is whole at any time; it is written once a second while it grows.",
    ],
    examples: [
      ["npx centavo record --to https://sandbox.pay.example", "takes calls at http://127.0.0.1:4020, into traffic.har"],
      [
        "npx centavo record --to https://api.pay.example --auth-to https://auth.pay.example",
        "takes those for the token service at http://127.0.0.1:4021",
      ],
      [
        "npx centavo record --to https://sandbox.pay.example --deliver-to http://127.0.0.1:3000",
        "takes deliveries at http://127.0.0.1:4022, and passes them on",
      ],
    ],
    exitCodes: [
      ["0", "stopped, with every call answered"],
      ["2", "it could not start: an option is wrong, the port is taken, or the file cannot be written"],
      ["3", "stopped, but a call had no answer after 10 seconds"],
      ["128 + signal", "a second signal ended it at once: 130 by Ctrl+C, 143 by SIGTERM"],
    ],
    readOn: ["guide/record.md"],
  });
}
