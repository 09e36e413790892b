import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { centavoIn } from "../../cli/commands.ts";
import type { Cause, Causes } from "./cause.ts";
import { newFolder } from "./folder.ts";

/** Runs `centavo trigger --dry-run`, in a folder with a file of fields that is a list. */
const triggering =
  (...words: readonly string[]): Cause =>
  async () => {
    const folder = newFolder();
    writeFileSync(join(folder, "list.json"), "[]");
    return centavoIn(folder, "trigger", "--dry-run", ...words);
  };

const known = ["payment_intent.failed", "--secret", "whsec_a"] as const;

/** What causes the errors of `centavo trigger`, by their codes. */
export const triggerCauses: Causes = {
  INVALID_OPTION: {
    "centavo trigger: no event": triggering(),
    "centavo trigger: no address": async () => centavoIn(newFolder(), "trigger", ...known),
    "centavo trigger: an empty secret": triggering("payment_intent.failed", "--secret", ""),
    "centavo trigger: a secret of another scheme": triggering(
      "payment_intent.failed",
      "--secret",
      "my secret!",
      "--assumption",
      "webhook.signature=standard-webhooks",
    ),
    "centavo trigger: a moment that is none": triggering(...known, "--now", "soon"),
    "centavo trigger: an unknown field": triggering(...known, "--set", "contact.emial=ana@shop.example"),
    "centavo trigger: a field that the command sets": triggering(...known, "--set", "webhookUrl=http://localhost"),
    "centavo trigger: a decline of an event that tells of none": triggering(
      "checkout.expired",
      "--secret",
      "whsec_a",
      "--decline",
      "lost_card",
    ),
    "centavo trigger: a decline that does not lead there": triggering(
      "subscription.unpaid",
      "--secret",
      "whsec_a",
      "--decline",
      "processor_unavailable",
    ),
    "centavo trigger: an unknown decline": triggering(...known, "--decline", "no_money"),
    "centavo trigger: a wrong value": triggering(...known, "--amount", "0"),
    "centavo trigger: a file of fields that is a list": triggering(...known, "--data", "list.json"),
  },
  INVALID_URL: {
    "centavo trigger: an address without http": triggering(...known, "--to", "localhost:3000"),
    "centavo trigger: an address with a password": triggering(...known, "--to", "http://ana:secret@localhost:3000"),
  },
  NOT_FOUND: { "centavo trigger: an unknown event": triggering("payment_intent.suceeded") },
};
