import type { Command } from "commander";
import { assumption, count, field, seconds } from "./arguments.ts";
import type { ProgramContext } from "./program.ts";
import type { TriggerOptions } from "./trigger.ts";

const EXAMPLES = `
Examples:
  $ export CENTAVO_WEBHOOK_SECRET=whsec_…
  $ centavo trigger --list
  $ centavo trigger subscription.past_due --to http://localhost:3000/webhooks
  $ centavo trigger checkout.completed --to http://localhost:3000/webhooks --external-id order-7 --amount 49900
  $ centavo trigger payment_intent.failed --to http://localhost:3000/webhooks --decline insufficient_funds --id pi_7
  $ centavo trigger subscription.activated --to http://localhost:3000/webhooks --set plan.name=Gold --set metadata.team=red
  $ centavo trigger payment_intent.succeeded --to http://localhost:3000/webhooks --forged --twice --shuffled

The payment really happens, in a simulator that ends with the command. Each event is signed at the moment in which it is sent, so that the
receiver accepts its stamp. By default the events that lead there are sent too, in their true order.

It exits with 0 if the receiver answered every genuine event with a 2xx and no forgery, with 1 if it did not, and with 2 if nothing could be
sent, as to an address where nothing listens.`;

/** Adds `centavo trigger`. Its code is loaded only when it runs, so that other commands start faster. */
export function addTriggerCommand(program: Command, context: ProgramContext): void {
  program
    .command("trigger")
    .description("let an event really happen, and send it, signed, to a webhook handler")
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
    .option("--amount <centavos>", "the amount; of a subscription, that of its plan")
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
    .addHelpText("after", EXAMPLES)
    .action(async (event: string | undefined, options: TriggerOptions) => {
      const { trigger } = await import("./trigger.ts");
      await trigger(event, options, context);
    });
}
