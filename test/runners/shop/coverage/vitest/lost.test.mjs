import { createSimulator } from "centavo";
import { createClient } from "centavo/client";
import { test } from "vitest";
import { pay } from "../pay.cjs";

test("a payment with pm_card_lost", () => pay({ createSimulator }, { createClient }, "pm_card_lost"));
