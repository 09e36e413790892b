"use strict";

require("reflect-metadata");
const { Body, Controller, Get, HttpCode, Module, Param, Post, Req, Res } = require("@nestjs/common");
const { NestFactory } = require("@nestjs/core");
const { ExpressAdapter } = require("@nestjs/platform-express");
const { createCore, sendBy } = require("./core.cjs");

/** A merchant on Nest that calls the service with a `fetch` that it is given. Node reads no decorators, so they are called by hand. */
exports.openMerchant = async ({ fetch: send, ...configuration }) => {
  const core = createCore({
    ...configuration,
    send: sendBy(send),
  });

  class Shop {
    checkOut(body) {
      return core.checkOut(body);
    }
    charge(body) {
      return core.charge(body);
    }
    join(body) {
      return core.join(body);
    }
    readOrder(id) {
      return core.order(id);
    }
    readMembership(id) {
      return core.membership(id);
    }
    thank() {
      return "Thank you!";
    }
    async receive({ headers, rawBody: body }, response) {
      response.status(await core.receive({ headers, body }));
    }
  }
  const decorate = (name, ...decorators) => {
    for (const one of decorators) one(Shop.prototype, name, Object.getOwnPropertyDescriptor(Shop.prototype, name));
  };
  const parameter = (decorator, index) => (prototype, name) => decorator(prototype, name, index);
  decorate("checkOut", Post("orders"), parameter(Body(), 0));
  decorate("charge", Post("charges"), parameter(Body(), 0));
  decorate("join", Post("memberships"), parameter(Body(), 0));
  decorate("readOrder", Get("orders/:id"), parameter(Param("id"), 0));
  decorate("readMembership", Get("memberships/:id"), parameter(Param("id"), 0));
  decorate("thank", Get("thanks"));
  decorate("receive", Post("hooks"), HttpCode(200), parameter(Req(), 0), parameter(Res({ passthrough: true }), 1));
  Controller()(Shop);

  class Root {
    name = "shop";
  }
  Module({ controllers: [Shop] })(Root);
  return NestFactory.create(Root, new ExpressAdapter(), { rawBody: true, logger: false, abortOnError: false });
};
