import { render } from "preact";
import { listenToKeys } from "../../../report/page/keys.ts";
import { isLive, isPrinted } from "../../../report/page/store.ts";
import { keepInAddress } from "./address.ts";
import { App } from "./app.tsx";
import { restWhileUnseen, signInByAddress } from "./connection.ts";
import { views } from "./world-view.tsx";
import { followWorlds } from "./worlds.ts";

const root = document.querySelector("#inspector");
if (root !== null) {
  isLive.value = true;
  isPrinted.value = false;
  keepInAddress();
  listenToKeys(views);
  root.textContent = "";
  render(<App />, root);
  restWhileUnseen();
  addEventListener("hashchange", () => void signInByAddress());
  void signInByAddress().then(followWorlds);
}
