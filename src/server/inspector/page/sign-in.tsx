import { useState } from "preact/hooks";
import { CONTROL_PATH } from "../../../client/control-api.ts";
import { codeIn, refusal, signIn } from "./connection.ts";

/** What a browser sees that the server does not know. */
export function SignIn() {
  const [typed, setTyped] = useState("");
  return (
    <main class="sign-in">
      <h1>Sign in</h1>
      <p>
        The server does not know this browser. When it starts, it prints an address that signs a browser in, once:{" "}
        <code>
          {location.origin}
          <wbr />
          /_centavo
          <wbr />
          #code=…
        </code>
        . Open it, or paste it here.
      </p>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          const code = codeIn(typed);
          if (code !== undefined) void signIn(code);
        }}
      >
        <label class="field">
          <span>Address or code</span>
          <input
            type="text"
            id="code"
            value={typed}
            autocomplete="off"
            spellcheck={false}
            onInput={({ currentTarget }) => setTyped(currentTarget.value)}
          />
        </label>
        <button type="submit" class="primary">
          Sign in
        </button>
      </form>
      {refusal.value !== undefined && (
        <p class="problem" role="alert">
          {refusal.value}
        </p>
      )}
      <p class="hint">
        A server that has started again knows no browser from before, and has printed a new address. The control token
        makes another one:
      </p>
      <pre tabIndex={0} aria-label="The command that makes an address">
        curl --request POST {location.origin + CONTROL_PATH}/inspector --header "Authorization: Bearer $CENTAVO_TOKEN"
      </pre>
    </main>
  );
}
