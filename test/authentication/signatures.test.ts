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
        ".eyJpc3MiOiJodHRwczovL2FwaS5wYXkuZXhhbXBsZSIsInN1YiI6ImNpX2Zha2Vfbnh4MjZWQ2JWMDQ1Q3JFZGQxR2RVeEdoIiwiYXVkIjoiaHR0cHM6Ly9hcGkucGF5LmV4YW1wbGUiLCJpYXQiOjE3NjcyMjU2MDAsImV4cCI6MTc2NzIyOTIwMCwianRpIjoianRpX0sxUVVUN0dhMGNBSGYyR3NsSmthRmFrZSJ9" +
        ".QIYU2znUrIsEfGbIG-DS_G0nTF4TB0PBaspB_F0EFrlAyOmmqpoDVts0vbrbZdFTwRoAltU7l6rv5GXqz-Q03w",
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
    expect(hash.digest("hex")).toBe("889b3bba502a2d2f3d92a21a591dedf038a5f950fd8292d2406349a6f1869fc6");
  });

  test("is the same again after other worlds have signed theirs", async () => {
    const first = await tokensOf(createSimulator());
    for (let seed = 0; seed < 30; seed += 1) await tokensOf(createSimulator({ seed: `other ${seed}` }));
    expect((await tokensOf(createSimulator())).access).toBe(first.access);
  });
});
