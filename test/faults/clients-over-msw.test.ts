import { clients } from "../ways-in/clients.ts";
import { wayNamed } from "../ways-in/ways.ts";
import { describeWhatClientsSee } from "./what-clients-see.ts";

describeWhatClientsSee(
  wayNamed("MSW handlers"),
  // The `undici` package and imports of `node:https` that were made before `setupServer` are out of its reach.
  clients.filter(({ name }) => !name.startsWith("undici") && !name.startsWith("node:")),
);
