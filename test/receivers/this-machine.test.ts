import { expect, test } from "vitest";
import { isLoopback } from "../../src/kit/base/runtime/loopback.ts";

test.each([
  "localhost",
  "LOCALHOST",
  "localhost.",
  "shop.localhost",
  "a.b.Localhost",
  "127.0.0.1",
  "127.255.0.9",
  "127.1",
  "0.0.0.0",
  "::1",
  "[::1]",
  "0:0:0:0:0:0:0:1",
  "::1%lo",
  "::",
  "::ffff:127.0.0.1",
  "[::ffff:7f12:3456]",
  "::ffff:0.0.0.0",
])("%s is this machine", (host) => expect(isLoopback(host)).toBe(true));

test.each([
  "",
  "localhost.example",
  "notlocalhost",
  "127.0.0.1.example",
  "128.0.0.1",
  "1.127.0.0",
  "::2",
  "::ffff:8.8.8.8",
  "::ffff:128.0.0.1",
  "::7f00:1",
  "[::1",
  "user@localhost",
  "localhost/path",
  "127.0.0.1:80@example",
])("%j is another machine, or none", (host) => expect(isLoopback(host)).toBe(false));
