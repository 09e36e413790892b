import type { Command } from "commander";
import { assumption, clock, count, portNumber } from "./arguments.ts";
import { addAccessOptions } from "./serve-access.ts";
import { teach } from "./help.ts";
import type { ProgramContext } from "./program.ts";
import type { GivenOptions } from "./run-server.ts";
import { HOW_IT_STOPS, HOW_MUCH_IS_KEPT, KEEP } from "./serve-help.ts";

/** Adds `centavo serve`. Its code is loaded only when it runs, so that other commands start faster. */
export function addServeCommand(program: Command, context: ProgramContext): void {
  const command = program
    .command("serve")
    .summary("serve the payment service on this machine, for merchants in other processes and languages")
    .description(
      "Serve the payment service on this machine, for merchants in other processes and languages. It prints the base URL and the credentials to configure, and the address and token of the control API, with which tests move time, plan faults and open worlds of their own.",
    )
    .optionsGroup("What it listens on:")
    .option("--port <port>", "the port to listen on; 0 takes any free port", portNumber, 4010)
    .option("--host <address>", "the address to listen on, such as 0.0.0.0 in a container; 127.0.0.1 by default")
    .option(
      "--base-url <url>",
      "the base URL by which clients reach the server, such as that of a proxy; its own address by default",
    )
    .option(
      "--state <file>",
      "keep all worlds in this file, so that a server that starts with it goes on where the last one was; it is created if there is none",
    )
    .optionsGroup("What the world is like:")
    .option("--seed <seed>", "decides every id and secret; by default it is random, and printed")
    .option("--now <time>", "when virtual time starts; the real time by default, which differs in each run")
    .option(
      "--clock <clock>",
      "who moves virtual time: real (it follows real time; the default), real:60 (a minute in each second), auto (it skips to what is due within 10 s of a request) or manual (only the control API)",
      clock,
    )
    .option(
      "--processing-time <duration>",
      "how long payments stay in processing, in virtual time; 2 seconds by default",
    )
    .option("--assumptions <file>", "a JSON file of assumptions by id; it wins over --processing-time")
    .option(
      "--assumption <id=value>",
      "change the answer to a question that the service document leaves open, unless it is fixed; repeatable, and wins over the file",
      assumption,
    )
    .option("--credentials <file>", "a JSON file of the merchant's ids and secrets, and the administrator's key")
    .option("--faults <file>", "a JSON file with a list of faults to plan before the first request")
    .option(
      "--story <file>",
      "play a story, as centavo run plays it, before the first request; its options apply where the command has none",
    )
    .option(
      "--keep <count>",
      "keep only this many of the newest journal entries, requests, finished payments and events",
      count,
      KEEP,
    )
    .optionsGroup("Where events go:")
    .option(
      "--webhook-url <url>",
      "receives the events of resources without a webhookUrl; must be on this machine, or named by --allow-webhooks-to",
    )
    .optionsGroup("What is written:")
    .option("--quiet", "print no line for each request and delivery")
    .option("--json", "print the address, the credentials and the control token as one line of JSON, and nothing else")
    .action(async (options: GivenOptions) => {
      const { runServer } = await import("./run-server.ts");
      await runServer(options, context);
    });
  addAccessOptions(command);
  teach(command, {
    notes: [HOW_IT_STOPS, HOW_MUCH_IS_KEPT],
    examples: [
      ["npx centavo serve", "serves at http://127.0.0.1:4010 until Ctrl+C"],
      ["npx centavo serve --port 0 --json", "takes any free port, and prints one line that a script reads"],
      [
        "npx centavo serve --webhook-url http://localhost:3000/hooks --clock real:60",
        "sends events to your shop, a minute in each second",
      ],
    ],
    exitCodes: [
      ["0", "stopped, with everything answered and delivered"],
      ["1", "the story of --story has failed"],
      ["2", "it could not start: an option is wrong, or the port is taken"],
      ["3", "stopped, but something was left after 10 seconds"],
      ["128 + signal", "a second signal ended it at once: 130 by Ctrl+C, 143 by SIGTERM"],
    ],
    readOn: ["guide/server.md", "guide/any-language.md"],
  });
}
