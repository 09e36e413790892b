import { once } from "node:events";
import { createServer } from "node:http";
import { createServer as createSecureServer } from "node:https";
import { createServer as createTcpServer } from "node:net";
import type { AddressInfo, Socket } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import { freePort } from "../free-port.ts";
import { cert, key } from "../self-signed.ts";
import { centavo } from "./commands.ts";
import { listening, receiver, SECRET } from "./webhook-receiver.ts";

const send = async (to: string, ...words: string[]) =>
  centavo("trigger", "checkout.expired", ...words, "--to", to, "--secret", SECRET);

/** Opens a TCP server that does something with each connection, until the end of the test. */
async function tcp(connected: (socket: Socket) => void): Promise<number> {
  const sockets = new Set<Socket>();
  const server = createTcpServer((socket) => {
    sockets.add(socket.on("error", () => undefined));
    connected(socket);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  return (server.address() as AddressInfo).port;
}

describe("an answer to centavo trigger", () => {
  test.for([
    [204, 0, "1 of 1 answer is right."],
    [400, 1, "400 says that your handler refuses a genuine event."],
    [401, 1, "Is the secret the one that your shop verifies with"],
    [404, 1, "404 says that there is no such route. Correct the path of --to."],
    [405, 1, "405 says that the route takes no POST."],
    [410, 1, "the service would send it no event again"],
    [415, 1, "refuses the content type application/json"],
    [429, 1, "429 says that there were too many requests."],
    [503, 1, "503 says that your handler crashed, or is down."],
  ] as const)("of %i", async ([status, expected, words]) => {
    const shop = await receiver((response) => response.writeHead(status).end());
    const { code, text } = await send(shop.url);
    expect(code).toBe(expected);
    expect(text).toContain(words);
  });

  test("that redirects is not followed", async () => {
    const shop = await receiver();
    const origin = await listening((_, response) => response.writeHead(307, { location: shop.url }).end());
    const { code, text } = await send(`${origin}/webhooks`);
    expect(code).toBe(1);
    expect(text).toContain("307 is a redirect, which no webhook follows");
    expect(shop.received).toEqual([]);
  });

  test("is shown in one short line, without secrets and control characters", async () => {
    const shop = await receiver((response) =>
      response.end(`{\n "card": "4343434343434345",\u001b[31m "key": "${SECRET}", "more": "${"x".repeat(400)}" }`),
    );
    const { text } = await send(shop.url);
    const line = text.split("\n").find((each) => each.includes("checkout.expired  evt_")) ?? "";
    expect(line).toContain("…");
    expect(line.length).toBeLessThan(250);
    for (const printed of [text, (await send(shop.url, "--json")).text])
      for (const secret of ["4343434343434345", "c2hvcC1", "\u001b"]) expect(printed).not.toContain(secret);
  });

  test.for([
    ["never comes", () => undefined],
    ["never ends", (response: { write(text: string): void }) => response.write("a")],
  ] as const)("that %s ends after --timeout", async ([, answer]) => {
    const shop = await receiver((response) => answer(response));
    const { code, text } = await send(shop.url, "--timeout", "0.2");
    expect(code).toBe(1);
    expect(text).toContain("No whole answer came within 0.2 s of real time.");
  });

  test("without an end is read only at its beginning", async () => {
    let written = 0;
    const origin = await listening((_, response) => {
      const write = (): void => {
        if (response.destroyed) return;
        written += 1;
        response.write("x".repeat(16_384), write);
      };
      write();
    });
    expect(await send(origin)).toMatchObject({ code: 0 });
    expect(written).toBeLessThan(1000);
  });

  test("that breaks off is wrong", async () => {
    const origin = await listening((request) => request.socket.destroy());
    const { code, text } = await send(origin);
    expect(code).toBe(1);
    expect(text).toContain(`${origin} broke the connection before it had answered (ECONNRESET).`);
  });
});

describe("centavo trigger exits with 2", () => {
  test("where nothing listens", async () => {
    const port = await freePort();
    const { code, errors } = await send(`http://localhost:${port}/webhooks`);
    expect(code).toBe(2);
    expect(errors).toBe(`Nothing listens at http://localhost:${port}. Start your shop first, or correct the address.`);
  });

  test("for a host that does not exist", async () => {
    const { code, errors } = await send("http://no-such-host.invalid/webhooks");
    expect(code).toBe(2);
    expect(errors).toMatch(
      /^No host is called no-such-host\.invalid \((ENOTFOUND|EAI_AGAIN)\)\. Correct the address\.$/,
    );
  });

  test("for a certificate that is not trusted, and says how to trust it", async () => {
    const server = createSecureServer({ key, cert }, (_, response) => response.end()).listen(0, "127.0.0.1");
    onTestFinished(() => void server.close());
    await once(server, "listening");
    const { code, errors } = await send(`https://localhost:${(server.address() as AddressInfo).port}/`);
    expect(code).toBe(2);
    expect(errors).toContain("has a TLS certificate that this process does not trust (DEPTH_ZERO_SELF_SIGNED_CERT)");
    expect(errors).toContain("Name the certificate in the environment variable NODE_EXTRA_CA_CERTS");
  });

  test("where http is spoken, and the address says https", async () => {
    const origin = await listening((_, response) => response.end());
    const { code, errors } = await send(origin.replace("http:", "https:"));
    expect(code).toBe(2);
    expect(errors).toMatch(/does not speak TLS \(\w+\)\. Is its address http:\/\/, or its port another\?$/);
  });

  test("in the middle, and sends no further event", async () => {
    let arrived = 0;
    const server = createServer((_, response) => {
      arrived += 1;
      server.close();
      response.writeHead(200, { connection: "close" }).end();
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    const to = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    const { code, text } = await centavo("trigger", "subscription.unpaid", "--to", to, "--secret", SECRET);
    expect([code, arrived]).toEqual([2, 1]);
    expect(text).toContain("1 of 1 answer is right; 17 deliveries not sent.");
  });

  test("and says so in its document", async () => {
    const { code, text } = await send(`http://localhost:${await freePort()}`, "--json", "--repeat", "3");
    expect(code).toBe(2);
    expect(JSON.parse(text)).toMatchObject({ passed: false, exitCode: 2, planned: 3, deliveries: [] });
  });
});

test("an answer that is not HTTP is wrong", async () => {
  const port = await tcp((socket) => socket.once("data", () => socket.end("220 mail.example ESMTP\r\n")));
  const { code, text } = await send(`http://127.0.0.1:${port}/`);
  expect(code).toBe(1);
  expect(text).toContain("did not answer in HTTP (HPE_INVALID_CONSTANT)");
});
