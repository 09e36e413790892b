import { useState } from "preact/hooks";
import { copied } from "./clipboard.ts";

/** A command, and a button that copies it. */
export function CopiedCommand({ title, command }: { readonly title: string; readonly command: string }) {
  const [isCopied, setCopied] = useState<boolean>();
  return (
    <div class="copied-command">
      <p class="hint">{title}</p>
      <code tabIndex={0} aria-label={title}>
        {command}
      </code>
      <button
        type="button"
        onClick={() => {
          void copied(command).then(setCopied);
        }}
      >
        Copy
      </button>
      <span class="hint" role="status">
        {isCopied === true && "Copied."}
        {isCopied === false && "The browser lets no page copy here: select the command, and copy it."}
      </span>
    </div>
  );
}
