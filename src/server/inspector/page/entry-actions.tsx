import { useState } from "preact/hooks";
import type { Row } from "../../../report/reported-run.ts";
import { Said, useAction } from "./action.tsx";
import { copied } from "../../../report/page/clipboard.ts";
import { Reason } from "./reason.tsx";
import { reasonAgainstChanges } from "./worlds.ts";
import { control } from "./control.ts";
import { curlOf } from "./curl.ts";
import type { Command } from "./curl.ts";
import type { ListedWorld } from "../../../report/live-run.ts";

interface EntryProps {
  readonly row: Row;
  readonly world: ListedWorld;
}

/** What a reader can do with an entry: copy its request, and have its event delivered again. */
export function EntryActions({ row, world }: EntryProps) {
  const command = curlOf(row, location.origin + world.path);
  const event = row.kind === "webhook" || row.kind === "delivery" ? factOf(row, "event") : undefined;
  if (command === undefined && event === undefined) return null;
  return (
    <div class="entry-actions">
      {command !== undefined && <CopyAsCurl command={command} />}
      {event !== undefined && <Redeliver event={event} world={world} />}
    </div>
  );
}

function factOf({ facts }: Row, name: string): string | undefined {
  return facts.find(([own]) => own === name)?.[1];
}

function CopyAsCurl({ command: { command, warning } }: { readonly command: Command }) {
  const [isCopied, setCopied] = useState<boolean>();
  return (
    <>
      <button
        type="button"
        onClick={() => {
          void copied(command).then(setCopied);
        }}
      >
        Copy as curl
      </button>
      {isCopied !== undefined && (
        <div class="copied" aria-live="polite">
          <p class="hint">
            {isCopied ? "Copied." : "The browser lets no page copy at this address: select the command, and copy it."}{" "}
            Each secret is a variable of the shell. {warning}
          </p>
          <pre tabIndex={0} aria-label="The command">
            {command}
          </pre>
        </div>
      )}
    </>
  );
}

function Redeliver({ event, world }: { readonly event: string; readonly world: ListedWorld }) {
  const action = useAction();
  return (
    <>
      <button
        type="button"
        disabled={reasonAgainstChanges(world) !== undefined}
        onClick={() => action.begin(() => redeliver(world, event))}
      >
        Redeliver
      </button>
      <Reason world={world} />
      <Said of={action} />
    </>
  );
}

async function redeliver({ path, clock }: ListedWorld, event: string): Promise<{ problem?: string; said?: string }> {
  const { problem } = await control(path, `POST /webhooks/events/${encodeURIComponent(event)}/redeliver`);
  if (problem !== undefined) return { problem };
  return {
    said:
      clock.isMovedBy === "time"
        ? "The event is on its way again."
        : "The event goes out when the clock next moves or settles.",
  };
}
