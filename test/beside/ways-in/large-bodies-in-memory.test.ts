import { holdLargeBodies } from "./large-bodies.ts";

holdLargeBodies("memory");
