import type { Command } from "commander";
import { assumption, centavos, count, field, seconds } from "./arguments.ts";
import { interrupted, teach } from "./help.ts";
import type { ProgramContext } from "./program.ts";
import type { TriggerOptions } from "./trigger.ts";

/** Adds `centavo trigger`. Its code is loaded only when it runs, so that other commands start faster. */
export function addTriggerCommand(program: Command, context: ProgramContext): void {
  const command = program
    .command("trigger")
    .summary("let an event really happen, and send it, signed, to a webhook handler")
    .description(
      "Let an event really happen, and send it, signed, to a webhook handler. The payment is made in a simulator that ends with the command. Each event is signed at the moment in which it is sent, so that the receiver accepts its stamp. By default the events that lead there are sent too, in their true order.",
    )
    .argument("[event]", "the type of the event, such as subscription.past_due")
    .optionsGroup("Where it goes:")
    .option("--to <url>", "the address of the webhook handler, on any host")
    .option(
      "--secret <secret>",
      "the webhook secret that the handler verifies with; better in the environment variable CENTAVO_WEBHOOK_SECRET, which the history of a shell does not keep",
    )
    .option("--timeout <seconds>", "how long an answer may take, in real time; 10 by default", seconds)
    .optionsGroup("What it is about:")
    .option(
      "--id <id>",
      "your own id of the payment or the subscription, or your own session token, in place of a drawn one",
    )
    .option("--external-id <id>", "the id of your order, or of your member")
    .option("--amount <centavos>", "the amount; of a subscription, that of its plan", centavos)
    .option("--customer <customer>", "the customer: a name, an email, or both, as in 'Ana Cruz <ana@shop.example>'")
    .option(
      "--decline <code>",
      "why a payment is declined, such as insufficient_funds, where the event tells of a decline",
    )
    .option(
      "--set <field=value>",
      "any field of the body that creates it, such as metadata.team=red, or plan.name=Gold; repeatable",
      field,
    )
    .option("--data <file>", "a JSON file with such fields; the other options win")
    .optionsGroup("How it is sent:")
    .option("--only", "send only this event, without those that lead there")
    .option("--repeat <count>", "let it happen so often, each time with other ids", count)
    .option("--twice", "send each event twice at the same moment; the handler has to take at least one of both")
    .option("--shuffled", "send the events in another order")
    .option("--forged", "send forgeries of each event before it, which the handler has to refuse")
    .optionsGroup("How it is made:")
    .option("--seed <seed>", "decides every drawn id and text; random by default, and printed")
    .option("--now <time>", "when it has happened, in virtual time; the real time by default")
    .option("--assumptions <file>", "a JSON file of assumptions by id")
    .option(
      "--assumption <id=value>",
      "change the answer to a question that the service document leaves open, such as webhook.signature=stripe; repeatable, and wins over the file",
      assumption,
    )
    .optionsGroup("What is printed:")
    .option("--list", "print the events that there are, and send nothing")
    .option("--dry-run", "print the requests, with their signatures, and send nothing")
    .option("--json", "print one JSON document")
    .action(async (event: string | undefined, options: TriggerOptions) => {
      const { trigger } = await import("./trigger.ts");
      await trigger(event, options, context);
    });
  const to = "--to http://localhost:3000/webhooks";
  teach(command, {
    notes: [
      "The secret comes from the environment variable CENTAVO_WEBHOOK_SECRET: export CENTAVO_WEBHOOK_SECRET=whsec_…, or from --secret.",
    ],
    examples: [
      ["npx centavo trigger --list", "prints the events that there are"],
      [`npx centavo trigger subscription.past_due ${to}`, "sends what leads to a membership that is past due"],
      [
        `npx centavo trigger checkout.completed ${to} --external-id order-7 --amount 49900`,
        "sends that the order order-7 was paid, over ₱499.00",
      ],
      [
        `npx centavo trigger payment_intent.failed ${to} --decline insufficient_funds --id pi_7`,
        "sends a decline of the payment pi_7",
      ],
      [
        `npx centavo trigger subscription.activated ${to} --set plan.name=Gold --set metadata.team=red`,
        "sends other fields of the body that creates it",
      ],
      [
        `npx centavo trigger payment_intent.succeeded ${to} --forged --twice --shuffled`,
        "sends what a hostile day sends, and judges the answers",
      ],
    ],
    exitCodes: [
      ["0", "the receiver answered every genuine event with a 2xx, and no forgery"],
      ["1", "it did not"],
      ["2", "an event could not be sent, as to an address where nothing listens, or an option is wrong"],
      interrupted,
    ],
    readOn: ["guide/trigger.md", "guide/webhooks.md"],
  });
}
