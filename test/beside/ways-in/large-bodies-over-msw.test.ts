import { holdLargeBodies } from "./large-bodies.ts";

holdLargeBodies("MSW handlers");
