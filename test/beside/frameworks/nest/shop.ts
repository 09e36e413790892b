import "reflect-metadata";
import { Controller, Get, Injectable, Module, Post, Req, Res } from "@nestjs/common";
import type { INestApplication } from "@nestjs/common";
import { NestFactory } from "@nestjs/core";
import { ExpressAdapter } from "@nestjs/platform-express";
import { FastifyAdapter } from "@nestjs/platform-fastify";

/** The parts of a request that Express and Fastify name alike, besides the bytes that Nest keeps with `rawBody`. */
interface IncomingHook {
  readonly method: string;
  readonly originalUrl: string;
  readonly headers: Record<string, unknown>;
  readonly rawBody?: Buffer;
}

/** What the shop's service does as it starts, and with each request. */
export interface ShopOptions {
  start?(): unknown;
  see?(request: IncomingHook): void;
}

export const adapters = { Express: ExpressAdapter, Fastify: FastifyAdapter } as const;

/** Creates a small shop on Nest without initialising it. Its decorators are plain calls, because Node cannot read their syntax. */
export async function createShop(adapter: keyof typeof adapters, options: ShopOptions = {}): Promise<INestApplication> {
  class Orders {
    onModuleInit(): unknown {
      return options.start?.();
    }
    take(request: IncomingHook): string {
      options.see?.(request);
      return "thanks";
    }
  }
  Injectable()(Orders);

  class Hooks {
    readonly orders: Orders;
    constructor(orders: Orders) {
      this.orders = orders;
    }
    receive(request: IncomingHook, response: { header(name: string, value: string): void }): string {
      response.header("Retry-After", "7");
      return this.orders.take(request);
    }
    fail(): never {
      throw new Error("the controller broke");
    }
  }
  Controller("hooks")(Hooks);
  Reflect.defineMetadata("design:paramtypes", [Orders], Hooks);
  const method = (name: "receive" | "fail"): [object, string, PropertyDescriptor] => [
    Hooks.prototype,
    name,
    Object.getOwnPropertyDescriptor(Hooks.prototype, name) ?? {},
  ];
  Post(":name")(...method("receive"));
  Req()(Hooks.prototype, "receive", 0);
  Res({ passthrough: true })(Hooks.prototype, "receive", 1);
  Get("fail")(...method("fail"));

  class Shop {
    readonly name = "shop";
  }
  Module({ controllers: [Hooks], providers: [Orders] })(Shop);

  const app = await NestFactory.create(Shop, new adapters[adapter](), {
    rawBody: true,
    logger: false,
    abortOnError: false,
  });
  return app.setGlobalPrefix("api");
}
