import { createHmac, timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { Injectable, UnauthorizedException } from "@nestjs/common";
import type { CanActivate, ExecutionContext, RawBodyRequest } from "@nestjs/common";
import { Settings } from "./payments.service.ts";

/** Lets a body pass that the service signed within five minutes. The header is `t=<seconds>,te=<hex>,li=<hex>`: an HMAC-SHA-256 over `<t>.<body>`. */
@Injectable()
export class WebhookGuard implements CanActivate {
  constructor(private readonly settings: Settings) {}

  canActivate(context: ExecutionContext): boolean {
    const { headers, rawBody = "" } = context.switchToHttp().getRequest<RawBodyRequest<IncomingMessage>>();
    const header = String(headers["x-webhook-signature"]);
    const parts = new Map(header.split(",").map((part) => part.split("=", 2) as [string, string]));
    const stamp = parts.get("t") ?? "";
    const isRecent = Math.abs(Date.now() / 1000 - Number(stamp)) <= 300;
    const expected = createHmac("sha256", this.settings.webhookSecret).update(`${stamp}.`).update(rawBody).digest();
    const isSigned = [parts.get("te"), parts.get("li")].some((hex) => {
      const given = Buffer.from(hex ?? "", "hex");
      return given.length === expected.length && timingSafeEqual(given, expected);
    });
    if (!isRecent || !isSigned) throw new UnauthorizedException();
    return true;
  }
}
