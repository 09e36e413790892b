import { once } from "node:events";
import { createServer, IncomingMessage, ServerResponse } from "node:http";
import type { RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { pipeline, Readable } from "node:stream";
import { exam } from "centavo/exam";
import express from "express";
import { expect, test } from "vitest";

/** Lets a customer of an exam ask a listener, and returns the first answer. */
async function answerOf(listener: RequestListener): Promise<Response | undefined> {
  let answer: Response | undefined;
  await exam({
    open: () => listener,
    acts: {
      order: async ({ visit, id }) => {
        const given = await visit("POST", "/orders?of=books", { id });
        answer ??= given.clone();
        return given;
      },
    },
    books: () => ({ orders: [] }),
    budget: { stories: 1 },
  });
  return answer;
}

test("an Express app serves a real port after its exam", async () => {
  const app = express();
  app.use(express.json());
  app.post("/orders", (request, response) => void response.status(201).json(request.body));
  expect((await answerOf(app))?.status).toBe(201);

  const server = createServer(app).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const missing = await fetch(`http://127.0.0.1:${port}/nothing`);
  server.close();
  expect(missing.status).toBe(404);
});

test("a listener gets what Node's own server gives it", async () => {
  const answer = await answerOf((request, response) => {
    request.setEncoding("utf8");
    let body = "";
    request.on("data", (chunk: string) => (body += chunk));
    request.on("end", () => {
      const { method, url, headers, socket } = request;
      response.end(JSON.stringify({ method, url, host: headers.host, address: socket.remoteAddress, body }));
    });
  });
  expect(await answer?.json()).toEqual({
    method: "POST",
    url: "/orders?of=books",
    host: "shop.example",
    address: "127.0.0.1",
    body: '{"id":"order-1"}',
  });
});

test("a listener may write its answer in parts, and its headers at once", async () => {
  const answer = await answerOf((_request, response) => {
    response.writeHead(202, { "content-type": "text/plain", "set-cookie": ["a=1", "b=2"] });
    response.write("pa");
    response.write(Buffer.from("rt"));
    response.end("6564", "hex");
  });
  expect(answer?.status).toBe(202);
  expect(answer?.headers.getSetCookie()).toEqual(["a=1", "b=2"]);
  expect(await answer?.text()).toBe("parted");
});

test("a listener may answer with a stream, and hears that its answer was sent", async () => {
  const heard: string[] = [];
  const answer = await answerOf((request, response) => {
    response.on("close", () => heard.push("close"));
    pipeline(Readable.from(["on", "e"]), response, (error) => heard.push(error?.message ?? "sent"));
    request.resume();
  });
  expect(await answer?.text()).toBe("one");
  expect(new Set(heard)).toEqual(new Set(["sent", "close"]));
});

test("a listener that closes the connection gives no answer", async () => {
  expect(await answerOf((_request, response) => void response.destroy())).toBeUndefined();
});

test("a listener gets objects of Node's classes, also by their names", async () => {
  const answer = await answerOf((request, response) => {
    const isOfNode = request instanceof IncomingMessage && response instanceof ServerResponse;
    response.end([isOfNode, request.constructor.name, response.constructor.name].join());
  });
  expect(await answer?.text()).toBe("true,IncomingMessage,ServerResponse");
});
