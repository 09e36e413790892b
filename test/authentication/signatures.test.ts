import { createHash } from "node:crypto";
import { createSimulator } from "centavo";
import { createLocalJWKSet, jwtVerify } from "jose";
import type { JSONWebKeySet } from "jose";
import { describe, expect, test } from "vitest";
import { callWith, tokensOf } from "../merchant/requests.ts";

describe("an access token", () => {
  test("is the same, byte for byte, in every version of Centavo", async () => {
    const { access } = await tokensOf(createSimulator());
    expect(access).toBe(
      "eyJhbGciOiJFUzI1NiIsInR5cCI6IkpXVCIsImtpZCI6IkxvUzBtbmNmVHNGRy1xVGs4MG5SR1dNeF9zRkZDaG5PMGFhTWpRNHhUd0kifQ" +
        ".eyJpc3MiOiJodHRwczovL2FwaS5wYXkuZXhhbXBsZSIsInN1YiI6ImNpX2Zha2Vfbnh4MjZWQ2JWMDQ1Q3JFZGQxR2RVeEdoIiwiYXVkIjoiaHR0cHM6Ly9hcGkucGF5LmV4YW1wbGUiLCJpYXQiOjE3NjcyMjU2MDAsImV4cCI6MTc2NzIyOTIwMCwianRpIjoiZGYzMTczNGEtNWZkYi00MDA5LWIyMjUtMjg0NDg1NTA0MDcyIn0" +
        ".2qRB59dfjp5PljKVj5Gn9CNe16LWBcnXAFlDMkDizWo5CBSAReog-wQgA6pXZhfUDBCyFnAJuGik58VU46d3xA",
    );
  });

  test("is the same for each of a hundred seeds, and verifies with the published key", async () => {
    const hash = createHash("sha256");
    for (let seed = 0; seed < 100; seed += 1) {
      const sim = createSimulator({ seed });
      const { access } = await tokensOf(sim);
      const keys = createLocalJWKSet(
        (await callWith("", sim, "/.well-known/jwks.json")).body as unknown as JSONWebKeySet,
      );
      await expect(jwtVerify(access, keys, { currentDate: new Date(sim.clock.now()) })).resolves.toBeDefined();
      hash.update(`${access}\n`);
    }
    expect(hash.digest("hex")).toBe("2db8336fe506a99ad6e854aa9363a4a46f884c1ee144911f02eeb05471f10613");
  });

  test("is the same again after other worlds have signed theirs", async () => {
    const first = await tokensOf(createSimulator());
    for (let seed = 0; seed < 30; seed += 1) await tokensOf(createSimulator({ seed: `other ${seed}` }));
    expect((await tokensOf(createSimulator())).access).toBe(first.access);
  });
});
