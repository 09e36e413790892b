import { Keyboard } from "../../../report/page/keyboard.tsx";
import { connection } from "./connection.ts";
import type { ConnectionState } from "./connection.ts";
import { SignIn } from "./sign-in.tsx";
import { WorldList } from "./world-list.tsx";
import { WorldView, views } from "./world-view.tsx";
import { shownWorld, worlds } from "./worlds.ts";

const STATES: Readonly<Record<ConnectionState, string>> = {
  opening: "connecting …",
  open: "live",
  lost: "connection lost, trying again …",
  "signed-out": "signed out",
};

export function App() {
  const state = connection.value;
  return (
    <>
      <header class="top">
        <p class="brand">centavo inspector</p>
        <p class={`connection ${state}`} role="status">
          {STATES[state]}
        </p>
        <Keyboard views={views.length} />
      </header>
      {state === "signed-out" ? <SignIn /> : <Worlds />}
    </>
  );
}

function Worlds() {
  const shown = shownWorld.value;
  if (shown === undefined)
    return (
      <main class="no-world">
        <h1>{worlds.value === undefined ? "Centavo" : "No world yet"}</h1>
        <p class="nothing">
          {worlds.value === undefined
            ? "Reading the worlds of this server …"
            : "No world yet: a test that opens a simulator shows up here by itself."}
        </p>
      </main>
    );
  return (
    <div class="frame">
      <WorldList />
      <WorldView world={shown} />
    </div>
  );
}
