import { clients } from "../ways-in/clients.ts";
import { wayNamed } from "../../ways-in/ways.ts";
import { describeWhatClientsSee } from "./what-clients-see.ts";

describeWhatClientsSee(wayNamed("a socket"), clients);
