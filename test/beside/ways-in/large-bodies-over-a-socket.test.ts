import { holdLargeBodies } from "./large-bodies.ts";

holdLargeBodies("a socket");
