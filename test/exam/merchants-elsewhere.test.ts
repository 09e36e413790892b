import { fork } from "node:child_process";
import { mkdtempSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo, Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { exam } from "centavo/exam";
import type { ExamOptions, Opening } from "centavo/exam";
import { expect, onTestFinished, test } from "vitest";
import { examOfSmallShop, openSmallShop } from "./small-shop.ts";
import type { Orders } from "./small-shop.ts";

type Handler = (request: Request) => Promise<Response>;

async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const login = ({ sim, fetch }: Pick<Opening<Orders>, "sim" | "fetch">): Promise<Response> => {
  const { clientId, clientSecret } = sim.credentials;
  const form = { grant_type: "client_credentials", client_id: clientId, client_secret: clientSecret };
  return fetch(`${sim.authUrl}/oauth`, { method: "POST", body: new URLSearchParams(form) });
};

/** A program that asks its parent for a login at each request, and then answers. */
const PROGRAM = `
  const { parentPort } = require("node:worker_threads");
  const send = (message) => (parentPort ?? process)[parentPort ? "postMessage" : "send"](message);
  (parentPort ?? process).on("message", (message) => send(message === "request" ? "call" : "answer"));
`;

interface Program {
  readonly send: (message: string) => void;
  readonly onMessage: (listener: (message: unknown) => void) => void;
}

function childProcess(): Program {
  const file = join(mkdtempSync(join(tmpdir(), "centavo-")), "shop.cjs");
  writeFileSync(file, PROGRAM);
  const child = fork(file);
  onTestFinished(() => void child.kill());
  return { send: (message) => child.send(message), onMessage: (listener) => child.on("message", listener) };
}

function thread(): Program {
  const worker = new Worker(PROGRAM, { eval: true });
  onTestFinished(async () => void (await worker.terminate()));
  return {
    send: (message) => worker.postMessage(message, []),
    onMessage: (listener) => worker.on("message", listener),
  };
}

/** Passes requests on to a program, and its calls to the service. */
function passOn(program: Program, opening: () => Opening<Orders>): Handler {
  let answered = Promise.withResolvers<void>();
  program.onMessage((message) => {
    if (message === "answer") answered.resolve();
    else void login(opening()).then(() => program.send("called"));
  });
  return async () => {
    answered = Promise.withResolvers();
    program.send("request");
    await answered.promise;
    return new Response();
  };
}

type Open = ExamOptions<Orders>["open"];

/** A program that was started before the exam. */
function startedBefore(start: () => Program): Open {
  let opening: Opening<Orders> | undefined;
  const handler = passOn(start(), () => opening as Opening<Orders>);
  return (given) => {
    opening = given;
    return handler;
  };
}

const served: Open = async (opening) => {
  const app = openSmallShop(opening);
  const server = createServer((request, response) => {
    void (async () => {
      const body = request.method === "GET" ? undefined : await new Response(request as never).text();
      const { url = "/", method = "GET", headers } = request;
      const answer = await app(
        new Request(new URL(url, opening.url), { method, headers: headers as HeadersInit, body: body ?? null }),
      );
      response.writeHead(answer.status).end(await answer.text());
    })();
  });
  const address = await listen(server);
  return async (request: Request) => {
    const { pathname, search } = new URL(request.url);
    const { method, headers } = request;
    return fetch(address + pathname + search, {
      method,
      headers,
      body: method === "GET" ? null : await request.text(),
    });
  };
};

test.for<[string, () => Open, string]>([
  ["in a child process", () => startedBefore(childProcess), "in another process"],
  [
    "in a child process that open starts",
    () => (opening) => passOn(childProcess(), () => opening),
    "in another process",
  ],
  ["in a thread", () => startedBefore(thread), "in another process or thread"],
  ["in a thread that open starts", () => (opening) => passOn(thread(), () => opening), "in another thread"],
  ["behind a server", () => served, "behind an HTTP server"],
])("a merchant %s is refused with the way out, and not accused", async ([, open, place]) => {
  const examining = exam({ ...examOfSmallShop(), open: open(), budget: { stories: 3 }, longestWait: 20 });
  await expect(examining).rejects.toThrow(
    `exam: the merchant's program runs ${place}: while it answered POST /orders (the act order of order-1), the call POST /oauth came from outside the app that open returned.`,
  );
  await expect(examining).rejects.toThrow("Let open create the app and return it");
});
