import { pays } from "../pays.ts";

pays();
