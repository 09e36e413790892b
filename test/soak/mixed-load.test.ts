import { test } from "vitest";
import { loadFor } from "./load.ts";

test("10 s of mixed load with 200 connections over 20 worlds lose nothing, and stay under 512 MiB", () => loadFor(10));
